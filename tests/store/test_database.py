"""Opening what others left: older and newer versions, damage, other programs' files."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sandtable.store import database
from sandtable.store.database import connect, copy, faults, prepare, version_of
from sandtable.store.folder import DataFolder
from sandtable.store.interface import Damaged, Newer, StoreError, Unfit
from sandtable.store.schema import STEPS, VERSION
from sandtable.store.sqlite import SqliteStore
from tests.store.suite import TABLE, entry


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DataFolder]:
    """A folder with one table and 300 entries."""
    with DataFolder.take(tmp_path / "data") as taken:
        asyncio.run(_fill(taken))
    with DataFolder.take(tmp_path / "data") as taken:
        yield taken


async def _fill(folder: DataFolder) -> None:
    store = await SqliteStore.open(folder)
    await store.create(TABLE)
    await asyncio.gather(*(store.append("K3V9X", entry(number)) for number in range(300)))
    await store.close()


def execute(path: Path, statement: str) -> Any:
    with closing(connect(path)) as connection:
        return connection.execute(statement).fetchone()


async def _read(folder: DataFolder) -> int:
    store = await SqliteStore.open(folder)
    entries = (await store.load("K3V9X"))[1]
    await store.close()
    return len(entries)


def test_a_newer_folder_is_refused_and_left_alone(folder: DataFolder) -> None:
    execute(folder.database, f"PRAGMA user_version = {VERSION + 1}")
    before = folder.database.read_bytes()
    with pytest.raises(Newer, match=f"newer version of Sandtable .storage version {VERSION + 1}"):
        asyncio.run(SqliteStore.open(folder))
    assert folder.database.read_bytes() == before


def test_an_upgrade_keeps_a_backup(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "STEPS", (*STEPS, "ALTER TABLE tables ADD COLUMN chat TEXT NOT NULL DEFAULT ''"))
    monkeypatch.setattr(database, "VERSION", VERSION + 1)
    assert asyncio.run(_read(folder)) == 300
    assert execute(folder.database, "SELECT chat FROM tables") == ("",)
    (backup,) = (folder.path / "backups").iterdir()
    assert backup.name.startswith(f"before-version-{VERSION + 1}-")
    assert version_of(backup) == VERSION
    assert execute(backup, "SELECT count(*) FROM entries") == (300,)
    assert asyncio.run(_read(folder)) == 300  # the second start upgrades nothing
    assert len(list((folder.path / "backups").iterdir())) == 1


def test_a_step_that_fails_leaves_the_old_version_whole(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    step = "DELETE FROM entries; CREATE TABLE new (a); SELECT * FROM nowhere"
    monkeypatch.setattr(database, "STEPS", (*STEPS, step))
    monkeypatch.setattr(database, "VERSION", VERSION + 1)
    with pytest.raises(StoreError, match="could not be made ready"):
        asyncio.run(SqliteStore.open(folder))
    monkeypatch.undo()
    assert version_of(folder.database) == VERSION
    assert asyncio.run(_read(folder)) == 300


def test_other_programs_files_are_not_taken_over(folder: DataFolder) -> None:
    folder.database.unlink()
    with closing(sqlite3.connect(folder.database)) as connection:
        connection.execute("CREATE TABLE notes (a)")
    with pytest.raises(Unfit, match="another program"):
        prepare(folder)
    folder.database.write_bytes(b"sandtable match 1\n" * 100)
    with pytest.raises(Damaged, match="cannot be read as a database"):
        prepare(folder)


def test_after_a_fall_the_file_is_checked(folder: DataFolder) -> None:
    content = bytearray(folder.database.read_bytes())
    page = len(content) // 2 // 4096 * 4096
    content[page : page + 2048] = b"\x55" * 2048
    folder.database.write_bytes(content)
    folder.release(in_order=False)
    with DataFolder.take(folder.path) as fallen:
        assert fallen.was_unclean
        with pytest.raises(Damaged, match=r"is damaged .*sandtable restore"):
            asyncio.run(SqliteStore.open(fallen))


def test_records_that_make_no_sense_are_damaged_not_a_crash(folder: DataFolder) -> None:
    for number, rows in enumerate(("", "[", "[[0]]", "{}x", '[[0,"a","zz"]]', "[" * 5_000, "7", '[[0,"a",7]]')):
        execute(folder.database, f"UPDATE entries SET rows = '{rows}' WHERE number = {number}")
        with pytest.raises(Damaged, match=f"table K3V9X, entry {number}, cannot be read"):
            asyncio.run(_read(folder))
        execute(folder.database, f"UPDATE entries SET rows = '[]' WHERE number = {number}")
    execute(folder.database, "UPDATE tables SET seats = '[[1,2,3,4,5,6]]'")
    with pytest.raises(Damaged, match="table K3V9X cannot be read"):
        asyncio.run(_read(folder))


def test_entries_without_a_table_are_a_fault(folder: DataFolder) -> None:
    with closing(connect(folder.database)) as connection:
        assert faults(connection) == []
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM tables")
        assert faults(connection) == ["300 entries belong to no table"]


def test_a_copy_of_what_is_damaged_is_not_kept(folder: DataFolder, tmp_path: Path) -> None:
    execute(folder.database, "PRAGMA foreign_keys")  # leave no log behind
    with closing(connect(folder.database)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM tables")
    with pytest.raises(Damaged, match="was not copied"):
        copy(folder.database, tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_one_can_look_beside_the_one_who_writes(folder: DataFolder) -> None:
    async def both() -> None:
        store = await SqliteStore.open(folder)
        beside = await SqliteStore.look(folder.path)
        await store.append("K3V9X", entry(300))
        assert len((await beside.load("K3V9X"))[1]) == 301
        assert await beside.faults() == []
        with pytest.raises(StoreError, match="read only"):
            await beside.append("K3V9X", entry(301))
        await beside.close()
        await store.close()

    asyncio.run(both())


def test_there_is_nothing_to_look_at(tmp_path: Path) -> None:
    with pytest.raises(Unfit, match="no matches"):
        asyncio.run(SqliteStore.look(tmp_path))
    assert list(tmp_path.iterdir()) == []
