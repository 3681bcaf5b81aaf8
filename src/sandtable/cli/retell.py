"""A match told again: what happened in each row of its file, and the position after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sandtable.protocol.events import Event
from sandtable.protocol.match import Match
from sandtable.protocol.position import DRAW, RESIGN, TAKEBACK, Position, Row


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
        yield Step(row, _play(position, row), position)


def _play(position: Position, row: Row) -> list[Event]:
    if row.is_roll:
        return position.replay_roll(row)
    if row.text.startswith(TAKEBACK):
        number = int(row.text.split()[1])
        taken = position.rows[number].text
        position.undo(row.seat, number)
        name = position.view(None)[f"seat/{row.seat}"]["name"]
        return [Event("takeback", "", row.seat, f"{name} takes back {taken}.")]
    if row.text in (RESIGN, DRAW):
        return position.play(row.text, row.seat)
    return position.replay_action(row)
