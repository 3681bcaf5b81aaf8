"""Real matches, played at random under sealed dice and stored as a table would store them."""

from __future__ import annotations

import hashlib
import random
from contextlib import suppress

import sandtable
from sandtable.kit.dice import SealedDice
from sandtable.protocol.match import Match
from sandtable.store.interface import Entry, Seat, Store, TableRecord
from sandtable.store.matches import book_text, match_of

ANSWER = '{"t":"ack"}'


async def play(store: Store, table_id: str, *, seed: int = 0, plies: int = 10_000, takebacks: bool = False) -> Match:
    """A match of Tactics up to so many actions; each one is stored with the rolls it caused. The match is returned."""
    game, chance = sandtable.game("tactics"), random.Random(seed)
    secret = hashlib.sha256(f"{table_id} {seed}".encode()).digest()
    seeds = (b"white", b"black")
    seats = tuple(Seat("guest", name, name, dealt.hex()) for name, dealt in zip(("Ada", "Bo"), seeds, strict=True))
    position = game.deal(
        "brief", dice=SealedDice(secret, table_id, seeds), book={"draw_after": 40}, map_seed=seed
    )  # fmt: skip
    table = TableRecord(
        id=table_id, game="tactics", rules_version=game.rules_version, scenario="brief",
        book=book_text(position.book, game), seats=seats, created_ms=1, map_seed=seed, secret=secret.hex(),
        host="Ada", state="running", to_act=position.to_act,
    )  # fmt: skip
    await store.create(table)
    stored = 0
    if position.rows:
        await store.append(table_id, Entry(0, None, "", tuple(position.rows), ANSWER, 2))
        stored = 1
    while position.to_act and plies:
        plies -= 1
        seat, told = position.to_act[0], len(position.rows)
        position.play(chance.choice(position.actions(seat)), seat, salt=chance.randbytes(16))
        if takebacks and not any(row.is_roll for row in position.rows[told:]) and chance.random() < 0.3:
            with suppress(sandtable.IllegalAction):
                position.undo(seat)
        entry = Entry(stored, seat, f"c{stored}", tuple(position.rows[told:]), ANSWER, 3)
        if outcome := position.outcome:
            result = " ".join(map(str, [*outcome.places, outcome.reason]))
            await store.append(table_id, entry, state="over", result=result, opened=True, to_act=())
        else:
            await store.append(table_id, entry, to_act=position.to_act)
        stored += 1
    record, entries = await store.load(table_id)
    return match_of(record, entries, game, with_secret=True)
