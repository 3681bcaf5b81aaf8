"""The storage in one SQLite file: one thread writes (writer.py), another reads, every COMMIT is synced."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar, Unpack

from sandtable.store import columns
from sandtable.store.columns import ENTRY, HEAD, RECORD
from sandtable.store.database import connect, faults, prepare, version_of
from sandtable.store.errors import Closed, Conflict, StoreError, Unfit, Unknown
from sandtable.store.folder import DATABASE, DataFolder
from sandtable.store.interface import Changes, Entry, Guest, TableHead, TableRecord
from sandtable.store.writer import IDLE_S, Writer

Result = TypeVar("Result")

CREATE = f"INSERT INTO tables ({', '.join(RECORD)}, touched_ms) VALUES ({', '.join('?' * len(RECORD))}, ?)"
APPEND = f"INSERT INTO entries (table_id, {', '.join(ENTRY)}) VALUES ({', '.join('?' * (1 + len(ENTRY)))})"
HEADS = f"SELECT {', '.join(HEAD)} FROM tables ORDER BY rowid"
TABLE = f"SELECT {', '.join(RECORD)} FROM tables WHERE id = ?"
ENTRIES = f"SELECT {', '.join(ENTRY)} FROM entries WHERE table_id = ? ORDER BY number"
COUNTED = "number = number + 1, touched_ms = ?"
GUEST = "SELECT token_hash, name, created_ms FROM guests WHERE token_hash = ?"
SAVE_GUEST = "INSERT INTO guests VALUES (?, ?, ?) ON CONFLICT (token_hash) DO UPDATE SET name = excluded.name"


class SqliteStore:
    """A Store. `open` to keep matches, `look` to read them beside a server that runs."""

    def __init__(self, reading: sqlite3.Connection, writer: Writer | None) -> None:
        self._connection, self._writer = reading, writer
        self._reader = ThreadPoolExecutor(1, "store reader")
        self._is_closed = False

    @classmethod
    async def open(cls, folder: DataFolder, *, sync_delay_ms: float = 0.0, idle_s: float = IDLE_S) -> Self:
        """Upgrades and checks first, as the folder needs it. `sync_delay_ms` plays a slow disk, for measurements."""

        def ready() -> tuple[sqlite3.Connection, sqlite3.Connection]:
            prepare(folder)
            reading = connect(folder.database)
            reading.execute("PRAGMA query_only = ON")
            return reading, connect(folder.database)

        reading, writing = await asyncio.to_thread(ready)
        return cls(reading, Writer(writing, sync_delay_ms=sync_delay_ms, idle_s=idle_s))

    @classmethod
    async def look(cls, data: Path) -> Self:
        """Read only, without holding the folder."""
        path = data / DATABASE

        def ready() -> sqlite3.Connection:
            if not path.is_file() or not version_of(path):
                raise Unfit(f"There are no matches in {data}.")
            return connect(path, read_only=True)

        return cls(await asyncio.to_thread(ready), None)

    # ---- writing

    async def create(self, table: TableRecord) -> None:
        values = [*columns.record_columns(table), table.created_ms]

        def work(connection: sqlite3.Connection) -> None:
            try:
                connection.execute(CREATE, values)
            except sqlite3.IntegrityError as error:
                raise Conflict(f"The table {table.id} cannot be made ({error}).") from None

        await self._write(work)

    async def append(self, table_id: str, entry: Entry, **changes: Unpack[Changes]) -> None:
        assignments, values = columns.change_columns(changes)
        counted = f"UPDATE tables SET {', '.join(filter(None, (COUNTED, assignments)))} WHERE id = ? AND number = ?"
        head = [entry.at_ms, *values, table_id, entry.number]
        row = columns.entry_columns(table_id, entry)

        def work(connection: sqlite3.Connection) -> None:
            if connection.execute(counted, head).rowcount != 1:
                _refuse(connection, table_id, entry)
            try:
                connection.execute(APPEND, row)
            except sqlite3.IntegrityError as error:
                raise Conflict(f"Entry {entry.number} of table {table_id} cannot be stored ({error}).") from None

        await self._write(work)

    async def update(self, table_id: str, **changes: Unpack[Changes]) -> None:
        assignments, values = columns.change_columns(changes)
        changed = f"UPDATE tables SET {assignments or 'id = id'} WHERE id = ?"

        def work(connection: sqlite3.Connection) -> None:
            if connection.execute(changed, [*values, table_id]).rowcount != 1:
                raise Unknown(table_id)

        await self._write(work)

    async def save_guest(self, guest: Guest) -> None:
        values = [guest.token_hash, guest.name, guest.created_ms]

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(SAVE_GUEST, values)

        await self._write(work)

    # ---- reading

    async def index(self) -> list[TableHead]:
        return await self._read(lambda connection: [columns.read_head(row) for row in connection.execute(HEADS)])

    async def load(self, table_id: str) -> tuple[TableRecord, list[Entry]]:
        def read(connection: sqlite3.Connection) -> tuple[TableRecord, list[Entry]]:
            connection.execute("BEGIN")  # both questions about the same moment
            try:
                found = connection.execute(TABLE, (table_id,)).fetchone()
                entries = connection.execute(ENTRIES, (table_id,)).fetchall()
            finally:
                connection.execute("COMMIT")
            if found is None:
                raise Unknown(table_id)
            return columns.read_record(found), [columns.read_entry(table_id, row) for row in entries]

        return await self._read(read)

    async def guest(self, token_hash: str) -> Guest | None:
        found = await self._read(lambda connection: connection.execute(GUEST, (token_hash,)).fetchone())
        return Guest(*found) if found else None

    async def faults(self) -> list[str]:
        """What is wrong with the file itself, as sentences."""
        return await self._read(faults)

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        if self._writer:
            await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._reader.shutdown)
        self._connection.close()

    # ---- inside

    async def _write(self, work: Callable[[sqlite3.Connection], None]) -> None:
        if self._writer is None:
            raise StoreError("These matches were opened to be read only.")
        await self._writer.submit(work)

    async def _read(self, read: Callable[[sqlite3.Connection], Result]) -> Result:
        if self._is_closed:
            raise Closed("The store is closed.")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reader, read, self._connection)
        except sqlite3.Error as error:
            raise StoreError(f"The storage cannot be read ({error}).") from None


def _refuse(connection: sqlite3.Connection, table_id: str, entry: Entry) -> None:
    found = connection.execute("SELECT number FROM tables WHERE id = ?", (table_id,)).fetchone()
    if found is None:
        raise Unknown(table_id)
    raise Conflict(f"Entry {found[0]} of table {table_id} is next, not {entry.number}.")
