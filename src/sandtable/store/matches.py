"""Stored tables as matches, and matches as stored tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sandtable.kit.dice import SealedDice
from sandtable.protocol.book import STANDARD, Book
from sandtable.protocol.errors import SandtableError
from sandtable.protocol.game import Game, Start
from sandtable.protocol.match import Match
from sandtable.store.errors import Damaged
from sandtable.store.interface import Entry, Row, Seat, TableRecord


def book_text(book: Book, game: Game) -> str:
    """The book as a table keeps it, in the words of a match file's head."""
    is_named = book.name in game.books
    changed = book.differences(game.find_book(book.name) if is_named else game.book)
    lines = [f"set {number} {json.dumps(value)}" for number, value in changed.items()]
    return "\n".join([f"{book.name if is_named else STANDARD} {book.digest}", *lines])


def read_book(text: str, game: Game) -> Book:
    """The book a table is played by; Damaged if the numbers are not those it was written with."""
    head, *lines = text.split("\n")
    name, _, digest = head.partition(" ")
    if name not in game.books:
        raise Damaged(f"There is no book {name[:40]!r} of {game.title}.")
    book = game.find_book(name)
    for line in lines:
        found = re.fullmatch(r"set ([a-z_]+) (.+)", line)
        try:
            book = book.changed({found[1]: json.loads(found[2])} if found else {line: 0}, "set")
        except (ValueError, RecursionError, SandtableError) as error:
            raise Damaged(f"The numbers of the book cannot be read ({error}).") from None
    if book.digest != digest:
        raise Damaged(f"The numbers of the book {name} are not what they were: {book.digest}, stored {digest[:40]!r}.")
    return book


def match_of(table: TableRecord, entries: Iterable[Entry], game: Game, *, with_secret: bool = False) -> Match:
    """The match as a value. The secret is in it once it was opened; `with_secret` is for those who never pass it on:
    the table that plays it again to go on, and the doctor."""
    try:
        secret = bytes.fromhex(table.secret)
        seeds = tuple(bytes.fromhex(seat.seed) for seat in table.seats)
        *places, reason = table.result.split(" ")
        outcome = (tuple(map(int, places)), reason) if table.result else None
        dice = table.dice or f"{SealedDice(secret, table.id, seeds).name}  match {table.id}"
    except ValueError as error:
        raise Damaged(f"Table {table.id} cannot be read ({error}).") from None
    dice, _, match_id = dice.partition("  match ")
    return Match(
        game, read_book(table.book, game), Start(table.scenario, len(table.seats), table.map_seed, table.start), dice,
        tuple(row for entry in entries for row in entry.rows), outcome, match_id, seeds if match_id else (),
        secret if with_secret or table.opened else b"",
    )  # fmt: skip


def table_of(match: Match, table_id: str, at_ms: int, seats: Sequence[Seat] = ()) -> tuple[TableRecord, list[Entry]]:
    """An imported match as a table that is over, or closed where it does not come to its end."""
    given = seats or [Seat()] * match.start.seats
    seeds = [seed.hex() for seed in match.seat_seeds] or [""] * match.start.seats
    table = TableRecord(
        id=table_id,
        game=match.game.name,
        rules_version=match.game.rules_version,
        scenario=match.start.scenario,
        book=book_text(match.book, match.game),
        seats=tuple(replace(seat, seed=seed) for seat, seed in zip(given, seeds, strict=True)),
        created_ms=at_ms,
        start=match.start.text,
        map_seed=match.start.map_seed,
        secret=match.secret.hex(),
        dice=match.dice + (f"  match {match.match_id}" if match.match_id else ""),
        listed=False,
        state="over" if match.outcome else "closed",
        result=" ".join(map(str, [*match.outcome[0], match.outcome[1]])) if match.outcome else "",
        opened=bool(match.secret),
    )
    groups: list[list[Row]] = []
    for row in match.rows:
        if row.is_roll and groups:
            groups[-1].append(row)
        else:
            groups.append([row])
    return table, [Entry(n, rows[0].seat, "", tuple(rows), "", at_ms) for n, rows in enumerate(groups)]
