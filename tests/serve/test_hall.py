"""All tables: the lobby, tables that wait on the disk until somebody comes, and ones that cannot be read."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from sandtable.serve import hall as module
from sandtable.serve.hall import SIGNS, new_id, read_id
from sandtable.store.folder import DATABASE
from tests.serve.client import House, Person, house, pair, turns

Scene = Callable[[House], Coroutine[Any, Any, None]]


def within(data: Path, scene: Scene, **config: Any) -> None:
    async def opened() -> None:
        async with house(data, **config) as home:
            await scene(home)

    asyncio.run(opened())


def test_ids_have_no_look_alikes_and_are_read_in_any_case() -> None:
    assert not set("01IOLU") & set(SIGNS)
    for _ in range(100):
        name = new_id()
        assert read_id(name) == read_id(name.lower()) == read_id(f" {name[:2]}-{name[2:]} ") == name
    for bad in ("", "K3V9", "K3V9XX", "K3V9O", "../..", "K3V9\0", "ＫＫＫＫＫ", "²²²²²"):
        assert read_id(bad) is None


def test_the_lobby_shows_what_is_open_what_runs_and_what_is_mine(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, bo = await Person(home).named("Ada"), await Person(home).named("Bo")
        table = await ada.host("me", "open")
        hidden = await ada.host("me", "open", listed=False)
        assert {head["id"] for head in (await ada.get("/api/tables"))["mine"]} == {table, hidden}
        (head,) = (await bo.get("/api/tables"))["open"]
        assert (head["id"], head["state"], head["host"]) == (table, "open", False)
        assert [(seat["kind"], seat["name"], seat["you"]) for seat in head["seats"]] == [
            ("guest", "Ada", False), ("open", "", False),
        ]  # fmt: skip
        await bo.get(f"/api/tables/{table}/join", {})
        told = await bo.get("/api/tables")
        assert (told["open"], [head["id"] for head in told["mine"]]) == ([], [table])
        eve = await Person(home).get("/api/tables")
        assert [head["id"] for head in eve["running"]] == [table]
        await ada.get("/api/me", {"name": "Ada II"})
        assert (await bo.get("/api/tables"))["mine"][0]["seats"][0]["name"] == "Ada II"
        await ada.get(f"/api/tables/{hidden}/list", {"listed": True})
        assert [head["id"] for head in (await bo.get("/api/tables"))["open"]] == [hidden]
        await ada.get(f"/api/tables/{hidden}/close", {})
        assert (await bo.get("/api/tables"))["open"] == []

    within(data, scene)


def test_after_a_start_only_the_index_is_read_and_a_table_comes_when_touched(data: Path) -> None:
    async def scene() -> None:
        async with house(data) as home:
            players = [await pair(home) for _ in range(4)]
            for ada, bo in players:
                await turns(random.Random(1), 6, ada, bo)
                await ada.quiet()
            before = [(ada.table, ada.ver, ada.hash) for ada, _ in players]
        async with house(data) as home:
            assert home.hall.tables == {}
            assert len(home.hall.heads) == 4
            for (ada, _), (name, ver, digest) in zip(players, before, strict=True):
                ada.person.door = home
                replies = await asyncio.gather(*(ada.person.get(f"/api/tables/{name}/view?seat=0") for _ in range(5)))
                assert {(reply["ver"], reply["hash"]) for reply in replies} == {(ver, digest)}
            assert len(home.hall.tables) == 4

    asyncio.run(scene())


def test_machines_go_on_where_the_server_stopped(data: Path) -> None:
    async def scene() -> None:
        async with house(data) as home:
            ada = await Person(home).named("Ada")
            table = await ada.host("machine:random", "machine:random", scenario="classic")
        async with house(data) as home:
            ada.door = home
            watch = await ada.sit(table, None)
            before = watch.ver
            await watch.until(lambda player: player.ver > before + 5)

    asyncio.run(scene())


def test_a_table_that_cannot_be_read_stops_nobody_else(data: Path) -> None:
    async def scene() -> None:
        async with house(data) as home:
            ada, bo = await pair(home)
            await turns(random.Random(1), 6, ada, bo)
            eve = await Person(home).named("Eve")
            machine = await eve.host("me", "machine:random", scenario="classic")
            line = await eve.sit(machine, 0)
            await turns(random.Random(1), 3, line)
        with sqlite3.connect(data / DATABASE) as connection:
            columns = [row[1] for row in connection.execute("PRAGMA table_info(entries)")]
            assert "rows" in columns
            last = "SELECT max(number) FROM entries WHERE table_id = ?"
            for name in (ada.table, machine):
                (number,) = connection.execute(last, (name,)).fetchone()
                spoilt = ('[[0,"a1-h8",""]]', name, number)
                connection.execute("UPDATE entries SET rows = ? WHERE table_id = ? AND number = ?", spoilt)
            connection.execute("UPDATE tables SET to_act = '[1]' WHERE id = ?", (machine,))
        connection.close()
        async with house(data) as home:
            home.faults.clear()  # it has said so
            for person in (ada.person, eve):
                person.door = home
            for name in (ada.table, machine):
                for path in (f"/api/tables/{name}/view", f"/api/matches/{name}/replay"):
                    reply = await eve.ask(path)
                    assert (reply.status, reply.json["code"]) == (409, "paused"), reply.body
                reply = await eve.ask(f"/api/tables/{name}/ticket", {"seat": None})
                assert reply.status == 409
            assert len((await eve.get("/api/tables"))["mine"]) == 1
            one, other = await pair(home)
            assert await turns(random.Random(2), 4, one, other)

    asyncio.run(scene())


def test_what_is_over_leaves_the_memory_and_comes_back_when_asked_for(data: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "MOST_ENDED", 3)

    async def scene(home: House) -> None:
        ada = await Person(home).named("Ada")
        tables = []
        for _ in range(8):
            tables.append(await ada.host("me", "me", scenario="brief"))
            await ada.get(f"/api/tables/{tables[-1]}/cmd", {"seat": 0, "id": "x", "act": "resign"})
        assert len(home.hall.tables) <= 5
        for name in tables:
            assert (await ada.get(f"/api/matches/{name}/replay"))["result"]["reason"]
        assert len(home.hall.tables) <= 5
        new = await asyncio.gather(*(ada.get(f"/api/tables/{name}/rematch", {}) for name in tables))
        assert len({told["id"] for told in new}) == 8

    within(data, scene)
