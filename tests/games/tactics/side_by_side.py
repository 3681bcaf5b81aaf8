"""Games at random through the kernels and the naive twin at once: same texts, lists, refusals and results."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import sandtable
from sandtable.games.tactics import notation
from sandtable.games.tactics.layout import REFUSALS, SIGNS
from sandtable.protocol.book import Book
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.game import Start
from sandtable.protocol.records import ALL
from tests.games.tactics.naive import Naive

GAME = sandtable.game("tactics")
LONG = 200  # lists from this length on are compared every 20th time


def naive_book(book: Book) -> dict[str, Any]:
    """The book's numbers as the twin wants them."""
    takes = {mine: "".join(SIGNS[n] for n in range(8) if book["takes"][row][n]) for row, mine in enumerate(SIGNS)}
    numbers = {name: book[name] for name in ("straight_cost", "diagonal_cost", "home_ranks", "draw_after")}
    switches = {name: bool(book[name]) for name in ("reserve_guard_squares", "initial_charge")}
    return {"army": dict(zip(SIGNS, book["army"], strict=True)), "takes": takes, **numbers, **switches}


def twin_of(text: str, book: Book) -> Naive:
    return Naive.read(text, naive_book(book))


class Pair:
    """One position on both sides."""

    def __init__(self, scenario: str, book: Book, map_seed: int) -> None:
        self.book = book
        self.record = GAME.start_record(Start(scenario, 2, map_seed), book)
        self.twin = twin_of(self.text(), book)
        self.place = (book.record, self.record, 0, GAME.blank_work())
        self.listings = 0

    def text(self) -> str:
        return notation.write_position(self.record[0], self.book)

    def legal(self, seat: int) -> list[str]:
        """The legal list of the kernels, the twin's being the same."""
        out = blank_actions(GAME.layout.LONGEST_LIST)
        n = GAME.engine.actions(*self.place, seat, ALL, out)
        listed = [notation.write_action(action) for action in out[:n].tolist()]
        self.listings += 1
        if n < LONG or self.listings % 20 == 0:
            theirs = self.twin.legal(seat)
            assert len(theirs) == len(listed)
            assert set(theirs) == set(listed), self.text()
        return listed

    def play(self, seat: int, text: str) -> None:
        given = blank_actions(1)
        given[0] = notation.read_action(text)
        GAME.engine.apply(*self.place, seat, given, 0)
        self.twin.play(seat, text)

    def roll(self, first: int, second: int) -> None:
        GAME.engine.roll(*self.place, notation.outcome_of((first, second)))
        self.twin.roll(first, second)

    def why_not(self, seat: int, text: str) -> str | None:
        given = blank_actions(1)
        given[0] = notation.read_action(text)
        code = GAME.engine.check(*self.place, seat, given, 0)
        return REFUSALS[code][0] if code else None

    def assert_same(self) -> None:
        assert self.twin.text() == self.text()
        assert self.twin.rolls_due() == (GAME.engine.chance(*self.place) != 0)
        mask = GAME.engine.who(*self.place)
        assert self.twin.who() == tuple(seat for seat in (0, 1) if mask >> seat & 1)

    def assert_same_refusals(self, chance: random.Random) -> None:
        """For texts of any phase, most of them illegal, from either seat."""
        for _ in range(3):
            seat, text = chance.randrange(2), random_text(self.record["cell"][0], chance)
            assert self.twin.why_not(seat, text) == self.why_not(seat, text), (seat, text, self.text())

    def assert_same_outcome(self) -> None:
        places = np.zeros((1, 2), np.uint8)
        reason = GAME.engine.outcome(*self.place, places)
        assert self.twin.outcome() == (tuple(places[0].tolist()), GAME.layout.REASONS[reason])


def random_text(cells: Any, chance: random.Random) -> str:
    """An action text: half of them begin where a piece stands and go one or two squares."""
    if chance.random() < 0.1:
        return chance.choice(["attack", "defend", "ready", "end"])
    names = [notation.square_name(cell) for cell in notation.squares()]
    if chance.random() < 0.2:
        return f"place {chance.choice(names)} {chance.choice(SIGNS)}"
    standing = [cell for cell in notation.squares() if cells[cell]] or notation.squares()
    at = chance.choice(standing)
    near = [at + column + 10 * row for column in range(-2, 3) for row in range(-2, 3)]
    to = chance.choice([cell for cell in near if cell in notation.squares()] if chance.random() < 0.8 else standing)
    return f"{notation.square_name(at)}{chance.choice('-x')}{notation.square_name(to)}"


def play_side_by_side(seed: int, scenario: str, book: Book) -> int:
    """One whole game; how many actions it took."""
    chance = random.Random(f"{seed} {scenario} {book.digest}")
    pair = Pair(scenario, book, chance.getrandbits(63))
    plies = 0
    while True:
        pair.assert_same()
        pair.assert_same_refusals(chance)
        if pair.twin.rolls_due():
            pair.roll(chance.randint(1, 6), chance.randint(1, 6))
            continue
        if not pair.twin.who():
            break
        if chance.random() < 0.0002:
            seat = chance.randrange(2)
            GAME.engine.concede(*pair.place, seat)
            pair.twin.concede(seat)
            continue
        seat = chance.choice(pair.twin.who())
        pair.play(seat, chance.choice(pair.legal(seat)))
        plies += 1
    pair.assert_same_outcome()
    return plies
