"""A table's whole day: tables hosted, joined, played by machines and by scripted browsers, the server killed and
started anew; afterwards every match is whole, and going on costs no more memory."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

import sandtable
from sandtable.store.doctor import examine
from sandtable.store.sqlite import SqliteStore
from tests.serve.client import Ended, Person, Player, Process, pair, turns
from tests.serve.test_hostile import warm
from tests.serve.test_kill import stored

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="reads /proc, needs kill -9")

KINDS = ("people", "machine", "machines", "hot-seat")
ROOM_KIB = 20 * 1_024


class Day:
    """Tables of all kinds, and those who play at them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lines: dict[str, list[Player]] = {}

    async def open_table(self, server: Process, kind: str) -> str:
        scenario = self.chance.choice(["brief", "brief", "classic"])
        if kind == "people":
            lines = list(await pair(server, scenario=scenario))
        else:
            ada = await Person(server).named("Ada")
            seats = {"machine": ("me", "machine:random"), "hot-seat": ("me", "me")}.get(kind, ("machine:random",) * 2)
            table = await ada.host(*seats, scenario=scenario)
            mine: list[int | None] = [seat for seat, who in enumerate(seats) if who == "me"] or [None]
            lines = [await ada.sit(table, seat) for seat in mine]
        self.lines[lines[0].table] = lines
        return lines[0].table

    async def play(self, table: str, most: int) -> None:
        """So many commands, or until the line is lost."""
        with suppress(Ended, TimeoutError, OSError):
            for _ in range(most):
                if not await turns(self.chance, 1, *self.lines[table]):
                    await asyncio.sleep(0.01)  # a machine's turn

    async def all_play(self, tables: Iterable[str], most: int) -> None:
        await asyncio.gather(*(self.play(table, most) for table in tables))

    async def back(self, server: Process) -> None:
        """Everybody is back in the same seat at the same ply."""
        for line in (line for lines in self.lines.values() for line in lines):
            line.person.door = server
            await line.close()
            await line.open()

    async def end(self, table: str) -> None:
        """The match comes to its end, and everybody goes."""
        line = self.lines[table][0]
        await line.quiet()
        if not line.is_over:
            if line.seat is None:
                async with asyncio.timeout(60):
                    await line.until(lambda player: player.is_over)
            else:
                await line.command("resign")
                await line.until(lambda player: player.is_over)
        text = (await line.person.ask(f"/api/matches/{table}")).body.decode()
        assert sandtable.read_match(text).verify().ok
        for each in self.lines.pop(table):
            await each.close()


def day(data: Path, tables: int, kills: int, most: int) -> None:
    """The first half: hosted, played, killed; the second without a restart, memory read on the way."""
    plan = Day(tables)

    async def morning() -> None:
        waiting = [KINDS[number % len(KINDS)] for number in range(tables)]
        for turn in range(kills + 1):
            with Process(data) as server:
                await plan.back(server)
                share = waiting[turn :: kills + 1]
                for kind in share:
                    await plan.open_table(server, kind)
                playing = asyncio.create_task(plan.all_play(list(plan.lines), most))
                if turn < kills:
                    await asyncio.wait({playing}, timeout=plan.chance.uniform(0.3, 1.0))
                    server.kill()
                await playing
                if turn == kills:
                    for table in list(plan.lines):
                        await plan.end(table)
                    server.stop()
                for line in (line for lines in plan.lines.values() for line in lines):
                    await line.close()

    async def afternoon() -> None:
        with Process(data) as server:
            after_ten = 0
            for number in range(tables):
                table = await plan.open_table(server, KINDS[number % len(KINDS)])
                await plan.all_play([table], most)
                await plan.end(table)
                if number == min(10, tables // 2):
                    after_ten = await warm(server)
            assert await warm(server) - after_ten <= ROOM_KIB
            server.stop()

    asyncio.run(morning())
    asyncio.run(look(data, tables))
    asyncio.run(afternoon())
    asyncio.run(look(data, 2 * tables))


async def look(data: Path, tables: int) -> None:
    """The doctor finds every match, and each whole."""
    store = await SqliteStore.look(data)
    try:
        report = await examine(store, sandtable.game, await store.faults())
        assert report.ok, report.sentences
        assert report.whole == report.tables == tables
        states = {head.state for head in await store.index()}
        assert states == {"over"}
    finally:
        await store.close()
    await stored(data)


def test_a_short_day(data: Path) -> None:
    day(data / "d", tables=8, kills=2, most=8)


@pytest.mark.deep
def test_a_whole_day(tmp_path: Path) -> None:
    day(tmp_path / "d", tables=50, kills=5, most=40)
