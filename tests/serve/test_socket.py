"""One socket: how it opens and closes, who may say what through it, and that nobody is slowed down by another one."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandtable.serve import socket as module
from sandtable.serve.figures import Figures, Rate
from sandtable.store.interface import Seat
from tests.serve.client import Ended, House, Person, Player, Reply, closing, house, pair, turns

Scene = Callable[[House], Coroutine[Any, Any, None]]


def within(data: Path, scene: Scene, **config: Any) -> None:
    async def opened() -> None:
        async with house(data, **config) as home:
            await scene(home)

    asyncio.run(opened())


async def ended(player: Player) -> int:
    """The code it is closed with."""
    assert player.wire is not None
    return await closing(player.wire)


async def knock(home: House, *frames: str | bytes) -> int:
    """A socket without hello, or with a bad one: its close code."""
    wire = await home.socket({"x-sandtable": "1"})
    for frame in frames:
        await wire.send(frame)
    return await closing(wire)


def test_a_seat_comes_back_to_where_it_was(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, bo = await pair(home)
        chance = random.Random(2)
        assert ada.welcome["seal"]
        assert ada.welcome["you"] == 0
        assert ada.welcome["presence"]["seats"][0]["name"] == "Ada"
        while not bo.may_act:
            assert await turns(chance, 1, ada, bo)
            await bo.quiet()
        await ada.quiet()
        before = ada.ver
        await ada.close()
        assert await turns(chance, 2, bo)
        await ada.open()
        assert "snap" not in ada.resumed
        assert ada.ver > before
        ada.hash = "00000000"  # it drifted
        await ada.close()
        await ada.open()
        await ada.quiet()
        assert "snap" in ada.resumed

    within(data, scene)


def test_a_long_absence_is_made_up_for_without_losing_the_line(data: Path) -> None:
    """More events than an outbox holds messages."""

    async def scene(home: House) -> None:
        ada, bo = await pair(home, scenario="opening")
        mover = ada if ada.may_act else bo
        await mover.command("attack")
        other = bo if mover is ada else ada
        await other.until(lambda player: player.may_act)
        await mover.close()
        table = await home.table(ada.table)
        for _ in range(60):  # placing and taking back: nothing the other seat could know
            position = table.position
            assert position is not None
            assert other.seat is not None
            await other.command(position.actions(other.seat)[0])
            await other.command("takeback")
        await other.close()
        kept = (other.ver, other.scene)
        have = other.ver - 100
        digest = next(frame["hash"] for frame in other.frames if frame["t"] == "ev" and frame["ver"] == have)
        other.ver, other.scene, other.hash = have, {}, ""
        await other.open()  # nothing it could go on from: a snapshot
        assert (other.ver, other.scene) == kept
        await other.close()
        ticket = await other.person.ticket(other.table, other.seat)
        wire = await home.socket(other.person.headers)
        hello = {"t": "hello", "p": 1, "table": other.table, "ticket": ticket, "have": have}
        await wire.send(json.dumps(hello | {"hash": digest}))
        seen: list[int] = []
        while len(seen) < 100:
            frame = json.loads(await asyncio.wait_for(wire.receive(), 5))
            seen += [frame["ver"]] if frame["t"] == "ev" else []
        assert seen == list(range(have + 1, have + 101))
        await wire.close()

    within(data, scene)


def test_the_newest_tab_wins(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, _ = await pair(home)
        newer = await ada.person.sit(ada.table, 0)
        assert (await ada.next("bye"))["code"] == "moved"
        assert await ended(ada) == 4409
        assert newer.welcome["presence"]["seats"][0]["here"]

    within(data, scene)


def test_hello_comes_first_in_time_and_with_a_good_ticket(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(home: House) -> None:
        ada, _ = await pair(home)
        ticket = await ada.person.ticket(ada.table, 0)
        hello = {"t": "hello", "p": 1, "table": ada.table, "ticket": ticket}

        def said(**more: Any) -> str:
            return json.dumps(hello | more)

        assert await knock(home, said(p=2)) == 4426
        assert await knock(home, said(ticket="x")) == 4401
        assert await knock(home, '{"t":"ping"}') == 4400
        assert await knock(home, "nonsense") == 4400
        assert await knock(home, b"\x00\x01") == 1003
        monkeypatch.setattr(module, "HELLO_S", 0.05)
        assert await knock(home) == 4408
        monkeypatch.setattr(module, "HELLO_S", 5.0)
        assert await knock(home, said(table="22222")) == 4401  # a ticket is for one table
        assert await knock(home, said()) == 4401  # and was used up by that
        again = await ada.person.ticket(ada.table, 0)
        assert await knock(home, said(ticket=again), said(ticket=again)) == 4400  # hello twice

    within(data, scene)


def test_a_ticket_is_worth_nothing_once_the_seat_is_somebody_elses(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, bo = await pair(home)
        ticket = await bo.person.ticket(bo.table, 1)
        await bo.close()
        table = await home.table(ada.table)
        table.record = replace(table.record, seats=(table.record.seats[0], Seat("machine", "", "random")))
        hello = {"t": "hello", "p": 1, "table": bo.table, "ticket": ticket}
        assert await knock(home, json.dumps(hello)) == 4403

    within(data, scene)


ASKED = [
    {"t": "options"}, {"t": "options", "at": "turn"}, {"t": "preview", "act": "end"}, {"t": "why", "act": "end"},
    {"t": "overlay", "which": "danger"},
]  # fmt: skip


def test_an_onlooker_may_look_and_nothing_else(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, bo = await pair(home)
        eve = await (await Person(home).named("Eve")).sit(ada.table, None)
        assert eve.welcome["you"] is None
        before = await home.table(ada.table)
        number = before.number
        for asked in ASKED:
            await eve.say(asked)
            assert (await eve.next("nak"))["code"] == "gone"
        for act in ("resign", "draw", "takeback", "end", (await (ada if ada.may_act else bo).options())[0]):
            assert (await eve.command(act))["code"] == "not_your_turn"
        assert before.number == number
        await eve.say({"t": "resync"})
        assert (await eve.next("snap"))["hash"] == eve.hash
        await eve.say({"t": "ping", "n": 17})
        assert (await eve.next("pong"))["n"] == 17

    within(data, scene)


def test_each_role_and_each_door(data: Path) -> None:
    """Who may do what by HTTP: host, the seat opposite, a stranger, somebody without a cookie."""

    async def scene(home: House) -> None:
        ada, bo = await pair(home)
        roles = {"host": ada.person, "foe": bo.person, "stranger": await Person(home).named("Eve"), "nobody": None}
        running, unbegun = ada.table, await ada.person.host("me", "open")
        closing = [await ada.person.host("me", "open") for _ in roles]
        at, new = f"/api/tables/{running}", f"/api/tables/{unbegun}"
        act = {"id": "x", "act": "nonsense", "base": 0}
        allowed: dict[str, tuple[set[str], str, Any]] = {
            "ticket 0": ({"host"}, f"{at}/ticket", {"seat": 0}),
            "ticket 1": ({"foe"}, f"{at}/ticket", {"seat": 1}),
            "watch": (set(roles), f"{at}/ticket", {"seat": None}),
            "view 0": ({"host"}, f"{at}/view?seat=0", None),
            "view": (set(roles), f"{at}/view", None),
            "view 1": ({"foe"}, f"{at}/view?seat=1", None),
            "options 0": ({"host"}, f"{at}/options?seat=0", None),
            "cmd 0": ({"host"}, f"{at}/cmd", {"seat": 0, **act}),
            "cmd 1": ({"foe"}, f"{at}/cmd", {"seat": 1, **act}),
            "cmd 7": (set(), f"{at}/cmd", {"seat": 7, **act}),
            "cmd -1": (set(), f"{at}/cmd", {"seat": -1, **act}),
            "ticket -1": (set(), f"{at}/ticket", {"seat": -1}),
            "list": ({"host"}, f"{new}/list", {"listed": False}),
            "close begun": (set(), f"{at}/close", {}),
            "absent": (set(), f"{at}/absent", {"seat": 0, "do": "end"}),  # nobody is away for so long
            "rematch": (set(), f"{at}/rematch", {}),  # it is not over
            "match": (set(), f"/api/matches/{running}", None),
            "replay": (set(), f"/api/matches/{running}/replay", None),
        }
        for number, (role, person) in enumerate(roles.items()):
            for door, (may, path, body) in allowed.items():
                reply: Reply = await (person or Person(home)).ask(path, body)
                assert (reply.status == 200) == (role in may), (role, door, reply.status, reply.body)
                if reply.status != 200:
                    assert set(reply.json) == {"code", "clause", "say"}
            closed = await (person or Person(home)).ask(f"/api/tables/{closing[number]}/close", {})
            assert (closed.status == 200) == (role == "host")

    within(data, scene)


def test_who_never_reads_is_let_go_and_slows_nobody_down(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, bo = await pair(home, scenario="opening")
        slow = [await (await Person(home).named("Eve")).sit(ada.table, None) for _ in range(3)]
        for one in slow:
            one.wire.is_stuck = True  # type: ignore[union-attr]
        table = await home.table(ada.table)
        took = []
        for _ in range(200):
            begun = time.perf_counter()
            for one in slow:
                await one.say({"t": "resync"})
            await ada.quiet()
            took.append(time.perf_counter() - begun)
        assert sorted(took)[190] < 0.1
        for line in table.lines:
            assert line._outbox.qsize() <= module.MOST_WAITING + 1  # nothing piles up for who never reads
        for one in slow:
            one.wire.is_stuck = False  # type: ignore[union-attr]
            assert await ended(one) == 4413
        assert not bo.is_over

    within(data, scene)


def test_a_flood_is_cut_off_and_too_many_commands_are_told(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, bo = await pair(home)
        codes = []
        for _ in range(25):
            codes.append((await ada.command("nonsense")).get("code"))
        assert codes[:20] == [codes[0]] * 20
        assert codes[-1] == "too_fast"
        for _ in range(80):
            await ada.say({"t": "ping"})
        assert await ended(ada) == 1008
        await bo.say({"t": "ping"})
        await bo.next("pong")

    within(data, scene, limits=replace(Figures(), address_requests=Rate(1e9, 1e9)))


def test_eleven_sockets_of_one_guest_are_one_too_many(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, _ = await pair(home)
        watching = [await ada.person.sit(ada.table, None) for _ in range(9)]
        with pytest.raises(Ended):
            await ada.person.sit(ada.table, None)
        await watching.pop().close()
        await ada.person.sit(ada.table, None)

    within(data, scene, limits=replace(Figures(), address_requests=Rate(1e9, 1e9)))


def test_a_bad_frame_ends_the_line_with_a_sentence(data: Path) -> None:
    frames = [
        "{", "[]", "null", '"x"', '{"t":"cmd"}', '{"t":"cmd","id":1,"act":"end"}', '{"t":"nothing"}', "[" * 5_000,
        '{"t":"ping","more":1}', '{"t":"ping","n":1.5}', '{"t":"ping","n":NaN}', '{"a":' * 2_000 + "1" + "}" * 2_000,
    ]  # fmt: skip

    async def scene(home: House) -> None:
        ada, bo = await pair(home)
        for frame in frames:
            line = await ada.person.sit(ada.table, 0)
            await line.say(frame)
            refused = await line.next("nak")
            assert (refused["code"], refused["say"][-1]) == ("bad", ".")
            assert await ended(line) == 4400
        await bo.say({"t": "ping"})
        await bo.next("pong")

    within(data, scene)
