"""What happened, for people: an event's sentence and the things on the board it speaks of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sandtable.protocol.records import EVERYBODY

if TYPE_CHECKING:
    from sandtable.protocol.game import Game
    from sandtable.protocol.words import Words


@dataclass(frozen=True)
class Event:
    """One thing that happened. `refs` are scene keys (`cell/e4`), `faces` the dice it speaks of."""

    name: str
    clause: str
    who: int | None
    sentence: str
    refs: tuple[str, ...] = ()
    faces: tuple[int, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict, compare=False)
    seats: int = EVERYBODY

    def is_seen_by(self, seat: int | None) -> bool:
        """Whether this seat, or an onlooker, may know."""
        return self.seats == EVERYBODY if seat is None else bool(self.seats >> seat & 1)

    def __str__(self) -> str:
        return self.sentence


def told(game: Game, work: Any, words: Words) -> tuple[list[Event], list[tuple[int, int]]]:
    """The events a slot wrote, as sentences, and of each its kind and seat. A buffer too small is an error."""
    count = int(work["event_count"][0])
    if count > len(work["events"][0]):
        raise OverflowError(f"{game.name}: {count} events in one step, room for {len(work['events'][0])}")
    events, kinds = [], []
    for record in work["events"][0][:count]:
        seats, at, to, a, b, c, clause, kind, who = record.item()
        name, fields, refs, faces = game.view.event_fields(kind, who, at, to, a, b, c, words)
        kinds.append((kind, who))
        if name:
            seat = None if who < 0 else who
            sentence = words("event", name, **fields)
            events.append(Event(name, game.clause(clause), seat, sentence, refs, faces, fields, seats))
    return events, kinds
