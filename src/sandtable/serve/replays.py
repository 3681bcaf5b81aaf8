"""Matches that are over, for the replay page: the file, and everything in it step by step."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sandtable.protocol.match import Match
from sandtable.protocol.position import Position
from sandtable.protocol.replay import begin
from sandtable.protocol.scene import Scene, changes
from sandtable.serve.messages import Message
from sandtable.serve.viewers import line_of
from sandtable.store.matches import match_of

if TYPE_CHECKING:
    from sandtable.serve.hall import Hall
    from sandtable.serve.table import Table


@dataclass(frozen=True)
class File:
    """A match and its text."""

    match: Match
    text: str


async def match_text(hall: Hall, table: Table) -> File:
    record, entries = await hall.store.load(table.record.id)
    match = match_of(record, entries, table.game)
    return File(match, match.text())


async def replay(hall: Hall, table: Table) -> Message:
    """What the replay page is made of; the secret is in it, since the match is over."""
    file = await match_text(hall, table)
    told = await asyncio.to_thread(_told, file)
    words = table.game.words()
    seats = [
        {
            "seat": n, "side": table.game.view.seat_name(n, words), "name": hall.name_of(seat), "kind": seat.kind,
        }
        for n, seat in enumerate(table.record.seats)
    ]  # fmt: skip
    return {"id": table.record.id, "game": table.game.name, "title": table.game.title, "seats": seats, **told}


def open_scene(position: Position) -> Scene:
    """All there was to see, secrets too: the match is over."""
    scene: Scene = position.game.view.scene(position.book, position.record, -1, position.words)
    for key, value in list(scene.items()):
        if isinstance(value, dict) and "fog" in value:
            scene[key] = {name: item for name, item in value.items() if name != "fog"}
    return scene


def _told(file: File) -> dict[str, Any]:
    match = file.match
    position = begin(match)
    first = scene = open_scene(position)
    plies: list[Message] = []
    nth = 0
    for number, row in enumerate(match.rows):
        count = int(match.game.engine.chance(*position._at())) if row.is_roll else 0
        events = position.replay_row(row)
        after = open_scene(position)
        roll = None
        if row.is_roll:
            outcome = match.game.notation.read_roll(row.text)
            faces = list(match.game.notation.faces_of(outcome))
            roll = {"faces": faces, "count": count, "outcome": outcome, "nth": nth, "salt": row.salt.hex()}
            nth += 1
        plies.append(
            {
                "row": number, "seat": row.seat, "text": row.text, "ch": changes(scene, after),
                "log": [line_of(event) for event in events], "roll": roll,
            }
        )  # fmt: skip
        scene = after
    ended = position.outcome
    result = {"places": list(ended.places), "reason": ended.reason, "say": ended.sentence} if ended else None
    seal = None
    if match.dice.startswith("seal"):
        seal = {
            "commitment": match.dice.split()[1], "secret": match.secret.hex(), "match": match.match_id,
            "seeds": [seed.hex() for seed in match.seat_seeds],
        }  # fmt: skip
    return {"scene": first, "plies": plies, "result": result, "seal": seal, "file": file.text}
