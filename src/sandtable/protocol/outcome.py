"""How a match ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """A place per seat (1 best, ties share), the reason's name and a sentence."""

    places: tuple[int, ...]
    reason: str
    sentence: str
