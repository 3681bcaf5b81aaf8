"""A table: what is played there, who sits, what comes back after a cut line or a new start (P5), and that every match
that ends verifies while a forged one does not (P7)."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.kit.digest import checksum
from sandtable.protocol.errors import SandtableError
from sandtable.serve import table as module
from sandtable.store.errors import StoreError
from tests.serve.client import House, Message, Person, Player, house, pair, turns

Scene = Callable[[House], Coroutine[Any, Any, None]]


def within(data: Path, scene: Scene, **config: Any) -> None:
    async def opened() -> None:
        async with house(data, **config) as home:
            await scene(home)

    asyncio.run(opened())


async def is_true(home: House, player: Player) -> None:
    """What the player rebuilt is what the server has."""
    seat = "" if player.seat is None else player.seat
    told = await player.person.get(f"/api/tables/{player.table}/view?seat={seat}")
    table = await home.table(player.table)
    assert table.position is not None
    assert told["scene"] == table.position.view(player.seat) == player.scene
    assert (told["ver"], told["hash"]) == (player.ver, player.hash)


# ---------------------------------------------------------------- P5: the line cut and the server new at every step


async def step(player: Player, chance: random.Random, cut: str) -> Message:
    """One command, with the line cut before it arrives, before its answer, or in the middle of its events."""
    wish = player.wish(await player.choose(chance))
    if cut == "before":
        await player.close()
    else:
        await player.say(wish)
        if cut == "amid":
            while (await player.next())["t"] != "ack":
                pass
        await player.close()
    return wish


@pytest.mark.parametrize("cut", ["before", "unread", "amid"])
@pytest.mark.parametrize("is_restarted", [False, True])
def test_whatever_is_cut_at_any_step_everybody_is_back_where_he_was(data: Path, cut: str, is_restarted: bool) -> None:
    async def scripted() -> None:
        chance, steps, is_over = random.Random(6), 0, False
        players: list[Player] = []
        while not is_over:
            async with house(data) as home:
                if not players:
                    players = list(await pair(home, scenario="classic"))
                    players.append(await (await Person(home).named("Eve")).sit(players[0].table, None))
                for player in players:
                    player.person.door = home
                    if player.wire is None:
                        await player.open()
                while True:
                    for player in players:
                        await player.quiet()
                        await is_true(home, player)
                    acting = next((player for player in players[:2] if player.may_act and not player.is_over), None)
                    if acting is None or steps >= 36:
                        is_over = True
                        break
                    before, wish = acting.ver, await step(acting, chance, cut)
                    steps += 1
                    if is_restarted and steps % 2:
                        break
                    await acting.open()
                    answer = await acting.deliver(wish)
                    assert (answer["t"], answer["ver"] > before) == ("ack", True)
                for player in players:
                    await player.close()
            if is_restarted and not is_over:
                async with house(data) as home:  # once more, and now the command is sent again
                    acting.person.door = home  # type: ignore[union-attr]
                    await acting.open()  # type: ignore[union-attr]
                    answer = await acting.deliver(wish)  # type: ignore[union-attr]
                    assert (answer["t"], answer["ver"] > before) == ("ack", True)
                    await acting.close()  # type: ignore[union-attr]
        assert steps == 36  # nobody takes a Guard by random moves so soon

    asyncio.run(scripted())


# ---------------------------------------------------------------- P7


def resummed(text: str, old: str, new: str) -> str:
    """One thing changed, and the sum made right again."""
    body = text.rstrip("\n").rpartition("\n")[0].replace(old, new, 1) + "\n"
    return f"{body}sum {checksum(body)}\n"


def forgeries(text: str) -> list[str]:
    """The file with an action, a die, a salt, a seed or the secret changed: the first of each, and the last."""
    lines = text.split("\n")
    forged = []

    def other_hex(line: str, at: int) -> str:
        return line[:at] + ("0" if line[at] != "0" else "1") + line[at + 1 :]

    for pattern, spoil in (
        (r"\d+ - roll", lambda line: re.sub(r"roll (\d) (\d)", lambda f: f"roll {7 - int(f[1])} {f[2]}", line)),
        (r"seed \d [0-9a-f]+", lambda line: other_hex(line, len(line) - 1)),
        (r"secret ", lambda line: other_hex(line, len(line) - 1)),
        (r"dice seal", lambda line: other_hex(line, len("dice seal "))),
        (r"\d+ \d attack", lambda line: line.replace("attack", "defend")),
        (r"\d+ \d defend", lambda line: line.replace("defend", "attack")),
    ):  # fmt: skip
        found = [line for line in lines if re.match(pattern, line)]
        for line in {found[0], found[-1]} if found else set():
            if spoil(line) != line:
                forged.append(resummed(text, line, spoil(line)))
    salted = [re.sub("  salt (.)", lambda f: f"  salt {'1' if f[1] == '0' else '0'}", line) for line in lines[:-2]]
    assert salted != lines[:-2]  # all of them: one alone might give the same roll again
    body = "\n".join(salted) + "\n"
    return [*forged, f"{body}sum {checksum(body)}\n"]


def test_every_match_that_ends_verifies_and_no_forgery_does(data: Path) -> None:
    async def scene(home: House) -> None:
        for seed in range(4):
            ada, bo = await pair(home, scenario=("random", "classic")[seed % 2], seed=seed)
            chance = random.Random(seed)
            await turns(chance, 50, ada, bo)
            if not ada.is_over:
                await ada.command("resign")
            text = (await ada.person.ask(f"/api/matches/{ada.table}")).body.decode()
            match = sandtable.read_match(text)
            assert match.verify().ok
            assert match.match_id == ada.table
            assert match.dice.split()[1] == ada.welcome["seal"]  # published before anybody sat down
            forged = forgeries(text)
            assert len(forged) >= 6
            for bad in forged:
                with suppress(SandtableError):  # it does not even read
                    assert not sandtable.read_match(bad).verify().ok
            replay = await ada.person.get(f"/api/matches/{ada.table}/replay")
            assert replay["file"] == text
            assert replay["seal"]["commitment"] == ada.welcome["seal"]

    within(data, scene)


# ---------------------------------------------------------------- at the table


def test_taking_back_and_offering_a_draw(data: Path) -> None:
    async def scene(home: House) -> None:
        ada, bo = await pair(home, scenario="opening")
        chooser = ada if ada.may_act else bo
        await chooser.command("attack")
        await ada.quiet()
        for _ in range(3):
            await ada.command(await ada.choose(random.Random(1)))
        await bo.quiet()
        seen = bo.ver
        back = await ada.command("takeback turn")
        assert back["t"] == "ack"
        assert not any(key.startswith("unit/") for key in ada.scene)
        await bo.quiet()
        assert bo.ver == seen  # neither the placing nor the taking back
        assert (await ada.command("takeback"))["code"] == "illegal"
        assert (await ada.command("draw"))["t"] == "ack"
        await bo.until(lambda player: "offer" in player.scene)
        assert (await ada.command("draw"))["code"] == "illegal"
        assert (await bo.command("draw"))["t"] == "ack"
        await ada.until(lambda player: player.is_over)
        assert (ada.state, bo.state) == ("drew", "drew")
        assert (await ada.command("resign"))["code"] == "over"

    within(data, scene)


def test_two_machines_play_to_the_end_and_are_watched(data: Path) -> None:
    async def scene(home: House) -> None:
        eve = await Person(home).named("Eve")
        table = await eve.host("machine:random", "machine:greedy", scenario="brief")
        watch = await eve.sit(table, None)
        async with asyncio.timeout(20):
            await watch.until(lambda player: player.is_over)
        await watch.quiet()
        await is_true(home, watch)

    within(data, scene)


def test_an_absent_seat_is_given_to_a_machine_or_ended(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(home: House) -> None:
        for do in ("machine:random", "end"):
            monkeypatch.setattr(module, "ABSENT_S", 180)
            ada, bo = await pair(home)
            absent = f"/api/tables/{ada.table}/absent"
            await bo.close()
            assert (await ada.person.ask(absent, {"seat": 1, "do": do})).status == 409
            monkeypatch.setattr(module, "ABSENT_S", 0)
            assert (await ada.person.ask(absent, {"seat": 0, "do": do})).status == 409  # who is here
            assert (await Person(home).ask(absent, {"seat": 1, "do": do})).status == 403
            assert (await ada.person.ask(absent, {"seat": 1, "do": "machine:god"})).status == 409
            assert (await ada.person.ask(absent, {"seat": 1, "do": do})).status == 200
            if do == "end":
                await ada.until(lambda player: player.is_over)
                assert ada.state == "won"
            else:
                assert (await bo.person.ask(f"/api/tables/{ada.table}/ticket", {"seat": 1})).status == 403

    within(data, scene)


def test_who_does_not_come_back_after_a_restart_counts_as_away(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with house(data) as home:
            ada, bo = await pair(home)
        async with house(data) as home:
            ada.person.door = bo.person.door = home
            await ada.open()
            monkeypatch.setattr(module, "ABSENT_S", 0)
            absent = f"/api/tables/{ada.table}/absent"
            assert (await ada.person.ask(absent, {"seat": 1, "do": "machine:random"})).status == 200

    asyncio.run(scene())


def test_a_closed_table_stays_closed_after_a_restart(data: Path) -> None:
    async def scene() -> None:
        async with house(data) as home:
            ada = await Person(home).named("Ada")
            table = await ada.host("me", "open")
            await ada.get(f"/api/tables/{table}/close", {})
            assert (await ada.ask(f"/api/tables/{table}/join", {"seat": 1})).status == 409
        async with house(data) as home:
            ada.door = home
            act = {"seat": 0, "id": "x", "act": "resign"}
            assert (await ada.get(f"/api/tables/{table}/cmd", act))["code"] == "over"
            assert (await home.table(table)).record.state == "closed"

    asyncio.run(scene())


@pytest.mark.parametrize("is_stored", [False, True])
def test_a_store_that_fails_is_told_and_what_it_holds_counts(
    data: Path, monkeypatch: pytest.MonkeyPatch, is_stored: bool
) -> None:
    """Not stored means not played; stored and not told means played, once."""

    async def scene(home: House) -> None:
        ada, bo = await pair(home)
        mover, other = (ada, bo) if ada.may_act else (bo, ada)
        wish = mover.wish(await mover.choose(random.Random(1)))
        append = home.hall.store.append

        async def fails(*given: Any, **more: Any) -> None:
            if is_stored:
                await append(*given, **more)
            raise StoreError("The disk is full.")

        monkeypatch.setattr(home.hall.store, "append", fails)
        answer = await mover.deliver(wish)
        assert (answer["t"], answer["code"]) == ("nak", "internal")
        monkeypatch.setattr(home.hall.store, "append", append)
        assert (await mover.deliver(wish))["t"] == "ack"
        assert (await mover.deliver(wish))["t"] == "ack"
        entries = (await home.hall.store.load(ada.table))[1]
        assert [entry.command_id for entry in entries].count(wish["id"]) == 1
        for player in (mover, other):
            if is_stored:  # nobody was told of it when it happened: a new line makes up for that
                await player.close()
                await player.open()
            await player.quiet()
            await is_true(home, player)

    within(data, scene)


def test_a_hot_seat_plays_both_sides(data: Path) -> None:
    async def scene(home: House) -> None:
        ada = await Person(home).named("Ada")
        table = await ada.host("me", "me", scenario="brief")
        lines = [await ada.sit(table, 0), await ada.sit(table, 1)]
        assert await turns(random.Random(8), 10, *lines) > 5
        assert (await ada.get(f"/api/tables/{table}/join", {}))["seat"] == 0

    within(data, scene)
