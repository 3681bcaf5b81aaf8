"""The match file: a sealed list of actions and dice, from which everything else is played again.

sandtable match 1
game tactics 1  book standard 3f2a9c12ab34  scenario classic  seats 2  map 7
set draw_after 40                          numbers that are not the named book's
dice seed 7                                or `seal DIGEST  match ID`, or `faces`
0 - roll 3 5                               row, seat, action; `salt HEX` behind a sealed roll
1 1 attack
2 1 takeback 1
result 1 2 guard                           places by seat, and why
sum 8c1f02d4                               CRC-32 of all lines above
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

from sandtable.kit.dice import MASK_63, DiceSource, SealedDice, SeedDice
from sandtable.kit.digest import checksum
from sandtable.protocol.book import STANDARD, Book
from sandtable.protocol.errors import BadText, SandtableError
from sandtable.protocol.game import Game, Start
from sandtable.protocol.position import Outcome, Position, Row
from sandtable.protocol.replay import begin, last, replay

FORMAT = "sandtable match 1"


@dataclass(frozen=True)
class Verdict:
    """What `verify` found: whether every roll is what the named source gives, how many, and a sentence."""

    ok: bool
    rolls: int
    sentence: str


@dataclass(frozen=True)
class Match:
    """A match as a value. `Position.match()` makes one, `read_match` reads one."""

    game: Game
    book: Book
    start: Start
    dice: str  # "seed 7", "seal DIGEST", "faces"
    rows: tuple[Row, ...]
    outcome: tuple[tuple[int, ...], str] | None = None
    match_id: str = ""
    seat_seeds: tuple[bytes, ...] = ()
    secret: bytes = field(default=b"", repr=False)  # of sealed dice, once the match is over

    @staticmethod
    def of(position: Position) -> Match:
        ended = position.outcome
        source = position.dice
        sealed = source if isinstance(source, SealedDice) and position.dice_name == source.name else None
        return Match(
            position.game, position.book, position.start, position.dice_name, tuple(position.rows),
            (ended.places, ended.reason) if ended else None,
            sealed.match if sealed else "", tuple(sealed.seat_seeds) if sealed else (),
            sealed.secret if sealed and ended else b"",
        )  # fmt: skip

    # ---- as text

    def text(self) -> str:
        lines = [*self._head(), *(self._row(n, row) for n, row in enumerate(self.rows))]
        if self.outcome:
            lines.append(f"result {' '.join(map(str, self.outcome[0]))} {self.outcome[1]}")
        if self.secret:
            lines.append(f"secret {self.secret.hex()}")
        body = "\n".join(lines) + "\n"
        return f"{body}sum {checksum(body)}\n"

    def _head(self) -> list[str]:
        start, game = self.start, self.game
        named = game.find_book(self.book.name) if self.book.name in game.books else game.book
        name = self.book.name if self.book.name in game.books else STANDARD
        lines = [
            FORMAT,
            f"game {game.name} {game.rules_version}  book {name} {self.book.digest}  scenario {start.scenario}  "
            f"seats {start.seats}  map {start.map_seed}",
        ]
        changed = self.book.differences(named)
        lines += [f"set {number} {json.dumps(value)}" for number, value in changed.items()]
        if start.scenario == Start.OWN:
            lines += [f"| {line}" for line in start.text.rstrip("\n").split("\n")]
        lines.append(f"dice {self.dice}" + (f"  match {self.match_id}" if self.match_id else ""))
        lines += [f"seed {seat} {seed.hex()}" for seat, seed in enumerate(self.seat_seeds)]
        return lines

    @staticmethod
    def _row(n: int, row: Row) -> str:
        salt = f"  salt {row.salt.hex()}" if row.salt else ""
        return f"{n} {'-' if row.seat is None else row.seat} {row.text}{salt}"

    # ---- played again

    def position(self) -> Position:
        """The match as it stands after its last row, to be played on."""
        return last(self)

    def positions(self) -> list[Position]:
        """The first position, and the one after each row."""
        return replay(self)

    def source(self) -> DiceSource | None:
        """What the rolls come from, where the file tells."""
        kind, _, value = self.dice.partition(" ")
        if kind == "seed":
            return SeedDice(int(value))
        if kind == "seal" and self.secret:
            return SealedDice(self.secret, self.match_id, self.seat_seeds)
        return None

    def verify(self) -> Verdict:
        """Recompute every roll, and the result, from the rows alone."""
        rolls = sum(row.is_roll for row in self.rows)
        source = self.source()
        wrong = self._wrong_roll(source)
        if self.outcome and not self._is_result(last(self).outcome):
            return Verdict(False, rolls, "The result line is not what the rows lead to.")
        if self.dice.startswith("seal"):
            if not self.secret:
                return Verdict(False, rolls, "The dice are sealed and the secret is not in the file yet.")
            if isinstance(source, SealedDice) and source.name != self.dice:
                return Verdict(False, rolls, "The secret does not belong to the seal published before the match.")
        if wrong:
            return Verdict(False, rolls, wrong)
        if source is None:
            return Verdict(True, rolls, f"All {rolls} rolls are as named by hand: nothing to recompute.")
        return Verdict(True, rolls, f"All {rolls} rolls are what the {self.dice.split()[0]} gives.")

    def _wrong_roll(self, source: DiceSource | None) -> str:
        """The first roll that is not what the source gives, as a sentence."""
        position, nth = begin(self), 0
        for n, row in enumerate(self.rows):
            if row.is_roll and source is not None:
                count = int(self.game.engine.chance(*position._at()))
                given = self.game.notation.write_roll(source.outcome(n, nth, count, row.salt))
                nth += 1
                if given != row.text:
                    return f"Row {n} says {row.text}, the {self.dice.split()[0]} gives {given}."
            position.replay_row(row)
        return ""

    def _is_result(self, outcome: Outcome | None) -> bool:
        return outcome is not None and (outcome.places, outcome.reason) == self.outcome


# ---------------------------------------------------------------- reading


class _Reader:
    """The lines of a file, one by one; every complaint names the line."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.number = 0

    def bad(self, expected: str, column: int = 1) -> BadText:
        found = self.lines[self.number - 1] if 0 < self.number <= len(self.lines) else "the end"
        return BadText(expected, found or "the end", max(self.number, 1), column)

    def peek(self) -> str:
        return self.lines[self.number] if self.number < len(self.lines) else ""

    def match(self, pattern: str, expected: str) -> re.Match[str]:
        self.number += 1
        line = self.lines[self.number - 1] if self.number <= len(self.lines) else ""
        if not (found := re.fullmatch(pattern, line)):
            raise self.bad(expected)
        return found

    def maybe(self, pattern: str) -> re.Match[str] | None:
        found = re.fullmatch(pattern, self.peek())
        if found and self.number < len(self.lines):
            self.number += 1
            return found
        return None


def read_match(text: str, find_game: Any) -> Match:
    """A match from its file. Whatever is not exactly as `text()` writes it is refused, with line and expectation."""
    if len(text) > 4_000_000:
        raise BadText("a match file of at most 4 million characters")
    lines = _Reader(text)
    lines.match(re.escape(FORMAT), repr(FORMAT))
    match = _read_head(lines, find_game)
    rows: list[Row] = []
    number = r"0|[1-9][0-9]{0,6}"
    while found := lines.maybe(rf"({number}) (-|[0-9]) ([^ ].*?)(?:  salt ([0-9a-f]{{2,64}}))?"):
        if int(found[1]) != len(rows):
            raise lines.bad(f"row {len(rows)}")
        if found[4] and len(found[4]) % 2:
            raise lines.bad("a salt of whole bytes")
        rows.append(Row(None if found[2] == "-" else int(found[2]), found[3], bytes.fromhex(found[4] or "")))
    places = " ".join(["([1-9])"] * match.start.seats)
    outcome = None
    if found := lines.maybe(rf"result {places} ([a-z_]+)"):
        *ranks, reason = found.groups()
        outcome = (tuple(map(int, ranks)), reason)
    secret = lines.maybe(r"secret ((?:[0-9a-f]{2}){16,64})")
    body = "\n".join(lines.lines[: lines.number]) + "\n"
    total = lines.match(r"sum ([0-9a-f]{8})", f"row {len(rows)}, a result or a sum line")[1]
    if total != checksum(body):
        raise lines.bad(f"sum {checksum(body)}: the file was changed or cut")
    if lines.lines[lines.number :] not in ([], [""]):
        lines.number += 1
        raise lines.bad("nothing after the sum")
    first_row = lines.number - len(rows) - 1 - bool(outcome) - bool(secret)
    match = replace(
        match, rows=tuple(rows), outcome=outcome, secret=bytes.fromhex(secret[1]) if secret else b""
    )  # fmt: skip
    try:
        final = match.position()
    except BadText as error:
        row = getattr(error, "row", 0)
        raise BadText(error.expected, error.found, first_row + row + 1, 1) from None
    if outcome and not match._is_result(final.outcome):
        raise BadText("the result the rows lead to", f"result {outcome}", first_row + len(rows) + 1, 1)
    for place, (written, given) in enumerate(zip(match.text().split("\n"), lines.lines, strict=False), 1):
        if written != given:
            raise BadText(repr(written), given, place, 1)
    return match


def _read_head(lines: _Reader, find_game: Any) -> Match:
    found = lines.match(
        r"game ([a-z_]+) ([0-9]{1,6})  book ([^ ]+) ([0-9a-f]{12})  scenario ([^ ]+)  seats ([1-9])  map ([0-9]{1,19})",
        "game NAME VERSION  book NAME DIGEST  scenario NAME  seats N  map N",
    )
    name, version, book_name, digest, scenario, seats, map_seed = found.groups()
    head_line = lines.number
    try:
        game: Game = find_game(name)
        book = game.find_book(book_name if book_name in game.books else None)
    except SandtableError as error:
        raise lines.bad(str(error)) from None
    if int(map_seed) > MASK_63:
        raise lines.bad(f"a map seed up to {MASK_63}")
    if int(version) != game.rules_version:
        raise lines.bad(
            f"rules version {game.rules_version} of {name}; this file was played under version {version}", 6
        )
    if book_name not in game.books:
        raise lines.bad(f"a book of {name}, one of {', '.join(game.books)}")
    changed = {}
    while setting := lines.maybe(r"set ([a-z_]+) (.+)"):
        try:
            changed[setting[1]] = json.loads(setting[2])
            book = book.changed({setting[1]: changed[setting[1]]}, "set")
        except (ValueError, RecursionError, SandtableError) as error:
            raise lines.bad(f"a number of the book ({error})") from None
    if book.digest != digest:
        lines.number = head_line
        raise lines.bad(f"the book {book_name} {book.digest}; this file was played under {book_name} {digest}")
    own = []
    while scenario == Start.OWN and (line := lines.maybe(r"\| (.*)")):
        own.append(line[1])
    start = Start(scenario, int(seats), int(map_seed), "\n".join(own) + "\n" if own else "")
    try:
        game.start_record(start, book)
    except BadText as error:
        lines.number = lines.number - len(own) + max(error.line, 1)
        raise lines.bad(error.expected, max(error.column, 0) + 2) from None
    except SandtableError as error:
        lines.number = head_line
        raise lines.bad(str(error)) from None
    dice = lines.match(
        r"dice (?:(faces|seed (?:0|[1-9][0-9]{0,18}))|(seal [0-9a-f]{64})  match ([0-9A-Za-z_-]{1,40}))",
        "dice seed N, dice faces or dice seal DIGEST  match ID",
    )
    if dice[1] and dice[1] != "faces" and int(dice[1].split()[1]) > MASK_63:
        raise lines.bad(f"a seed up to {MASK_63}")
    seeds: list[bytes] = []
    while dice[2] and (seed := lines.maybe(rf"seed {len(seeds)} ((?:[0-9a-f]{{2}}){{0,64}})")):
        seeds.append(bytes.fromhex(seed[1]))
    return Match(game, book, start, dice[1] or dice[2], (), None, dice[3] or "", tuple(seeds))
