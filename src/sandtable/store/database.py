"""The database file: opened, checked, brought up to date, copied."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sandtable.store.errors import Damaged, Newer, StoreError, Unfit
from sandtable.store.folder import DataFolder
from sandtable.store.schema import APPLICATION, STEPS, VERSION

BUSY_MS = 5_000


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection that commits when told to. It may be handed to another thread, not used by two."""
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, timeout=BUSY_MS / 1000, check_same_thread=False
    )  # fmt: skip
    try:
        for pragma in ("foreign_keys = ON", "trusted_schema = OFF", "synchronous = FULL"):
            connection.execute(f"PRAGMA {pragma}")
        # Where a plain sync leaves data in the drive's own memory (macOS), ask for the real one.
        for pragma in ("fullfsync = ON", "checkpoint_fullfsync = ON"):
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def version_of(path: Path) -> int:
    """The version of the database here, 0 for an empty one. Raises if it is not ours to open; changes nothing."""
    try:
        with closing(connect(path, read_only=True)) as connection:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            application = int(connection.execute("PRAGMA application_id").fetchone()[0])
            is_empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    except sqlite3.Error as error:
        raise Damaged(f"{path} cannot be read as a database ({error}).") from None
    if is_empty and version == application == 0:
        return 0
    if application != APPLICATION or version < 1:
        raise Unfit(f"{path} is a database of another program.")
    if version > VERSION:
        raise Newer(
            f"{path} was written by a newer version of Sandtable (storage version {version}, this one knows up to "
            f"{VERSION}); start that version, or choose another data folder."
        )
    return version


def prepare(folder: DataFolder) -> None:
    """Make the folder's database if there is none, upgrade it after a backup, check it after a fall."""
    path = folder.database
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        sync_folder(folder.path)
    version = version_of(path)
    if folder.was_unclean and version:
        demand_whole(path)
    if 0 < version < VERSION:
        copy(path, folder.backup_name(f"before-version-{VERSION}"))
    try:
        with closing(connect(path)) as connection:
            if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
                raise Unfit(f"{path}: the file system does not let SQLite keep its log; choose a disk of this machine.")
            for number in range(version, VERSION):
                _step(connection, number)
    except sqlite3.Error as error:
        raise StoreError(f"{path} could not be made ready ({error}).") from None


def _step(connection: sqlite3.Connection, number: int) -> None:
    """One step of the schema with its version number, both or neither."""
    script = f"BEGIN IMMEDIATE; {STEPS[number]}; PRAGMA user_version = {number + 1};"
    try:
        connection.executescript(f"{script} PRAGMA application_id = {APPLICATION}; COMMIT;")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def faults(connection: sqlite3.Connection) -> list[str]:
    """What SQLite itself finds wrong with the file, at most twenty sentences."""
    try:
        found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
        loose = connection.execute("SELECT count(*) FROM pragma_foreign_key_check").fetchone()[0]
    except sqlite3.Error as error:
        return [str(error)]
    return [fault for fault in found if fault != "ok"] + ([f"{loose} entries belong to no table"] if loose else [])


def demand_whole(path: Path) -> None:
    """Damaged unless the file is whole."""
    try:
        with closing(connect(path)) as connection:
            found = faults(connection)
    except sqlite3.Error as error:
        found = [str(error)]
    if found:
        raise Damaged(f"{path} is damaged ({found[0]}); put a backup in its place with `sandtable restore`.")


def copy(source: Path, target: Path) -> None:
    """A copy of a database, in use or not, as one file: written whole, checked and synced before it takes its name."""
    unfinished = target.with_name(f".{target.name[:80]}.{os.getpid()}.part")
    try:
        os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(connect(source, read_only=True)) as old, closing(connect(unfinished)) as new:
            old.backup(new)  # in one step: under the writer's feet it would begin again and again
            new.execute("PRAGMA journal_mode = DELETE")
            if found := faults(new):
                raise Damaged(f"{source} is damaged ({found[0]}); it was not copied.")
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.replace(target)
        sync_folder(target.parent)
    except sqlite3.Error as error:
        raise StoreError(f"{source} could not be copied to {target} ({error}).") from None
    finally:
        unfinished.unlink(missing_ok=True)


def sync_folder(path: Path) -> None:
    """A new name reaches the disk with its folder, where systems know such a thing."""
    with suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
