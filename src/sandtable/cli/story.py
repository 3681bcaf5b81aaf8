"""A match as pages: for every ply what happened and what the seat that acted saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.protocol.replay import Step, retell

if TYPE_CHECKING:
    from sandtable.protocol.match import Match
    from sandtable.protocol.scene import Scene


class Story:
    """Page 0 is the beginning; page n the position after the n-th row of the file."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._positions = match.positions()
        self._steps: list[Step] = list(retell(match))

    def __len__(self) -> int:
        return len(self._positions)

    @property
    def title(self) -> str:
        match = self._match
        return f"{match.game.title}, scenario {match.start.scenario}, dice {match.dice}: {len(self) - 1} plies."

    @property
    def ending(self) -> str:
        """How it ended, nothing while it runs."""
        outcome = self._positions[-1].outcome
        return outcome.sentence if outcome else ""

    def sentences(self, ply: int) -> list[str]:
        return [event.sentence for event in self._steps[ply - 1].events] if ply else []

    def scene(self, ply: int) -> Scene:
        """While armies are placed in secret, the placement of the seat that acted."""
        return self._positions[ply].view(self._steps[ply - 1].row.seat if ply else None)
