"""Everything that can go wrong on purpose, under one name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """Why an action is not legal: a code for programs, a clause for readers, a sentence for people."""

    code: str
    clause: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.sentence} ({self.clause})" if self.clause else self.sentence


class SandtableError(Exception):
    """What this package raises when it was asked for something it cannot do."""


class IllegalAction(SandtableError):
    """The rules refuse it; `.refusal` says why. Nothing was changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class BadText(SandtableError):
    """A text that cannot be read, with the place and what was expected there."""

    def __init__(self, expected: str, found: str = "", line: int = 0, column: int = 0) -> None:
        place = f"line {line}, column {column}: " if line else f"column {column}: " if column else ""
        shown = f", found {found[:40]!r}" if found else ""
        super().__init__(f"{place}expected {expected}{shown}")
        self.expected, self.found, self.line, self.column = expected, found, line, column


class BadBook(SandtableError):
    """A book of numbers that cannot be used, naming the number and what it may be."""


class NoDice(SandtableError):
    """A roll is due and there is nothing to roll with."""


class NotCountable(SandtableError):
    """Too many outcomes to list; ask for samples."""


class Unknown(SandtableError):
    """A name nobody here answers to, with the names there are."""

    def __init__(self, what: str, name: str, known: list[str]) -> None:
        super().__init__(f"no {what} {name[:40]!r}; there are: {', '.join(known) or 'none'}")
