"""The one thread that writes. It takes all that waits, up to 256 pieces of work, into one transaction: a group commit.

    table task ──submit──▶ queue ──▶ BEGIN · work · work · … · COMMIT ──▶ everybody's future

A disk that syncs 200 times a second so carries thousands of moves a second. A piece of work that fails is undone by
its own savepoint and spoils nobody else's; a COMMIT that fails fails them all.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from sandtable.store.database import BUSY_MS
from sandtable.store.errors import Closed, StoreError

MOST = 256  # pieces of work in one transaction
IDLE_S = 1.0  # without work for so long: the log is brought into the database and cut to nothing
PATIENCE_MS = 50  # for a reader in the way of that: new work must not wait for it

Result = TypeVar("Result")


@dataclass
class _Work:
    do: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Hand in work from any event loop; its future resolves after the COMMIT that holds it."""

    def __init__(self, connection: sqlite3.Connection, *, sync_delay_ms: float = 0.0, idle_s: float = IDLE_S) -> None:
        self._connection, self._delay_s, self._idle_s = connection, sync_delay_ms / 1000, idle_s
        self._waiting: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._closing = threading.Lock()  # nothing may come into the queue behind the sign to stop
        self._is_closed = False
        self._is_dirty = True  # whatever an earlier run left in the log
        # A daemon: a program that ends without closing has lost nothing that was answered, and is not held up.
        self._thread = threading.Thread(target=self._run, name="store writer", daemon=True)
        self._thread.start()

    def submit(self, do: Callable[[sqlite3.Connection], Result]) -> asyncio.Future[Result]:
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        with self._closing:
            if self._is_closed:
                raise Closed("The store is closed.")
            self._waiting.put(_Work(do, future))
        return future

    def close(self) -> None:
        """Everything handed in so far is stored first."""
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                self._waiting.put(None)
        self._thread.join()

    # ---- in the thread

    def _run(self) -> None:
        is_open = True
        while is_open:
            batch, is_open = self._take()
            if batch:
                self._is_dirty = True
                self._store(batch)
                _answer(batch)
        self._tidy()
        self._connection.close()

    def _take(self) -> tuple[list[_Work], bool]:
        """What waits now, at least one piece; and whether there will be more."""
        try:
            first = self._waiting.get(timeout=self._idle_s if self._is_dirty else None)
        except queue.Empty:
            self._tidy()
            return [], True
        batch: list[_Work] = []
        with suppress(queue.Empty):
            while first is not None:
                batch.append(first)
                if len(batch) == MOST:
                    break
                first = self._waiting.get_nowait()
        return batch, first is not None

    def _store(self, batch: list[_Work]) -> None:
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            for work in batch:
                connection.execute("SAVEPOINT work")
                try:
                    work.result = work.do(connection)
                    connection.execute("RELEASE work")
                except Exception as error:
                    if not connection.in_transaction:  # worse than a piece of work: a full disk undoes everything
                        raise
                    work.error = error
                    connection.execute("ROLLBACK TO work")
                    connection.execute("RELEASE work")
            if self._delay_s:
                time.sleep(self._delay_s)
            connection.execute("COMMIT")
        except Exception as error:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            for work in batch:
                work.error = work.error or error

    def _tidy(self) -> None:
        self._is_dirty = False
        with suppress(sqlite3.Error):  # somebody reads: the next quiet moment will do
            self._connection.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")


def _answer(batch: list[_Work]) -> None:
    """Resolve the futures, with one call into each event loop."""
    loops: dict[asyncio.AbstractEventLoop, list[_Work]] = {}
    for work in batch:
        loops.setdefault(work.future.get_loop(), []).append(work)
    for loop, works in loops.items():
        with suppress(RuntimeError):  # that loop is gone, and who waited with it
            loop.call_soon_threadsafe(_resolve, works)


def _resolve(batch: list[_Work]) -> None:
    for work in batch:
        if work.future.done():  # cancelled while it waited; it is stored all the same
            continue
        if work.error is None:
            work.future.set_result(work.result)
        elif isinstance(work.error, StoreError):
            work.future.set_exception(work.error)
        else:
            work.future.set_exception(StoreError(f"The storage failed ({work.error})."))
