"""A match played again, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandtable.protocol.errors import BadText, SandtableError
from sandtable.protocol.events import Event
from sandtable.protocol.position import Position, Row

if TYPE_CHECKING:
    from sandtable.protocol.match import Match


class BadRow(BadText):
    """A row that cannot stand where it does."""

    def __init__(self, row: int, expected: str, found: str) -> None:
        super().__init__(expected, found)
        self.row = row


@dataclass(frozen=True)
class Step:
    """One row, told. `position` stands after it and plays on with the next step: copy what is to be kept."""

    row: Row
    events: list[Event]
    position: Position


def begin(match: Match) -> Position:
    """The match's first position, before any row."""
    position = Position(match.game, match.book, match.start, dice=match.source())
    position.past.has_named_faces = match.dice == "faces"
    return position


def retell(match: Match, position: Position | None = None) -> Iterator[Step]:
    """The rows one after the other, played on one position; a row the rules refuse is a BadRow."""
    position = begin(match) if position is None else position
    for number, row in enumerate(match.rows):
        try:
            events = position.replay_row(row)
        except SandtableError as error:
            raise BadRow(number, f"a row the rules allow ({error})", row.text) from None
        yield Step(row, events, position)


def replay(match: Match) -> list[Position]:
    """The first position and the one after each row, each with its own past: for matches of ordinary length."""
    position = begin(match)
    return [position.copy(), *(step.position.copy() for step in retell(match, position))]


def last(match: Match) -> Position:
    """The position after the last row."""
    position = begin(match)
    for _ in retell(match, position):
        pass
    return position
