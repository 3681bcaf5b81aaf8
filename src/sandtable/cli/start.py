"""What `--book`, `--set` and `--seat` mean."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.cli.files import is_within

if TYPE_CHECKING:
    from sandtable.protocol.book import Book
    from sandtable.protocol.game import Game

LONGEST_BOOK = 1_000_000  # bytes


def book_of(game: Game, wanted: argparse.Namespace) -> Book:
    """The book named by --book, with the numbers of --set."""
    book = find_book(game, wanted.book)
    changes = dict(_setting(text) for text in wanted.set)
    return book.changed(changes, "--set") if changes else book


def find_book(game: Game, name: str | None) -> Book:
    from sandtable.protocol.errors import BadBook

    if name is not None and not name.strip():
        raise BadBook(f"expected the name of a book ({', '.join(game.books)}) or of a file")
    if name is not None and name not in game.books and Path(name).exists() and not is_within(Path(name), LONGEST_BOOK):
        raise BadBook(f"{name}: expected a file of at most {LONGEST_BOOK:,} bytes")
    return game.find_book(name)


def _setting(text: str) -> tuple[str, Any]:
    from sandtable.protocol.errors import BadBook

    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadBook(f"--set: expected NAME=VALUE, found {text[:40]!r}")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        raise BadBook(f"--set: {name[:40]} must be a whole number or a table of them, found {value[:40]!r}") from None
