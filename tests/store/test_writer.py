"""The writing thread: what is answered is on the disk, one failure is one failure, a quiet moment tidies up."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sandtable.store.database import connect
from sandtable.store.folder import DataFolder
from sandtable.store.interface import Conflict, StoreError
from sandtable.store.sqlite import SqliteStore
from tests.store.suite import TABLE, entry, table


def run(place: Path, step: Callable[[SqliteStore], Awaitable[Any]], **options: Any) -> None:
    async def whole() -> None:
        with DataFolder.take(place) as folder:
            store = await SqliteStore.open(folder, **options)
            try:
                await step(store)
            finally:
                await store.close()

    asyncio.run(whole())


def stored(place: Path) -> int:
    """Entries that another process would find now."""
    with closing(connect(place / "sandtable.db", read_only=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM entries").fetchone()[0])


def test_an_answer_comes_after_the_commit(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.create(TABLE)
        waiting = asyncio.ensure_future(store.append("K3V9X", entry(0)))
        while not waiting.done():
            # looked at before: what is answered must have been there, what is not there must not be answered
            seen, answered = stored(tmp_path), waiting.done()
            assert seen == 1 or not answered
            await asyncio.sleep(0.005)
        await waiting
        assert stored(tmp_path) == 1

    run(tmp_path, step, sync_delay_ms=60.0)


def test_many_moves_share_a_commit(tmp_path: Path) -> None:
    told: list[str] = []

    async def step(store: SqliteStore) -> None:
        names = [f"T{n:04}" for n in range(100)]
        await asyncio.gather(*(store.create(table(name)) for name in names))
        assert store._writer is not None
        store._writer._connection.set_trace_callback(told.append)
        for number in range(10):
            await asyncio.gather(*(store.append(name, entry(number)) for name in names))

    run(tmp_path, step, sync_delay_ms=5.0)
    assert 10 <= sum(line.startswith("COMMIT") for line in told) <= 30  # not 1,000


def test_the_log_is_synced_at_every_commit(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        assert store._writer is not None
        ask = store._writer._connection.execute
        assert ask("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert ask("PRAGMA journal_mode").fetchone() == ("wal",)
        assert ask("PRAGMA foreign_keys").fetchone() == (1,)
        assert ask("PRAGMA busy_timeout").fetchone() == (5_000,)

    run(tmp_path, step)


def test_one_failure_in_a_commit_spoils_nobody_elses(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        for name in ("AAAAA", "BBBBB"):
            await store.create(table(name))
        blocked = asyncio.ensure_future(store.append("AAAAA", entry(0)))  # keeps the writer busy: the rest is one batch
        await asyncio.sleep(0.01)
        results = await asyncio.gather(
            store.append("AAAAA", entry(1)),
            store.append("BBBBB", entry(7), state="over"),
            store.append("BBBBB", entry(0, 0, "\ud800"), state="over"),  # no text at all: refused by the database
            store.append("AAAAA", entry(2)),
            store.append("BBBBB", entry(0)),
            return_exceptions=True,
        )
        await blocked
        assert [type(result) for result in results] == [type(None), Conflict, StoreError, type(None), type(None)]
        assert len((await store.load("AAAAA"))[1]) == 3
        record, entries = await store.load("BBBBB")
        assert (record.state, entries) == ("running", [entry(0)])

    run(tmp_path, step, sync_delay_ms=50.0)


def test_a_failed_commit_fails_all_in_it_and_the_next_goes_on(tmp_path: Path) -> None:
    def orphan(connection: sqlite3.Connection) -> None:
        """Breaks the transaction's COMMIT, not this piece of work."""
        connection.execute("PRAGMA defer_foreign_keys = ON")
        connection.execute("INSERT INTO entries VALUES ('NOONE', 0, NULL, '', '[]', '', 0)")

    async def step(store: SqliteStore) -> None:
        await store.create(TABLE)
        assert store._writer is not None
        blocked = asyncio.ensure_future(store.append("K3V9X", entry(0)))
        await asyncio.sleep(0.01)
        failing = store._writer.submit(orphan)
        results = await asyncio.gather(store.append("K3V9X", entry(1)), failing, blocked, return_exceptions=True)
        assert [type(result) for result in results] == [StoreError, StoreError, type(None)]
        assert "FOREIGN KEY" in str(results[0])
        assert (await store.load("K3V9X"))[1] == [entry(0)]
        await store.append("K3V9X", entry(1))

    run(tmp_path, step, sync_delay_ms=50.0)


def test_who_stops_waiting_does_not_stop_the_others(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.create(TABLE)
        impatient = asyncio.ensure_future(store.append("K3V9X", entry(0)))
        await asyncio.sleep(0)
        impatient.cancel()
        await store.append("K3V9X", entry(1))  # entry 0 was under way and is stored

    run(tmp_path, step, sync_delay_ms=30.0)


def test_the_loop_runs_on_while_the_disk_is_slow(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.create(TABLE)
        waiting = asyncio.ensure_future(store.append("K3V9X", entry(0)))
        turns = 0
        while not waiting.done():
            await asyncio.sleep(0.001)
            turns += 1
        assert turns > 10

    run(tmp_path, step, sync_delay_ms=100.0)


def test_a_quiet_moment_empties_the_log(tmp_path: Path) -> None:
    log = tmp_path / "sandtable.db-wal"

    async def step(store: SqliteStore) -> None:
        await store.create(TABLE)
        await store.append("K3V9X", entry(0))
        until = time.monotonic() + 5
        while log.stat().st_size and time.monotonic() < until:
            await asyncio.sleep(0.01)
        assert log.stat().st_size == 0
        await store.append("K3V9X", entry(1))
        assert log.stat().st_size > 0

    run(tmp_path, step, idle_s=0.05)
    assert not log.exists()  # closed in order: one file


def test_a_reader_in_the_way_does_not_hold_up_moves(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        await store.create(TABLE)
        with closing(connect(tmp_path / "sandtable.db", read_only=True)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entries").fetchone()
            await store.append("K3V9X", entry(0))
            await asyncio.sleep(0.03)  # the quiet moment comes, and cannot empty the log
            began = time.monotonic()
            await store.append("K3V9X", entry(1))
            assert time.monotonic() - began < 2

    run(tmp_path, step, idle_s=0.01)


@pytest.mark.alone
def test_a_start_reads_the_heads_of_50_000_tables_quickly(tmp_path: Path) -> None:
    async def step(store: SqliteStore) -> None:
        for first in range(0, 50_000, 5_000):
            await asyncio.gather(*(store.create(table(f"T{n}")) for n in range(first, first + 5_000)))
        began = time.monotonic()
        assert len(await store.index()) == 50_000
        assert time.monotonic() - began < 3

    run(tmp_path, step)
