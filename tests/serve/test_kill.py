"""P1: a real server is killed under play, again and again. Whatever it acked is stored, once and without a gap."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.store.doctor import examine
from sandtable.store.interface import Entry
from sandtable.store.sqlite import SqliteStore
from tests.serve.client import Ended, Message, Player, Process, pair

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")

TABLES = 6
LOST = (Ended, TimeoutError, OSError)


class Journal:
    """What one player sent and was told, over all lives of the server."""

    def __init__(self, player: Player, chance: random.Random) -> None:
        self.player, self.chance = player, chance
        self.acked: dict[str, str] = {}
        self.pending: Message | None = None

    async def play(self) -> None:
        """Until the line is lost or the match over. What has no answer yet is sent again first, as it was."""
        player = self.player
        while not player.is_over or self.pending:
            if self.pending is None:
                if not player.may_act:
                    with suppress(TimeoutError):
                        await player.next()
                    continue
                if not (act := await player.choose(self.chance)):
                    continue
                self.pending = player.wish(act)
            answer = await player.deliver(self.pending)
            if answer["t"] == "ack":
                self.acked[self.pending["id"]] = self.pending["act"]
            else:
                assert answer["code"] in ("stale", "illegal", "not_your_turn"), answer  # chosen just before news came
            self.pending = None

    async def live(self) -> None:
        with suppress(*LOST):
            await self.play()

    async def resume(self, server: Process) -> None:
        """Back in the same seat; the scene that was kept must be one the server can go on from."""
        self.player.person.door = server
        await self.player.open()
        if self.player.ver:
            assert "snap" not in self.player.resumed or self.player.frames[-1]["t"] != "ev"


async def stored(data: Path, is_last: bool = True) -> dict[str, list[Entry]]:
    """Every table's entries; after the last round every match is played again too."""
    store = await SqliteStore.look(data)
    try:
        assert await store.faults() == []
        if is_last:
            report = await examine(store, sandtable.game)
            assert report.ok, report.sentences
        return {head.id: (await store.load(head.id))[1] for head in await store.index()}
    finally:
        await store.close()


def check(journals: list[Journal], tables: dict[str, list[Entry]]) -> int:
    """How many acked commands are missing. Doubles and gaps fail at once."""
    lost = 0
    for table, entries in tables.items():
        assert [entry.number for entry in entries] == list(range(len(entries)))
        told: dict[Any, str] = {(e.seat, e.command_id): e.rows[0].text for e in entries if e.command_id}
        counts = Counter((entry.seat, entry.command_id) for entry in entries if entry.command_id)
        assert not counts or max(counts.values()) == 1
        for journal in journals:
            if journal.player.table != table:
                continue
            seat = journal.player.seat
            lost += sum(told.get((seat, name)) != act for name, act in journal.acked.items())
            known = set(journal.acked) | ({journal.pending["id"]} if journal.pending else set())
            assert {name for who, name in told if who == seat} <= known  # nothing nobody sent
    return lost


async def rounds(data: Path, count: int) -> None:
    chance = random.Random(count)
    journals: list[Journal] = []
    acked = 0
    for turn in range(count):
        with Process(data) as server:
            running = [journal for journal in journals if not journal.player.is_over or journal.pending]
            await asyncio.gather(*(journal.resume(server) for journal in running))
            while len(running) < 2 * TABLES:
                scenario = chance.choice(["classic", "opening"])
                new = [Journal(player, chance) for player in await pair(server, scenario=scenario)]
                journals += new
                running += new
            playing = [asyncio.create_task(journal.live()) for journal in running]
            await asyncio.sleep(chance.uniform(0.05, 0.6))
            server.kill()
            await asyncio.gather(*playing)
            for journal in journals:
                await journal.player.close()
        assert check(journals, await stored(data, turn == count - 1)) == 0
        assert sum(len(journal.acked) for journal in journals) >= acked
        acked = sum(len(journal.acked) for journal in journals)
    assert acked > 5 * count


def test_ten_kills_lose_nothing(tmp_path: Path) -> None:
    asyncio.run(rounds(tmp_path / "data", 10))


@pytest.mark.deep
def test_a_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    asyncio.run(rounds(tmp_path / "data", 100))


def test_a_lost_entry_would_be_noticed(tmp_path: Path) -> None:
    """The test of the test."""

    async def once() -> None:
        with Process(tmp_path / "data") as server:
            player, other = await pair(server)
            mover = player if player.may_act else other
            journal = Journal(mover, random.Random(1))
            act = await mover.choose(journal.chance)
            wish = mover.wish(act)
            assert (await mover.deliver(wish))["t"] == "ack"
            journal.acked[wish["id"]] = act
            await player.close()
            await other.close()
        tables = await stored(tmp_path / "data")
        assert check([journal], tables) == 0
        assert check([journal], {name: entries[:-1] for name, entries in tables.items()}) == 1

    asyncio.run(once())
