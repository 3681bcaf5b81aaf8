"""Records as columns of the database, and back. Whatever does not read back as it was written is Damaged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from sandtable.store.interface import Changes, Damaged, Entry, Row, Seat, TableHead, TableRecord

HEAD = tuple(field.name for field in fields(TableHead))
RECORD = tuple(field.name for field in fields(TableRecord))
ENTRY = tuple(field.name for field in fields(Entry))
CHANGES = frozenset(Changes.__annotations__)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _seats(seats: Iterable[Seat]) -> str:
    return _compact([[seat.kind, seat.guest, seat.player, seat.seed] for seat in seats])


_WRITERS: dict[str, Callable[[Any], Any]] = {"seats": _seats, "to_act": _compact, "listed": int, "opened": int}
_READERS: dict[str, Callable[[Any], Any]] = {
    "seats": lambda text: tuple(Seat(*seat) for seat in json.loads(text)),
    "to_act": lambda text: tuple(json.loads(text)),
    "listed": bool,
    "opened": bool,
}


def column(name: str, value: Any) -> Any:
    """A field of a table as it is stored."""
    return _WRITERS[name](value) if name in _WRITERS else value


def record_columns(table: TableRecord) -> list[Any]:
    return [column(name, getattr(table, name)) for name in RECORD]


def change_columns(changes: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """What stands between SET and WHERE, and its values."""
    if strangers := changes.keys() - CHANGES:
        raise TypeError(f"a table's {', '.join(sorted(strangers))} cannot change")
    assignments = ", ".join(f"{name} = ?" for name in changes)
    return assignments, [column(name, value) for name, value in changes.items()]


def entry_columns(table_id: str, entry: Entry) -> list[Any]:
    rows = _compact([[row.seat, row.text, row.salt.hex()] for row in entry.rows])
    return [table_id, entry.number, entry.seat, entry.command_id, rows, entry.answer, entry.at_ms]


def read_head(found: Sequence[Any]) -> TableHead:
    with _legible(found[0]):
        return TableHead(**_fields(HEAD, found))


def read_record(found: Sequence[Any]) -> TableRecord:
    with _legible(found[0]):
        return TableRecord(**_fields(RECORD, found))


def read_entry(table_id: str, found: Sequence[Any]) -> Entry:
    with _legible(table_id, f", entry {found[0]},"):
        number, seat, command_id, rows, answer, at_ms = found
        read = tuple(Row(by, str(text), bytes.fromhex(salt)) for by, text, salt in json.loads(rows))
        return Entry(number, seat, command_id, read, answer, at_ms)


def _fields(names: Sequence[str], found: Sequence[Any]) -> dict[str, Any]:
    return {
        name: _READERS[name](value) if name in _READERS else value for name, value in zip(names, found, strict=True)
    }


@contextmanager
def _legible(table_id: str, where: str = "") -> Iterator[None]:
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise Damaged(f"The record of table {table_id}{where} cannot be read ({error}).") from None
