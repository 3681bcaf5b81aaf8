"""A match told again: what happened in each row of its file, and the position after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sandtable.protocol.events import Event
from sandtable.protocol.match import Match
from sandtable.protocol.position import Position, Row


@dataclass(frozen=True)
class Step:
    """One row, told. `position` plays on with the next step: copy what is to be kept."""

    row: Row
    events: list[Event]
    position: Position


def retell(match: Match) -> Iterator[Step]:
    """The rows of a match that is known to be right, one after the other."""
    position = Position(match.game, match.book, match.start, dice=None)
    for row in match.rows:
        yield Step(row, position.replay_row(row), position)
