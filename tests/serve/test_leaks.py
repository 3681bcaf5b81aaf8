"""P6: nobody is sent a byte that depends on what he may not see. Two worlds, equal but for the foe's secrets.

Both worlds draw the same random numbers and read the same clock, so every byte may be compared: frames, options,
previews, whys, overlays, the HTTP twins, the lobby and presence, to the seat opposite and to an onlooker.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import numpy.random  # noqa: F401  (it draws from secrets when it is first loaded, and these tests script that)
import pytest

from sandtable.serve.logs import end_logs, start_logs
from tests.serve.client import House, Message, Person, Player, house

PAIRS_A_TABLE = 25
PROBES = 5
WHEN_NS = 1_790_000_000_000_000_000
WHYS = ("S@e1", "R@d8", "C@d5", "ready", "e2-e3", "d7-d6", "resign", "takeback", "takeback 3", "nonsense", "A@a8")


class Luck:
    """The system's randomness, drawn again the same way in each world."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = random.Random(0)
        patch.setattr(secrets, "token_hex", lambda n=32: self.now.randbytes(n).hex())
        patch.setattr(secrets, "token_urlsafe", lambda n=32: self._urlsafe())
        patch.setattr(secrets, "randbits", lambda n: self.now.getrandbits(n))
        patch.setattr(secrets, "choice", lambda items: self.now.choice(items))
        patch.setattr(time, "time_ns", lambda: WHEN_NS)

    def _urlsafe(self) -> str:
        return "".join(self.now.choice("ABCDEFGHabcdefgh0123456789-_") for _ in range(43))

    @contextmanager
    def of(self, own: random.Random) -> Iterator[None]:
        before, self.now = self.now, own
        try:
            yield
        finally:
            self.now = before


class World:
    """One of the two: a server, its luck, and the people at one table at a time."""

    def __init__(self, home: House, luck: Luck) -> None:
        self.home, self.luck, self.own = home, luck, random.Random(0)
        self.tables, self.sent = 0, [0, 0]  # by seat: the foe's number must not show in one's own

    async def sit(self, scenario: str) -> None:
        """Ada must not learn what Bo does in secret, nor may the onlooker or a stranger in the lobby."""
        self.tables += 1
        self.own = random.Random(self.tables)  # players draw salts too, and not equally often
        with self.luck.of(self.own):
            self.ada, self.bo = await Person(self.home).named("Ada"), await Person(self.home).named("Bo")
            self.eve = await Person(self.home).named("Eve")
            self.table = await self.ada.host("me", "open", scenario=scenario)
            await self.bo.get(f"/api/tables/{self.table}/join", {})
            self.lines = [await self.ada.sit(self.table, 0), await self.bo.sit(self.table, 1)]
            self.watch = await self.eve.sit(self.table, None)

    async def act(self, seat: int, act: str) -> str:
        """Through the socket; the kind of the answer."""
        with self.luck.of(self.own):
            self.sent[seat] += 1
            return str((await self.lines[seat].command(act, id=f"c{self.sent[seat]}", salt=""))["t"])

    async def probe(self, asked: random.Random) -> list[bytes]:
        """Everything Ada and the onlooker can learn now; what they were sent since the last time included."""
        with self.luck.of(self.own):
            for line in (self.lines[0], self.watch):
                await self._ask(line, asked)
            for person, seat in ((self.ada, "0"), (self.eve, "")):
                await person.ask(f"/api/tables/{self.table}/view?seat={seat}")
                await person.ask(f"/api/tables/{self.table}/options?seat={seat}")
                await person.ask("/api/tables")
            await self.eve.ask(f"/api/tables/{self.table}/view?seat=1")
            await self.ada.ask(f"/api/tables/{self.table}/options?seat=1")
            await self.eve.ask(f"/api/matches/{self.table}/replay")
            await self.eve.ask(f"/api/matches/{self.table}")
        heard = [*self.ada.heard, *self.eve.heard]
        self.ada.heard.clear()
        self.eve.heard.clear()
        return heard

    async def _ask(self, line: Player, asked: random.Random) -> None:
        await line.say({"t": "options"})
        for _ in range(PROBES):
            square = asked.choice("abcdefgh") + asked.choice("12345678")
            why = asked.choice([*WHYS, f"M@{square}", f"B@{square}", f"{square}-e5"])
            one: Message = asked.choice([
                {"t": "options", "at": f"cell/{square}"}, {"t": "options", "at": asked.choice(["turn", "palette/R"])},
                {"t": "preview", "act": why}, {"t": "why", "act": why}, {"t": "overlay", "which": "danger"},
                {"t": "resync", "have": asked.randrange(40)},
                {"t": "cmd", "id": "probe", "base": asked.randrange(90), "act": "nonsense"},
            ])  # fmt: skip
            await line.say(one)
        await line.say({"t": "ping", "n": 1})
        await line.next("pong")

    async def leave(self) -> None:
        for line in [*self.lines, self.watch]:
            await line.close()


def readable(pairs: list[tuple[bytes, bytes]]) -> str:
    return "\n".join(f"{one!r}\n{two!r}" for one, two in pairs if one != two)[:4_000]


class Twins:
    """Both worlds, step by step."""

    def __init__(self, one: World, two: World, chance: random.Random) -> None:
        self.both, self.chance, self.pairs = (one, two), chance, 0

    async def compare(self) -> None:
        asked = self.chance.getrandbits(60)
        heard = [await world.probe(random.Random(asked)) for world in self.both]
        assert len(heard[0]) == len(heard[1])
        assert heard[0] == heard[1], readable(list(zip(*heard, strict=True)))
        self.pairs += 1

    async def together(self, seat: int, act: str) -> None:
        answers = [await world.act(seat, act) for world in self.both]
        assert answers[0] == answers[1]

    async def open_table(self) -> None:
        for world in self.both:
            await world.sit("opening")
        await self.compare()
        position = (await self.both[0].home.table(self.both[0].table)).position
        assert position is not None
        await self.together(position.to_act[0], self.chance.choice(["attack", "defend"]))

    async def secret(self) -> None:
        """Bo does something in each world: not the same, nor equally often."""
        for world in self.both:
            for _ in range(self.chance.choice([0, 1, 1, 2])):
                table = await world.home.table(world.table)
                assert table.position is not None
                legal = [act for act in table.position.actions(1) if act != "ready"]
                back = self.chance.random() < 0.3 or not legal
                await world.act(1, "takeback" if back else self.chance.choice(legal))

    async def finish(self, seat: int, worlds: tuple[World, ...]) -> None:
        """The seat places what is left; only Bo's stands elsewhere in each world."""
        for world in worlds:
            table = await world.home.table(world.table)
            chance = self.chance if len(worlds) == 1 else random.Random(7)
            while table.position is not None and (legal := table.position.actions(seat)) != ["ready"]:
                assert await world.act(seat, chance.choice(legal)) == "ack"

    async def run(self, pairs: int) -> None:
        await self.open_table()
        is_last = self.chance.random() < 0.5  # Ada is ready before or after Bo
        for step in range(pairs):
            await self.secret()
            if self.chance.random() < 0.3 and not (is_last and step > pairs // 2):
                table = await self.both[0].home.table(self.both[0].table)
                assert table.position is not None
                if 0 in table.position.to_act and (legal := table.position.actions(0)) != ["ready"]:
                    await self.together(0, self.chance.choice(legal))
            await self.compare()
        for world in self.both:
            await self.finish(1, (world,))
        await self.together(1, "ready")
        await self.compare()
        if is_last:  # before the reveal Ada places on, and must not notice anything
            await self.finish(0, self.both)
            await self.compare()
        for world in self.both:
            await world.leave()


@asynccontextmanager
async def worlds(place: Path, luck: Luck) -> AsyncIterator[tuple[World, World]]:
    async with AsyncExitStack() as stack:
        homes = [await stack.enter_async_context(house(place / name)) for name in ("one", "two")]
        yield World(homes[0], luck), World(homes[1], luck)


def run(place: Path, patch: pytest.MonkeyPatch, tables: int) -> int:
    async def all_of_them() -> int:
        pairs, chance = 0, random.Random(tables)
        async with worlds(place, Luck(patch)) as (one, two):
            for _ in range(tables):
                twins = Twins(one, two, chance)
                await twins.run(PAIRS_A_TABLE)
                pairs += twins.pairs
        return pairs

    return asyncio.run(all_of_them())


def test_two_worlds_look_the_same_to_those_who_may_not_know(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(data, monkeypatch, 20) >= 500


@pytest.mark.deep
def test_ten_thousand_pairs_of_worlds(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(data, monkeypatch, 400) >= 10_000


def test_what_the_seat_itself_hears_would_be_caught(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of the test: Bo's own line differs."""

    async def once() -> None:
        async with worlds(data, Luck(monkeypatch)) as both:
            twins = Twins(*both, random.Random(3))
            await twins.open_table()
            for world in both:
                world.bo.heard.clear()
                world.ada.heard = world.bo.heard
            await both[0].act(1, "R@a8")
            await both[1].act(1, "R@b8")
            with pytest.raises(AssertionError):
                await twins.compare()

    asyncio.run(once())


def test_no_canary_leaves_the_house(data: Path) -> None:
    """Secrets of running matches, seeds of machines and maps, everybody's tokens: in no frame, page, file or log."""

    async def once() -> None:
        start_logs(data / "kept", terminal_level=100)
        everybody: list[Person] = []
        async with house(data / "kept") as home:
            people = [await Person(home).named(name) for name in ("Ada", "Bo", "Eve")]
            ada, bo, eve = people
            table = await ada.host("me", "open", scenario="opening")
            await bo.get(f"/api/tables/{table}/join", {})
            other = await eve.host("me", "machine:greedy", scenario="classic")
            lines = [await ada.sit(table, 0), await bo.sit(table, 1), await eve.sit(table, None)]
            play = await eve.sit(other, 0)
            tickets = [await bo.ticket(table, 1)]
            chance = random.Random(5)
            for _ in range(12):
                for line in (*lines[:2], play):
                    if line.may_act and (act := await line.choose(chance)):
                        await line.command(act)
                    await line.quiet()
            for person in people:
                for path in ("/", f"/t/{table}", f"/m/{table}", "/api/me", "/api/tables", "/api/games", "/nowhere"):
                    await person.ask(path, accept="text/html") if path[1:4] != "api" else await person.ask(path)
                for name in (table, other):
                    for path in (f"/api/matches/{name}", f"/api/matches/{name}/replay", f"/api/tables/{name}/view"):
                        await person.ask(path)
                await person.ask("/api/matches", {"text": "sandtable match 1\n"})
            records = [(await home.table(name)).record for name in (table, other)]
            assert {record.state for record in records} == {"running"}
            canaries = [text for record in records for text in (record.secret, str(record.machine_seed))]
            canaries += [str(record.map_seed) for record in records]
            canaries += [line[len("sandtable_guest=") :] for line in (person.cookie for person in people)]
            hashes = [seat.guest for record in records for seat in record.seats if seat.guest]
            heard = b"\n".join(piece for person in people for piece in person.heard if tickets[0].encode() not in piece)
            everybody = people
        end_logs()
        files = [path for path in (data / "kept").rglob("*") if path.is_file()]
        logs = b"\n".join(path.read_bytes() for path in files if "logs" in path.parts)
        tokens = [person.cookie.partition("=")[2] for person in everybody]
        kept = b"\n".join(path.read_bytes() for path in files)
        assert len(canaries) == 9
        assert all(len(canary) > 9 for canary in canaries)
        for canary in (*canaries, *hashes, *tickets):
            assert canary.encode() not in heard, canary
            assert canary.encode() not in logs, canary
        for token in tokens:
            assert token.encode() not in kept  # only its SHA-256 is
        assert b"Ada" not in logs
        assert json.loads(logs.splitlines()[0])["event"] if logs else True

    asyncio.run(once())
