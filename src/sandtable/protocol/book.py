"""Books: the numbers of a game as data. One TOML file names each with its clause and range; a variant lists changes.

[draw_after]                      the game's book.toml          draw_after = 40      a variant's [numbers], a book
value = 60                                                                           of one's own, or --set
clause = "T6.2"
says = "turns in a row without a capture until the game is drawn"
least = 1
most = 1000
offer = true                      asked for in the host dialog
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sandtable.kit.digest import digest_bytes
from sandtable.protocol.errors import BadBook, Unknown

STANDARD = "standard"


@dataclass(frozen=True)
class Number:
    """One number of the rules, or a table of them."""

    name: str
    value: Any
    clause: str
    says: str
    least: Any
    most: Any
    offer: bool

    def with_value(self, value: Any, source: str) -> Number:
        """Another value, if the rules can work with it."""
        if isinstance(value, bool):
            value = int(value)
        given, least, most = (np.array(item, dtype=object) for item in (value, self.least, self.most))
        shape = np.array(self.value, dtype=object).shape
        wanted = f"from {self.least} to {self.most}" if not shape else f"{' × '.join(map(str, shape))} whole numbers"
        where = f"{source}: {self.name} ({self.clause})"
        if given.shape != shape or any(not isinstance(n, int) or isinstance(n, bool) for n in given.flat):
            raise BadBook(f"{where} must be {'a whole number ' if not shape else ''}{wanted}, found {value!r}")
        if np.any(given < least) or np.any(given > most):
            raise BadBook(f"{where} must be from {self.least} to {self.most}, found {value!r}")
        return Number(self.name, value, self.clause, self.says, self.least, self.most, self.offer)


class Book:
    """The numbers of one game in one version: a record for kernels, sentences for people."""

    def __init__(self, name: str, title: str, says: str, numbers: Mapping[str, Number], dtype: np.dtype[Any]) -> None:
        self.name, self.title, self.says = name, title, says
        self.numbers = dict(numbers)
        self.record = np.zeros(1, dtype=dtype)
        for number in self.numbers.values():
            self.record[number.name][0] = number.value
        self.digest = digest_bytes(self.record.tobytes())

    def __getitem__(self, name: str) -> Any:
        return self.numbers[name].value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Book) and self.record.tobytes() == other.record.tobytes()

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Book {self.name} {self.digest}>"

    def changed(self, changes: Mapping[str, Any], source: str, name: str = "", title: str = "", says: str = "") -> Book:
        """This book with other values; unknown names and bad values are refused with what may stand there."""
        numbers = dict(self.numbers)
        for key, value in changes.items():
            if key not in numbers:
                raise BadBook(f"{source}: no number {str(key)[:40]!r}; there are: {', '.join(numbers)}")
            numbers[key] = numbers[key].with_value(value, source)
        return Book(name or self.name, title or self.title, says or self.says, numbers, self.record.dtype)

    def differences(self, other: Book) -> dict[str, Any]:
        """The values here that are not the other book's."""
        return {n.name: n.value for n in self.numbers.values() if n.value != other.numbers[n.name].value}


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadBook(f"{path}: cannot be read ({error})") from None
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, and numbers or nests beyond all reason
        raise BadBook(f"{path}: not TOML, {error}") from None


def standard_book(folder: Path, dtype: np.dtype[Any]) -> Book:
    """The book a game ships: every number of BOOK, pads aside, with clause and range."""
    tables = read_toml(folder / "book.toml")
    title, says = tables.pop("title"), tables.pop("says")
    numbers = {}
    for name, entry in tables.items():
        value = int(entry["value"]) if isinstance(entry["value"], bool) else entry["value"]
        first = Number(
            name, value, entry["clause"], entry["says"], entry["least"], entry["most"], entry.get("offer", False)
        )
        numbers[name] = first.with_value(value, "book.toml")
    return Book(STANDARD, title, says, numbers, dtype)


def variant_names(folder: Path) -> list[str]:
    return sorted(path.stem for path in (folder / "variants").glob("*.toml"))


def changes_in(path: Path) -> tuple[str, str, dict[str, Any]]:
    """Title, remark and changed numbers of a variant's or a person's file."""
    table = read_toml(path)
    numbers = table.get("numbers", {})
    strangers = sorted(set(table) - {"title", "says", "numbers", "measured"})
    if strangers or not isinstance(numbers, dict):
        found = ", ".join(strangers) or f"numbers = {numbers!r}"
        raise BadBook(f"{path}: expected title, says and a table [numbers], found {found[:80]}")
    return str(table.get("title", path.stem)), str(table.get("says", "")), numbers


def find_book(standard: Book, folder: Path, wanted: str | Path | Mapping[str, Any] | Book | None) -> Book:
    """A book by name, by file, or as changes to the standard one."""
    if wanted is None or wanted == STANDARD:
        return standard
    if isinstance(wanted, Book):
        return wanted
    if isinstance(wanted, Mapping):
        return standard.changed(wanted, "book")
    names = variant_names(folder)
    if isinstance(wanted, str) and wanted in names:
        title, says, numbers = changes_in(folder / "variants" / f"{wanted}.toml")
        return standard.changed(numbers, f"{wanted}.toml", wanted, title, says)
    path = Path(wanted)
    if path.suffix != ".toml" and not os.path.exists(path):  # noqa: PTH110 (Path.exists raises where a name is too long)
        raise Unknown("book", str(wanted), [STANDARD, *names, "a .toml file of your own"])
    title, says, numbers = changes_in(path)
    return standard.changed(numbers, str(path), "", title, says)
