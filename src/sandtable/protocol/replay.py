"""A match played again, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.protocol.errors import BadText, SandtableError
from sandtable.protocol.position import Position

if TYPE_CHECKING:
    from sandtable.protocol.match import Match


class BadRow(BadText):
    """A row that cannot stand where it does."""

    def __init__(self, row: int, expected: str, found: str) -> None:
        super().__init__(expected, found)
        self.row = row


def replay(match: Match) -> list[Position]:
    """The first position and the one after each row; a row the rules refuse is a BadRow."""
    position = Position(match.game, match.book, match.start, dice=match.source())
    position.past.has_named_faces = match.dice == "faces"
    positions = [position.copy()]
    for number, row in enumerate(match.rows):
        try:
            position.replay_row(row)
        except SandtableError as error:
            raise BadRow(number, f"a row the rules allow ({error})", row.text) from None
        positions.append(position.copy())
    return positions
