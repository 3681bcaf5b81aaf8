"""Every stored match played again from its entries: is everything there, and does it all fit?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from sandtable.protocol.errors import SandtableError
from sandtable.protocol.game import Game
from sandtable.protocol.replay import BadRow
from sandtable.store.errors import StoreError
from sandtable.store.interface import Entry, Store, TableHead, TableRecord
from sandtable.store.matches import match_of

ENDED = ("over", "closed")


@dataclass(frozen=True)
class Finding:
    """Something that does not fit."""

    table: str
    code: str
    sentence: str


@dataclass(frozen=True)
class Report:
    tables: int
    whole: int  # tables without a finding
    rows: int
    rolls: int  # recomputed from their source
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        return not self.findings

    @property
    def sentences(self) -> list[str]:
        """The findings, then the sum."""
        lines = [f"{found.table}: {found.sentence}" if found.table else found.sentence for found in self.findings]
        sound = "All of them are whole." if self.ok else f"{self.whole} of them are whole."
        return [*lines, f"Matches: {self.tables}, rows: {self.rows}, rolls: {self.rolls}. {sound}"]


@dataclass
class _Count:
    rows: int = 0
    rolls: int = 0


async def examine(store: Store, find_game: Callable[[str], Game], file_faults: list[str] | None = None) -> Report:
    """Look at every table. `file_faults` is what the storage says of itself; it comes first."""
    findings = [Finding("", "file", f"The database: {fault}.") for fault in file_faults or ()]
    counted, whole = _Count(), 0
    heads = await store.index()
    for head in heads:
        try:
            table, entries = await store.load(head.id)
            if len(entries) > head.number:  # it was played on since, beside us
                head = next(now for now in await store.index() if now.id == head.id)
            found = list(_table(head, table, entries, find_game, counted))
        except StoreError as error:
            found = [Finding(head.id, error.code, str(error))]
        except Exception as error:  # damaged data may lead the rules anywhere; the other tables are still looked at
            found = [Finding(head.id, "internal", f"The rules stumbled over it ({type(error).__name__}: {error}).")]
        findings += found
        whole += not found
    return Report(len(heads), whole, counted.rows, counted.rolls, tuple(findings))


def _table(
    head: TableHead, table: TableRecord, entries: list[Entry], find_game: Callable[[str], Game], counted: _Count
) -> Iterator[Finding]:
    counted.rows += sum(len(entry.rows) for entry in entries)
    for code, sentence in (*_entries(head, entries), *_replayed(table, entries, find_game, counted)):
        yield Finding(table.id, code, sentence)


Found = Iterator[tuple[str, str]]


def _entries(head: TableHead, entries: list[Entry]) -> Found:
    """What can be seen without the rules."""
    commands: set[tuple[int | None, str]] = set()
    for expected, entry in enumerate(entries):
        if entry.number != expected:
            yield "gap", f"Entry {expected} is missing: entry {entry.number} stands in its place."
            return
        name = f"Entry {entry.number}"
        if not entry.rows:
            yield "empty", f"{name} has no rows."
        if entry.seat is not None and any(row.seat not in (entry.seat, None) for row in entry.rows):
            yield "seat", f"{name} was sent by seat {entry.seat} and moves another one."
        if entry.command_id and (entry.seat, entry.command_id) in commands:
            yield "twice", f"{name} repeats the command {entry.command_id} of seat {entry.seat}."
        commands.add((entry.seat, entry.command_id))
        if not _is_json(entry.answer):
            yield "answer", f"The stored answer of entry {entry.number} cannot be read."
    if head.number != len(entries):
        yield "gap", f"It should have {head.number} entries and has {len(entries)}."


def _is_json(text: str) -> bool:
    try:
        return not text or isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _replayed(table: TableRecord, entries: list[Entry], find_game: Callable[[str], Game], counted: _Count) -> Found:
    """The rows under the rules, the dice, and what is said of the end."""
    if table.opened and table.state not in ENDED:
        yield "seal", "The secret of its dice was opened before its end."
    try:
        game = find_game(table.game)
    except SandtableError as error:
        yield "game", f"{error}."
        return
    if table.rules_version != game.rules_version:
        says = f"version {table.rules_version} of the rules of {game.title}, this is version {game.rules_version}"
        yield "rules", f"It was played under {says}: it cannot be checked."
        return
    match = match_of(table, entries, game, with_secret=True)
    try:
        ended = match.position().outcome
        verdict = replace(match, outcome=None).verify()
    except BadRow as error:
        yield "row", f"Row {error.row} ({_entry_of(error.row, entries)}) cannot stand: {error}."
        return
    except SandtableError as error:
        yield "start", f"It cannot begin: {error}."
        return
    has_source = match.source() is not None
    counted.rolls += verdict.rolls if has_source else 0
    # An imported match may have come without its secret: then nobody can say more of its dice.
    if not verdict.ok and (has_source or not table.dice):
        yield "dice", verdict.sentence
    if match.outcome and (ended is None or (ended.places, ended.reason) != match.outcome):
        yield "result", f"Its rows do not lead to the result {table.result}."
    if ended and table.state not in ENDED:
        yield "state", f"Its rows end it ({ended.reason}), and it is marked as {table.state}."
    if table.state == "over" and not ended:
        yield "state", "It is marked as over, and its rows do not end it."
    if bool(table.result) != (table.state == "over"):
        yield "result", "A match has a result when it is over and not before."


def _entry_of(row: int, entries: list[Entry]) -> str:
    """Which entry holds a row."""
    for entry in entries:
        row -= len(entry.rows)
        if row < 0:
            return f"in entry {entry.number}"
    return "behind the last entry"
