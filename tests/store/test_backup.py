"""The folder as one file and back, by the functions and by the commands."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path

import pytest

import sandtable
from sandtable.cli import data
from sandtable.cli.parser import Parser
from sandtable.store.backup import back_up, restore
from sandtable.store.database import connect
from sandtable.store.doctor import examine
from sandtable.store.folder import DataFolder, Held
from sandtable.store.interface import Damaged, Newer, StoreError, Unfit
from sandtable.store.schema import VERSION
from sandtable.store.sqlite import SqliteStore
from tests.store.games import play
from tests.store.suite import TABLE, entry, table


def filled(place: Path, *names: str) -> Path:
    async def fill() -> None:
        with DataFolder.take(place) as folder:
            store = await SqliteStore.open(folder)
            for name in names:
                await store.create(table(name))
                await store.append(name, entry(0))
            await store.close()

    asyncio.run(fill())
    return place


def names(place: Path) -> list[str]:
    async def read() -> list[str]:
        store = await SqliteStore.look(place)
        heads = await store.index()
        await store.close()
        return [head.id for head in heads]

    return asyncio.run(read())


def put_back(source: Path, place: Path) -> Path | None:
    with DataFolder.take(place) as folder:
        return restore(source, folder)


def run(*typed: str | Path) -> int:
    """A command of cli/data.py as the command line would run it."""
    parser = Parser(prog="sandtable")
    data.add(parser.add_subparsers(parser_class=Parser, required=True))
    wanted: argparse.Namespace = parser.parse_args([str(word) for word in typed])
    code: int = wanted.run(wanted)
    return code


def test_there_and_back(tmp_path: Path) -> None:
    place, file = filled(tmp_path / "data", "AAAAA", "BBBBB"), tmp_path / "monday.db"
    back_up(place, file)
    filled(place, "CCCCC")
    kept = put_back(file, place)
    assert names(place) == ["AAAAA", "BBBBB"]
    assert kept is not None
    put_back(kept, place)
    assert names(place) == ["AAAAA", "BBBBB", "CCCCC"]
    assert sorted(path.name for path in place.iterdir()) == ["backups", "lock", "sandtable.db"]
    assert put_back(file, tmp_path / "new") is None
    assert names(tmp_path / "new") == ["AAAAA", "BBBBB"]


def test_a_backup_is_taken_while_a_server_writes(tmp_path: Path) -> None:
    async def both() -> None:
        with DataFolder.take(tmp_path / "data") as folder:
            store = await SqliteStore.open(folder)
            await store.create(TABLE)

            async def write() -> None:
                for number in range(400):
                    await store.append("K3V9X", entry(number))

            writing = asyncio.ensure_future(write())
            for n in range(5):
                await asyncio.to_thread(back_up, folder.path, tmp_path / f"{n}.db")
            await writing
            await store.close()

    asyncio.run(both())
    counts = []
    for n in range(5):
        put_back(tmp_path / f"{n}.db", tmp_path / f"data{n}")
        connection = connect(tmp_path / f"data{n}" / "sandtable.db", read_only=True)
        counts.append(connection.execute("SELECT count(*), max(number) + 1 FROM entries").fetchone())
        assert connection.execute("SELECT number FROM tables").fetchone()[0] == counts[-1][0]
        connection.close()
    assert counts == sorted(counts)
    assert all(count == (last or 0) for count, last in counts)


def test_an_older_backup_gives_way_and_nothing_else(tmp_path: Path) -> None:
    place, file = filled(tmp_path / "data", "AAAAA"), tmp_path / "monday.db"
    back_up(place, file)
    filled(place, "BBBBB")
    back_up(place, file)
    put_back(file, tmp_path / "new")
    assert names(tmp_path / "new") == ["AAAAA", "BBBBB"]
    (tmp_path / "letter.txt").write_text("Dear Ada")
    for bad in (tmp_path / "letter.txt", tmp_path, tmp_path / "none" / "x.db", place / "sandtable.db"):
        with pytest.raises(Unfit):
            back_up(place, bad)
    assert (tmp_path / "letter.txt").read_text() == "Dear Ada"
    with pytest.raises(Unfit, match="no matches"):
        back_up(tmp_path / "empty", file)
    assert not (tmp_path / "empty").exists()


def test_what_is_no_backup_is_not_put_back(tmp_path: Path) -> None:
    place = filled(tmp_path / "data", "AAAAA")
    back_up(place, tmp_path / "newer.db")
    with_version = connect(tmp_path / "newer.db")
    with_version.execute(f"PRAGMA user_version = {VERSION + 1}")
    with_version.close()
    back_up(place, tmp_path / "torn.db")
    torn = (tmp_path / "torn.db").read_bytes()
    (tmp_path / "torn.db").write_bytes(torn[: len(torn) // 2])
    (tmp_path / "letter.txt").write_text("Dear Ada")
    (tmp_path / "empty.db").write_text("")
    for name, error in {
        "newer.db": Newer, "torn.db": StoreError, "letter.txt": Damaged, "empty.db": Unfit, "none.db": Unfit,
    }.items():  # fmt: skip
        with pytest.raises(error):
            put_back(tmp_path / name, place)
    with pytest.raises(Unfit, match="itself"):
        put_back(place / "sandtable.db", place)
    assert names(place) == ["AAAAA"]


def test_damaged_matches_are_set_aside_as_they_are(tmp_path: Path) -> None:
    place, file = filled(tmp_path / "data", "AAAAA"), tmp_path / "monday.db"
    back_up(place, file)
    (place / "sandtable.db").write_bytes(b"nonsense" * 1_000)
    kept = put_back(file, place)
    assert names(place) == ["AAAAA"]
    assert kept is not None
    assert kept.read_bytes() == b"nonsense" * 1_000


def test_nothing_is_put_back_under_a_running_server(tmp_path: Path) -> None:
    place = filled(tmp_path / "data", "AAAAA")
    back_up(place, tmp_path / "monday.db")
    with DataFolder.take(place), pytest.raises(Held):
        run("restore", tmp_path / "monday.db", "--data", place)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, file = tmp_path / "data", tmp_path / "monday.db"

    async def fill() -> None:
        with DataFolder.take(place) as folder:
            store = await SqliteStore.open(folder)
            match = await play(store, "K3V9X", seed=1, plies=30)
            assert (await examine(store, sandtable.game)).rows == len(match.rows)
            await store.close()

    asyncio.run(fill())
    assert run("doctor", "--data", place) == 0
    assert capsys.readouterr().out.startswith("Matches: 1, rows: ")
    assert run("backup", "--data", place, file) == 0
    assert str(file) in capsys.readouterr().out
    breaking = connect(place / "sandtable.db")
    breaking.execute('UPDATE entries SET rows = \'[[0,"e1-e9",""]]\' WHERE number = 3')
    breaking.close()
    assert run("doctor", "--data", place) == 1
    assert capsys.readouterr().out.startswith("K3V9X: Row ")
    assert run("doctor", "--data", place, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["tables"], told["whole"], told["findings"][0]["code"]) == (False, 1, 0, "row")
    assert run("restore", file, "--data", place) == 0
    assert "is kept in" in capsys.readouterr().out
    assert run("doctor", "--data", place) == 0


def test_the_commands_find_the_usual_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "usual"))
    with pytest.raises(Unfit, match=r"no matches in .*usual"):
        run("doctor")
    assert not (tmp_path / "usual").exists()
