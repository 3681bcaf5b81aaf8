"""The whole data folder as one file, and back."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sandtable.store.database import connect, copy, demand_whole, sync_folder, version_of
from sandtable.store.errors import Damaged, StoreError, Unfit
from sandtable.store.folder import DATABASE, DataFolder


def back_up(data: Path, target: Path) -> None:
    """Copy the folder's matches into one file, whether a server runs or not. Only an older backup may give way."""
    source = data / DATABASE
    if not source.is_file():
        raise Unfit(f"There are no matches in {data}.")
    version_of(source)
    target = target.absolute()
    if target.is_dir() or not target.parent.is_dir():
        raise Unfit(f"{target} is no file to write to.")
    if target.exists():
        try:
            version_of(target)
        except StoreError:
            raise Unfit(f"{target} is there already and is no backup; choose another name.") from None
        if target.samefile(source):
            raise Unfit(f"{target} is the database itself; choose another name.")
    copy(source, target)


def restore(source: Path, folder: DataFolder) -> Path | None:
    """Put a backup in the place of the folder's matches. What stood there is kept; where, is returned."""
    if not source.is_file():
        raise Unfit(f"There is no backup {source}.")
    if not version_of(source):
        raise Unfit(f"{source} is an empty database.")
    if folder.database.exists() and source.samefile(folder.database):
        raise Unfit(f"{source} is the database itself.")
    incoming = folder.path / "incoming.db"
    copy(source, incoming)
    kept: Path | None = None
    if folder.database.exists():
        kept = _set_aside(folder)
    incoming.replace(folder.database)
    sync_folder(folder.path)
    return kept


def _set_aside(folder: DataFolder) -> Path:
    """A copy of what is here, and no log left beside it that would be taken for the new file's."""
    path, kept = folder.database, folder.backup_name("before-restore")
    try:
        demand_whole(path)
        copy(path, kept)
        with closing(connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except (Damaged, sqlite3.Error):  # the very reason to restore: keep the bytes as they are
        path.replace(kept)
        for tail in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + tail).replace(kept.with_name(kept.name + tail))
    return kept
