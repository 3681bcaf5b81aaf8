"""Files a person names: read with a limit, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandtable.protocol.match import Match

LONGEST_MATCH = 4_000_000  # bytes; what protocol/match.py reads at most
MATCH = "sandtable match "  # how every match file begins


def is_within(path: Path, limit: int) -> bool:
    """Whether this is a file proper of at most so many bytes: no device, pipe or folder."""
    found = path.stat()
    return stat.S_ISREG(found.st_mode) and found.st_size <= limit


def read_text(name: str, limit: int = LONGEST_MATCH) -> str:
    from sandtable.protocol.errors import BadText

    path = _path(name)
    if path.is_dir():
        raise BadText(f"a file at {name}", "a folder")
    with path.open("rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise BadText(f"{name} to be at most {limit:,} bytes long")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadText(f"{name} to be a text in UTF-8 (byte {error.start} is not)") from None


def read_match(name: str) -> Match:
    """A match from its file; what is wrong with it is said with the file's name."""
    import sandtable
    from sandtable.protocol.errors import SandtableError

    text = read_text(name)
    try:
        return sandtable.read_match(text.replace("\r\n", "\n"))
    except SandtableError as error:
        raise SandtableError(f"{name}: {error}") from None


def write_text(name: str, text: str) -> Path:
    """Write a file beside where it will stand, then move it there: whoever interrupts this finds the old file whole."""
    path = _path(name).resolve()
    if path.exists() and not path.is_file():
        from sandtable.protocol.errors import SandtableError

        raise SandtableError(f"{name} is no file to write to")
    unfinished = path.with_name(f".{path.name[:80]}.{os.getpid()}.part")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = name  # what the person called it
        raise
    return path


def write_match(name: str, match: Match) -> Path:
    """Save a match, over an older match but over nothing else."""
    path = _path(name)
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(MATCH)) != MATCH.encode():
                from sandtable.protocol.errors import SandtableError

                raise SandtableError(f"{name} is there already and is no match; choose another name")
    return write_text(name, match.text())


def _path(name: str) -> Path:
    from sandtable.protocol.errors import BadText

    if not name.strip() or "\0" in name:
        raise BadText("the name of a file", name)
    return Path(name).expanduser()
