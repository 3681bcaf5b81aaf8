"""A match played again, row by row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sandtable.protocol.errors import BadText, SandtableError
from sandtable.protocol.position import DRAW, RESIGN, TAKEBACK, Position, Row

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
    position._named_faces = match.dice == "faces"
    positions = [position.copy()]
    for number, row in enumerate(match.rows):
        try:
            _play_row(position, row)
        except SandtableError as error:
            raise BadRow(number, f"a row the rules allow ({error})", row.text) from None
        positions.append(position.copy())
    return positions


def _play_row(position: Position, row: Row) -> None:
    if row.is_roll:
        position.replay_roll(row)
    elif row.seat is None or not row.seat < position.seats:
        raise BadText("a seat of this match", str(row.seat))
    elif found := re.fullmatch(rf"{TAKEBACK} (0|[1-9][0-9]{{0,6}})", row.text):
        position.undo(row.seat, int(found[1]))
    elif row.text in (RESIGN, DRAW):
        position.play(row.text, row.seat)
    else:
        position.replay_action(row)
