"""The data folder: where it is, who holds it, whether it was left in order.

    sandtable.db  -wal -shm    the database (sqlite.py)
    lock                       held with the system's lock while a server runs; says which process and at what address
    backups/                   what stood here before an upgrade or a restore

The lock is the system's: it ends with its holder, however that one dies. What the lock file says is emptied by an
orderly stop and never before; whoever finds it filled and the lock free knows that the last holder fell over.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import ClassVar

from sandtable.store.errors import StoreError, Unfit

DATABASE, LOCK, BACKUPS = "sandtable.db", "lock", "backups"
LONGEST_LOCK = 4_096
BEYOND = 1 << 20  # the byte Windows locks: far behind the text, which others must be able to read
# SQLite's log needs memory shared by all who have the file open; across a network there is none.
NETWORKS = (
    "afs", "beegfs", "ceph", "cifs", "davfs", "fuse.davfs2", "fuse.gcsfuse", "fuse.glusterfs", "fuse.rclone",
    "fuse.s3fs", "fuse.sshfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "smb2", "smb3", "smbfs",
)  # fmt: skip


@dataclass(frozen=True)
class Holder:
    """Who holds a folder. The address comes once the server listens."""

    pid: int = 0
    address: str = ""


class Held(StoreError):
    """Another process has this folder."""

    code: ClassVar[str] = "held"

    def __init__(self, path: Path, holder: Holder) -> None:
        process = f" (process {holder.pid})" if holder.pid else ""
        where = f", at {holder.address}" if holder.address else ""
        super().__init__(f"The data folder {path} is in use by a Sandtable that runs already{process}{where}.")
        self.holder = holder


def default_folder() -> Path:
    """SANDTABLE_DATA, or the place where this system keeps a user's data."""
    if named := os.environ.get("SANDTABLE_DATA"):
        return Path(named).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir())) / "sandtable" / "data"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "sandtable"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sandtable"


class DataFolder:
    """A folder that this process holds, from `take` to `release`."""

    def __init__(self, path: Path, lock: int, was_unclean: bool) -> None:
        self.path, self._lock, self.was_unclean = path, lock, was_unclean

    @staticmethod
    def take(path: Path) -> DataFolder:
        """Make the folder if need be and hold it; Held if somebody else does, Unfit if nothing can be kept there."""
        path = path.absolute()
        if kind := network_below(path):
            raise Unfit(f"The data folder {path} lies on a network ({kind}); choose one on a disk of this machine.")
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)  # secrets of running matches are in it
            lock = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            if not _lock(lock):
                os.close(lock)
                raise Held(path, read_holder(path))
        except OSError as error:
            raise Unfit(f"The data folder {path} cannot be used: {error.strerror or error}.") from None
        folder = DataFolder(path, lock, was_unclean=os.fstat(lock).st_size > 0)
        folder._write(Holder(os.getpid()))
        return folder

    @property
    def database(self) -> Path:
        return self.path / DATABASE

    def announce(self, address: str) -> None:
        """Say where the server listens, for whoever starts a second one."""
        self._write(Holder(os.getpid(), address))

    def backup_name(self, why: str) -> Path:
        """A name for a copy, not taken yet: backups/before-version-2-20261119-221830.db."""
        folder = self.path / BACKUPS
        folder.mkdir(mode=0o700, exist_ok=True)
        stem = f"{why}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
        names = (folder / f"{stem}{again}.db" for again in ("", *(f"-{n}" for n in range(2, 1000))))
        return next(name for name in names if not name.exists())

    def release(self, in_order: bool = True) -> None:
        """Let go; `in_order=False` leaves the sign that the next holder should check everything."""
        if self._lock < 0:
            return
        if in_order:
            os.ftruncate(self._lock, 0)
            os.fsync(self._lock)
        os.close(self._lock)
        self._lock = -1

    def __enter__(self) -> DataFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release(in_order=error is None)

    def _write(self, holder: Holder) -> None:
        """In place: a file moved here would be another one than the one that is locked."""
        os.ftruncate(self._lock, 0)
        os.lseek(self._lock, 0, os.SEEK_SET)
        os.write(self._lock, json.dumps(asdict(holder)).encode())
        os.fsync(self._lock)  # a power cut must leave it filled


def read_holder(path: Path, patience_s: float = 0.0) -> Holder:
    """Who holds the folder, as far as the lock file says; waits so long for an address."""
    until = time.monotonic() + patience_s
    while True:
        holder = Holder()
        try:
            with (path / LOCK).open("rb") as file:
                told = json.loads(file.read(LONGEST_LOCK))
            holder = Holder(int(told["pid"]), str(told["address"]))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            pass  # it is just being written, or there is none
        if holder.address or time.monotonic() >= until:
            return holder
        time.sleep(0.05)


def _lock(file: int) -> bool:
    """The system's lock, or False if somebody has it. A forked child would share it: workers are to be spawned."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, BEYOND, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def network_below(path: Path, mounts: Path = Path("/proc/mounts")) -> str:
    """The kind of network file system a path lies on; "" for none, or where nobody can tell."""
    try:
        lines = mounts.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    place, deepest, kind = path.resolve(), -1, ""
    for fields in (line.split(" ") for line in lines):
        if len(fields) < 3:
            continue
        point = Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[1]))
        if len(point.parts) >= deepest and place.is_relative_to(point):  # a later mount lies over an earlier one
            deepest, kind = len(point.parts), fields[2]
    return kind if kind in NETWORKS else ""
