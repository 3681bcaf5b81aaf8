"""Many matches at once: arrays of positions, played out by scripted players with no Python in the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sandtable.kit.dice import MASK_63, draw_at
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.errors import SandtableError, Unknown
from sandtable.protocol.game import Start
from sandtable.protocol.slots import GREEDY, LISTING, PICKING

if TYPE_CHECKING:
    from sandtable.protocol.book import Book
    from sandtable.protocol.game import Array, Game

STYLES = {"listing": LISTING, "random": PICKING, "greedy": GREEDY}


class Batch:
    """`positions` is one numpy array; after `play_out`, so are `places`, `plies` and `reasons`."""

    def __init__(
        self, game: Game, count: int, scenario: str | None, *, seed: int, seats: int | None, book: Book,
        group: int = 1,
    ) -> None:  # fmt: skip
        """Each game is dealt from its own number of the seed; the games of a group share deal and dice."""
        self.game, self.book, self._group = game, book, group
        self.seats = game.traits.seats[0] if seats is None else seats
        numbers = [draw_at(seed & MASK_63, n // group) for n in range(count)]
        name = game.scenario(scenario).name
        self.positions: Array = np.zeros(count, dtype=game.layout.POSITION)
        for n, number in enumerate(numbers):
            self.positions[n] = game.start_record(Start(name, self.seats, number), book)[0]
        self.seeds: Array = np.array(numbers, dtype=np.int64)
        self.places: Array = np.zeros((count, self.seats), dtype=np.uint8)
        self.plies: Array = np.zeros(count, dtype=np.int64)
        self.reasons: Array = np.zeros(count, dtype=np.uint8)

    def play_out(self, *players: str, only: range | None = None) -> Batch:
        """Play the games (or only these) to their ends: one scripted player (listing, random, greedy) per seat.

        In a group the players move on by one seat from game to game.
        """
        for player in players:
            if player not in STYLES:
                raise Unknown("scripted player", player, list(STYLES))
        if len(players) != self.seats:
            raise SandtableError(f"this batch is for {self.seats} players, one per seat, not {len(players)}")
        game = self.game
        game.engine.compile()
        part = range(len(self.positions)) if only is None else only
        styles = np.zeros((len(part), self.seats), dtype=np.uint8)
        for row, number in enumerate(part):
            moved_on = number if self._group > 1 else 0
            styles[row] = [STYLES[players[(seat + moved_on) % self.seats]] for seat in range(self.seats)]
        here = slice(part.start, part.stop)
        spare = np.zeros(2, dtype=game.layout.POSITION)
        ranks = np.zeros((1, self.seats), dtype=np.uint8)
        game.engine.play_out(
            self.book.record, self.positions[here], 0, len(part), spare, game.blank_work(2), styles, self.seeds[here],
            game.traits.longest, blank_actions(game.layout.LONGEST_LIST), ranks, self.places[here], self.reasons[here],
            self.plies[here],
        )  # fmt: skip
        return self
