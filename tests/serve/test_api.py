"""The HTTP side: what people host, join and bring along, and what becomes of names, books and files nobody should."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.kit.digest import checksum
from sandtable.serve.figures import Figures, Rate
from tests.serve.client import House, Person, house, pair

Scene = Callable[[House], Coroutine[Any, Any, None]]
GAME = sandtable.game("tactics")


def within(data: Path, scene: Scene, **config: Any) -> None:
    async def opened() -> None:
        async with house(data, **config) as home:
            await scene(home)

    asyncio.run(opened())


def test_what_there_is_to_play(data: Path) -> None:
    async def scene(home: House) -> None:
        ada = Person(home)
        (game,) = (await ada.get("/api/games"))["games"]
        assert game["name"] == "tactics"
        assert [one["name"] for one in game["scenarios"]] == GAME.scenarios
        assert {player["name"] for player in game["players"]} >= {"greedy", "random"}
        for scenario in GAME.scenarios:
            shown = (await ada.get(f"/api/games/tactics/preview?scenario={scenario}&seed=7"))["scene"]
            assert shown["board"]["geometry"] == "square"
        assert (await ada.get("/api/games/tactics/rules"))["text"].startswith("#")
        assert (await ada.get("/api/games/tactics/rules?lang=es"))["text"].startswith("#")
        numbers = (await ada.get("/api/games/tactics/book?set.draw_after=50"))["numbers"]
        assert next(number for number in numbers if number["name"] == "draw_after")["value"] == 50
        for path in ("chess/rules", "tactics/rules?lang=xx", "tactics/preview?scenario=moon"):
            assert (await ada.ask(f"/api/games/{path}")).status in (400, 404)

    within(data, scene)


def test_names_with_markup_and_tricks_are_only_text(data: Path) -> None:
    async def scene(home: House) -> None:
        ada = Person(home)
        for given, kept in (
            ("Ada", "Ada"),
            ("  Ada \n Lovelace ", "Ada Lovelace"),
            ("\u202eadA\u2066", "adA"),
            ("A\u200bd\u200da\ufeff", "Ada"),
            ("e\u0301", "\u00e9"),
            ("<b onclick=x>&amp;</b>", "<b onclick=x>&amp;</b>"),
            ("javascript:alert(1)", "javascript:alert(1)"),
        ):
            assert (await ada.get("/api/me", {"name": given}))["name"] == kept
        for bad in ("", "   ", "\u202e\u200b", "\u0301\u0301", "x" * 25, "x" * 10_000, "\u2800", "\x00\x1b[2J"[:1]):
            reply = await ada.ask("/api/me", {"name": bad})
            assert (reply.status, reply.json["code"]) == (400, "bad"), bad
        await ada.get("/api/me", {"name": "<img src=x onerror=1>"})
        table = await ada.host("me", "open")
        line = await ada.sit(table, 0)
        assert line.welcome["presence"]["seats"][0]["name"] == "<img src=x onerror=1>"
        reply = await ada.ask("/api/tables")
        assert ("content-type", "application/json") in reply.headers
        assert ("x-content-type-options", "nosniff") in reply.headers

    within(data, scene)


def test_a_book_is_a_name_and_never_a_path(data: Path, tmp_path: Path) -> None:
    """What lies on the server's disk cannot be asked for, nor whether it is there."""
    there = tmp_path / "there.toml"
    there.write_text('title = "canary"\nmoon = 1\n')

    async def scene(home: House) -> None:
        ada = Person(home)
        answers = set()
        for path in (there, tmp_path / "gone.toml", Path("/etc/passwd"), tmp_path, Path("/dev/null")):
            body = {"game": "tactics", "seats": ["me", "open"], "book": str(path)}
            for reply in (
                await ada.ask("/api/tables", body),
                await ada.ask(f"/api/games/tactics/book?book={path}"),
                await ada.ask(f"/api/games/tactics/preview?book={path}"),
            ):
                assert reply.status == 400
                assert b"canary" not in reply.body
                assert b"moon" not in reply.body
                answers.add(reply.json["code"])
        assert answers == {"unknown"}
        assert (await ada.ask("/api/tables", {"game": str(there), "seats": ["me", "open"]})).status == 400
        assert (await ada.ask("/api/tables", {"game": "tactics", "seats": ["me", f"machine:{there}"]})).status == 400

    within(data, scene)


def test_wrong_wishes_get_a_code_and_a_sentence(data: Path) -> None:
    wishes: list[dict[str, Any]] = [
        {"game": "chess"}, {"seats": []}, {"seats": ["me"]}, {"seats": ["me"] * 50}, {"seats": ["me", "you"]},
        {"seats": ["me", "machine:god"]}, {"scenario": "moon"}, {"seed": -1}, {"seed": 1 << 63}, {"set": {"x": 1}},
        {"set": {"draw_after": 0}}, {"set": {"draw_after": 1.5}}, {"set": {"draw_after": "9"}}, {"set": {"army": []}},
        {"set": {"army": [[[[[]]]]]}}, {"listed": 1}, {"more": True}, {"set": {"draw_after": 10**30}},
    ]  # fmt: skip

    async def scene(home: House) -> None:
        ada = Person(home)
        for wish in wishes:
            reply = await ada.ask("/api/tables", {"game": "tactics", "seats": ["me", "open"]} | wish)
            assert reply.status == 400, wish
            assert reply.json["say"].endswith("."), wish
        for body in (b"{", b"[]", b"\xff", b"[" * 60_000, b'{"name":' * 30 + b"1" + b"}" * 30):
            assert (await ada.ask("/api/me", body)).status == 400
        assert (await ada.ask("/api/me", b"x" * 70_000)).status == 413
        assert (await ada.get("/api/tables"))["mine"] == []

    within(data, scene)


def test_many_who_join_at_once_find_one_seat(data: Path) -> None:
    """More at once than the table's queue holds: everybody is answered, one of them sits."""

    async def scene(home: House) -> None:
        ada = Person(home)
        table = await ada.host("me", "open")
        crowd = [await Person(home).named(f"P{n}") for n in range(150)]
        replies = await asyncio.gather(*(person.ask(f"/api/tables/{table}/join", {}) for person in crowd))
        assert [reply.status for reply in replies].count(200) == 1
        assert {reply.status for reply in replies} <= {200, 409, 503}
        record = (await home.table(table)).record
        assert record.state == "running"

    within(data, scene)


def test_both_ask_for_a_rematch_at_once_and_get_the_same_table(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, bo = await pair(home)
        assert (await ada.command("resign"))["t"] == "ack"
        path = f"/api/tables/{ada.table}/rematch"
        replies = await asyncio.gather(*(one.person.get(path, {}) for one in (ada, bo, ada, bo)))
        assert len({reply["id"] for reply in replies}) == 1
        new = (await home.table(replies[0]["id"])).record
        old = (await home.table(ada.table)).record
        assert [seat.guest for seat in new.seats] == [seat.guest for seat in reversed(old.seats)]
        assert new.secret != old.secret
        assert {seat.seed for seat in new.seats}.isdisjoint(seat.seed for seat in old.seats)
        assert len(home.hall.heads) == 2

    within(data, scene)


def test_closing_and_joining_at_once_leaves_a_table_that_is_one_or_the_other(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, bo = await Person(home).named("Ada"), await Person(home).named("Bo")
        for _ in range(10):
            table = await ada.host("me", "open")
            closed, joined = await asyncio.gather(
                ada.ask(f"/api/tables/{table}/close", {}), bo.ask(f"/api/tables/{table}/join", {})
            )
            record, entries = await home.hall.store.load(table)
            assert record.state == (await home.table(table)).record.state
            assert (closed.status, joined.status) in ((200, 409), (409, 200))
            assert (record.state, len(entries)) in (("closed", 0), ("running", 1))

    within(data, scene)


def test_guessing_at_ids_is_slowed_down_and_hosting_too(data: Path) -> None:
    async def scene(home: House) -> None:
        eve = Person(home)
        known = await eve.host("me", "open")
        codes = [(await eve.ask(f"/api/tables/2222{sign}/view")).status for sign in "23456789ABCDEF"]
        assert codes[:10] == [404] * 10
        assert codes[-1] == 429
        assert (await eve.ask("/t/22222", accept="text/html")).status == 429
        assert (await eve.ask(f"/api/tables/{known.lower()}/view")).status == 200
        wish = {"game": "tactics", "seats": ["me", "open"]}
        hosted = [(await eve.ask("/api/tables", wish)).status for _ in range(25)]
        assert hosted.count(200) == 19
        assert hosted[-1] == 429

    within(data, scene, limits=replace(Figures(), address_requests=Rate(1e9, 1e9)))


# ---------------------------------------------------------------- files


def played(rows: int = 60) -> str:
    """A match in progress, as a file."""
    position = GAME.deal("classic", seed=11)
    player = sandtable.player("greedy", seed=1)
    while len(position.rows) < rows and position.to_act:
        seat = position.to_act[0]
        position.play(player.choose(position.seen(seat), seat), seat)
    return str(position.match().text())


def summed(lines: list[str]) -> str:
    body = "\n".join(lines) + "\n"
    return f"{body}sum {checksum(body)}\n"


def lines_of(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")[:-1]


def test_a_file_can_be_brought_and_looked_at(data: Path) -> None:
    async def scene(home: House) -> None:
        ada = Person(home)
        text = played()
        brought = (await ada.get("/api/matches", {"text": text}))["id"]
        assert (await ada.ask(f"/api/matches/{brought}")).body.decode() == text
        told = await ada.get(f"/api/matches/{brought}/replay")
        assert len(told["plies"]) == len([line for line in lines_of(text) if line[0].isdigit()])
        assert [seat["kind"] for seat in told["seats"]] == ["open", "open"]
        for body in ({"seat": 0}, {}):
            assert (await ada.ask(f"/api/tables/{brought}/join", body)).status == 409
        assert (await ada.ask(f"/api/tables/{brought}/cmd", {"seat": 0, "id": "x", "act": "end"})).status == 403

    within(data, scene)


def test_a_file_illegal_at_row_37_names_its_line(data: Path) -> None:
    async def scene(home: House) -> None:
        ada = Person(home)
        lines = lines_of(played())
        at = next(n for n, line in enumerate(lines) if line.startswith("37 "))
        lines[at] = f"37 {lines[at].split()[1]} a1-h8" if lines[at].split()[1] != "-" else "37 0 a1-h8"
        reply = await ada.ask("/api/matches", {"text": summed(lines)})
        assert (reply.status, reply.json["code"]) == (400, "bad")
        assert f"line {at + 1}" in reply.json["say"]
        assert (await ada.get("/api/tables"))["running"] == []
        assert home.hall.heads == {}

    within(data, scene)


def test_broken_and_huge_files_are_refused(data: Path) -> None:
    text = played()
    lines = lines_of(text)
    broken = [
        "", "nonsense", text[:-3], text.replace("\n", "\r\n"), text + "more\n", text.replace("map 11", "map 12"),
        summed(lines[:1] + lines[2:]), summed([*lines[:3], *lines[4:]]), summed([*lines, "result 1 2 guard"]),
        text.replace("tactics", "chess"), text.replace("seats 2", "seats 9"), "\0" * 100, "sandtable match 2\n",
        summed([*lines[:2], "set army " + "[" * 900 + "]" * 900, *lines[2:]]), "sandtable match 1\n" * 20_000,
        summed([lines[0], lines[1].replace(re.search(r"map \d+", lines[1])[0], "map 9" + "9" * 18), *lines[2:]]),  # type: ignore[index]
    ]  # fmt: skip

    async def scene(home: House) -> None:
        ada = Person(home)
        for bad in broken:
            reply = await ada.ask("/api/matches", {"text": bad})
            assert reply.status == 400, bad[:80]
            assert reply.json["say"].endswith(".")
            assert len(reply.json["say"]) < 600
        reply = await ada.ask("/api/matches", {"text": "x" * (1 << 20)})
        assert reply.status == 413
        assert home.hall.heads == {}

    within(data, scene)


def endless(pairs: int) -> str:
    """A file in which one seat places a piece and takes it back, thousands of times."""
    position = GAME.deal("opening", seed=3)
    position.play("attack", position.to_act[0])
    lines = lines_of(str(position.match().text()))
    place = position.actions(0)[0]
    number = len(position.rows)
    for n in range(pairs):
        lines += [f"{number + 2 * n} 0 {place}", f"{number + 2 * n + 1} 0 takeback {number + 2 * n}"]
    return summed(lines)


@pytest.mark.parametrize("pairs", [500, 15_000])
def test_a_file_that_takes_for_ever_holds_up_nobody(data: Path, pairs: int) -> None:
    """Legal or too long: whoever plays meanwhile notices nothing."""

    async def scene(home: House) -> None:
        ada, bo = await pair(home)
        text = endless(pairs)
        assert len(text) < 1 << 20
        eve = await Person(home).named("Eve")
        bringing = asyncio.create_task(eve.ask("/api/matches", {"text": text}))
        slowest = 0.0
        clock = asyncio.get_running_loop().time
        while not bringing.done():
            begun = clock()
            await ada.quiet()
            slowest = max(slowest, clock() - begun)
            await asyncio.sleep(0.01)
        assert bringing.result().status in (200, 400)
        assert slowest < 1.0
        assert bo.wire is not None

    within(data, scene)


def test_an_import_that_was_cut_short_leaves_a_whole_match(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store fails in the middle, as a kill would: what is there is a shorter match, not a broken one."""

    async def scene(home: House) -> None:
        ada, store, count = Person(home), home.hall.store, 0
        append = store.append

        async def fails(*given: Any, **more: Any) -> None:
            nonlocal count
            count += 1
            if count > 7:
                raise asyncio.CancelledError
            await append(*given, **more)

        position = GAME.deal("brief", seed=4)
        while position.to_act:
            act = position.actions(position.to_act[0])[0] if len(position.rows) < 40 else "resign"
            position.play(act, position.to_act[0])
        monkeypatch.setattr(store, "append", fails)
        with pytest.raises(asyncio.CancelledError):
            await ada.ask("/api/matches", {"text": position.match().text()})

    within(data, scene)

    async def look() -> None:
        from sandtable.store.doctor import examine
        from sandtable.store.sqlite import SqliteStore

        store = await SqliteStore.look(data)
        report = await examine(store, sandtable.game)
        await store.close()
        assert report.ok, report.sentences

    asyncio.run(look())


def test_a_running_match_shows_neither_file_nor_replay(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, _ = await pair(home)
        for path in (f"/api/matches/{ada.table}", f"/api/matches/{ada.table}/replay"):
            reply = await ada.person.ask(path)
            assert (reply.status, reply.json["code"]) == (403, "running")
        await ada.command("resign")
        told = await ada.person.get(f"/api/matches/{ada.table}/replay")
        assert told["result"]["reason"]
        assert json.dumps(told["seal"]["secret"])
        assert sandtable.read_match(told["file"]).verify().ok

    within(data, scene)
