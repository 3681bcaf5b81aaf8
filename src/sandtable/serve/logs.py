"""The log: one JSON object a line in DATA/logs, kept small by rotation. Tokens, names and secrets cannot get into it.

Every field has a pattern; what is not listed, or does not look as listed, is left out. Of an exception it keeps the
class and the places, never the text, which may quote what somebody sent.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import secrets
import sys
import time
import traceback
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

FOLDER, FILE = "logs", "sandtable.log"
LARGEST, KEPT = 2_000_000, 5  # bytes a file, files
WORD = re.compile(r"[a-z][a-z0-9_]{0,31}")
FIELDS = {
    "code": WORD,
    "game": WORD,
    "kind": WORD,
    "player": WORD,
    "route": re.compile(r"/[a-z/{}_.]{0,63}"),  # the pattern of a route, never the path that was asked for
    "method": re.compile(r"[A-Z]{3,7}"),
    "table": re.compile(r"[2-9A-HJKMNP-TV-Z]{5}"),
    "version": re.compile(r"[0-9a-z.+]{1,20}"),
    "address": re.compile(r"[0-9a-f]{8}"),  # see `veiled`
    "reason": WORD,
}
NUMBERS = {"status", "ms", "seat", "number", "pid", "port", "count", "bytes", "tables", "workers", "line", "column"}
LIBRARIES = {"uvicorn.error": "uvicorn", "asyncio": "asyncio", "websockets": "websockets"}
PLACES = 6

_logger = logging.getLogger("sandtable.serve")
_veil = secrets.token_bytes(16)


def log(event: str, *, error: BaseException | None = None, is_warning: bool = False, **fields: object) -> None:
    """One line. Faults of ours, with their `error`, and warnings show on the terminal too."""
    level = logging.ERROR if error else logging.WARNING if is_warning else logging.INFO
    _logger.log(level, event, extra={"fields": fields}, exc_info=error)


def veiled(address: str) -> str:
    """Eight hex digits that stand for an address in this run's log, and mean nothing in another one's."""
    return hashlib.blake2b(address.encode(), key=_veil, digest_size=4).hexdigest()


def start_logs(data: Path, terminal_level: int = logging.WARNING) -> Path:
    """From here on lines are written; the file they go to."""
    folder = data / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / FILE
    path.touch(mode=0o600)
    file = _File(path, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8")
    file.setFormatter(Lines())
    terminal = _Terminal(terminal_level)
    terminal.setFormatter(Codes())
    for name in (_logger.name, *LIBRARIES):
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO if logger is _logger else logging.WARNING)
        logger.propagate = False
        logger.handlers = [file, terminal] if logger is _logger else [file]
    return path


def end_logs() -> None:
    """Close the file; what comes later is not written. As before the start, for whoever goes on in this process."""
    for name in (_logger.name, *LIBRARIES):
        logger = logging.getLogger(name)
        for handler in logger.handlers:
            with suppress(OSError, ValueError):  # a full disk, once more
                handler.close()
        logger.handlers, logger.propagate = [], True


class Lines(logging.Formatter):
    """A record as one line for the file."""

    def format(self, record: logging.LogRecord) -> str:
        at = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03}Z"
        return json.dumps({"at": at, "level": record.levelname.lower(), **told(record)})


class Codes(logging.Formatter):
    """A record as a short line for the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        fields = told(record)
        shown = ", ".join(str(fields[name]) for name in ("code", "error", "table") if name in fields)
        return f"sandtable: {fields['event']}{f' ({shown})' if shown else ''}; more is in {FOLDER}/{FILE}"


def told(record: logging.LogRecord) -> dict[str, object]:
    """What may be said of a record."""
    is_ours = record.name == _logger.name and isinstance(record.msg, str) and WORD.fullmatch(record.msg)
    fields: dict[str, object] = {"event": record.msg if is_ours else "library"}
    if not is_ours:
        fields["from"] = LIBRARIES.get(record.name, "other")
    given: dict[str, object] = getattr(record, "fields", {})
    for name, value in given.items():
        pattern = FIELDS.get(name)
        is_text = pattern is not None and isinstance(value, str) and pattern.fullmatch(value) is not None
        is_number = name in NUMBERS and isinstance(value, int) and abs(value) < 1 << 53
        if is_text or is_number:
            fields[name] = value
    if record.exc_info and record.exc_info[1] is not None:
        error = record.exc_info[1]
        fields["error"] = type(error).__name__
        frames = traceback.extract_tb(error.__traceback__)[-PLACES:]
        fields["places"] = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames]
    return fields


class _File(RotatingFileHandler):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """A full disk must not stop the games; the storage will say so itself."""


class _Terminal(logging.Handler):
    """At most one line a second for each event: a fault that comes back must not flood the terminal."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self._last: dict[object, float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        if record.created - self._last.get(record.msg, 0.0) >= 1.0:
            self._last[record.msg] = record.created
            with suppress(OSError, ValueError):  # it may be gone (SIGHUP)
                print(self.format(record), file=sys.stderr, flush=True)
