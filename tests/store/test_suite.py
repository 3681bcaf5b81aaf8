"""The suite over every storage there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from sandtable.store.folder import DataFolder
from sandtable.store.interface import Store
from sandtable.store.sqlite import SqliteStore
from tests.store.memory import Contents, MemoryStore
from tests.store.suite import StoreSuite


class TestMemory(StoreSuite):
    kept: ClassVar[dict[Path, Contents]] = {}

    async def open(self, place: Path) -> Store:
        return MemoryStore(self.kept.setdefault(place, Contents()))


class FolderStore(SqliteStore):
    """Holds its folder as long as it is open."""

    folder: DataFolder

    async def close(self) -> None:
        await super().close()
        self.folder.release()


class TestSqlite(StoreSuite):
    options: ClassVar[dict[str, Any]] = {}

    async def open(self, place: Path) -> Store:
        folder = DataFolder.take(place / "data")
        store = await FolderStore.open(folder, **self.options)
        store.folder = folder
        return store


class TestSqliteOnASlowDisk(TestSqlite):
    options: ClassVar[dict[str, Any]] = {"sync_delay_ms": 2.0, "idle_s": 0.01}
