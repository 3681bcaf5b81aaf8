"""The storage in a few dictionaries: what the suite asks for can be done without any database."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, fields, replace
from typing import Unpack

from sandtable.store.interface import (
    Changes,
    Closed,
    Conflict,
    Entry,
    Guest,
    TableHead,
    TableRecord,
    Unknown,
)

HEAD = [name.name for name in fields(TableHead) if name.name not in ("number", "touched_ms")]


@dataclass
class Contents:
    """What outlives a store."""

    tables: dict[str, TableRecord] = field(default_factory=dict)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    guests: dict[str, Guest] = field(default_factory=dict)


class MemoryStore:
    def __init__(self, contents: Contents) -> None:
        self._kept, self._is_closed = contents, False

    async def create(self, table: TableRecord) -> None:
        await self._begin()
        if table.id in self._kept.tables:
            raise Conflict(f"The table {table.id} is there already.")
        self._kept.tables[table.id], self._kept.entries[table.id] = table, []

    async def append(self, table_id: str, entry: Entry, **changes: Unpack[Changes]) -> None:
        changed = self._changed(table_id, changes)
        await self._begin()
        entries = self._entries(table_id)
        if entry.number != len(entries):
            raise Conflict(f"Entry {len(entries)} is next.")
        known = {(known.seat, known.command_id) for known in entries if known.command_id}
        if (entry.seat, entry.command_id) in known:
            raise Conflict(f"The command {entry.command_id} is stored already.")
        entries.append(entry)
        if changed:
            self._kept.tables[table_id] = changed

    async def update(self, table_id: str, **changes: Unpack[Changes]) -> None:
        changed = self._changed(table_id, changes)
        await self._begin()
        self._entries(table_id)
        if changed:
            self._kept.tables[table_id] = changed

    async def index(self) -> list[TableHead]:
        await self._begin()
        return [self._head(table) for table in self._kept.tables.values()]

    async def load(self, table_id: str) -> tuple[TableRecord, list[Entry]]:
        await self._begin()
        entries = self._entries(table_id)
        return self._kept.tables[table_id], list(entries)

    async def guest(self, token_hash: str) -> Guest | None:
        await self._begin()
        return self._kept.guests.get(token_hash)

    async def save_guest(self, guest: Guest) -> None:
        await self._begin()
        known = self._kept.guests.get(guest.token_hash, guest)
        self._kept.guests[guest.token_hash] = replace(known, name=guest.name)

    async def close(self) -> None:
        self._is_closed = True

    async def _begin(self) -> None:
        if self._is_closed:
            raise Closed("The store is closed.")
        await asyncio.sleep(0)

    def _entries(self, table_id: str) -> list[Entry]:
        if table_id not in self._kept.entries:
            raise Unknown(table_id)
        return self._kept.entries[table_id]

    def _changed(self, table_id: str, changes: Changes) -> TableRecord | None:
        if strangers := changes.keys() - Changes.__annotations__.keys():
            raise TypeError(f"{strangers} cannot change")
        table = self._kept.tables.get(table_id)
        return replace(table, **changes) if table else None

    def _head(self, table: TableRecord) -> TableHead:
        entries = self._kept.entries[table.id]
        touched = entries[-1].at_ms if entries else table.created_ms
        return TableHead(*(getattr(table, name) for name in HEAD), len(entries), touched)
