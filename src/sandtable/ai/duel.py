"""Players against each other, seats rotated: who wins how often, with intervals.

The games of one group (two games for two seats) share deal and dice; the players move on by one seat from game to game.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from sandtable.ai.players import SCRIPTED, Player, find_player
from sandtable.kit.dice import draw_at
from sandtable.protocol.batch import Batch
from sandtable.protocol.book import Book
from sandtable.protocol.errors import SandtableError
from sandtable.protocol.game import Game
from sandtable.protocol.position import Position

Progress = Callable[[int, int], None]
CHUNK = 40  # games a thread plays between two steps of the progress bar


def wilson(points: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson), draws counted as half."""
    if games == 0:
        return 0.0, 1.0
    z = 1.959964
    share = points / games
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


@dataclass
class Score:
    """One player's games. A win is a first place not shared by all, a draw a shared one."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.wins + self.draws / 2, self.games)

    def count(self, place: int, is_shared: bool) -> None:
        if place > 1:
            self.losses += 1
        elif is_shared:
            self.draws += 1
        else:
            self.wins += 1


@dataclass
class Duel:
    """What a duel showed. `by_seat` counts wins and draws by seat, `plies` the actions of each game."""

    game: str
    scenario: str
    players: list[Score]
    by_seat: list[Score] = field(default_factory=list)
    plies: list[int] = field(default_factory=list)
    reasons: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)  # games lost by an exception or an illegal answer

    @property
    def games(self) -> int:
        return len(self.plies)

    def count(self, number: int, places: tuple[int, ...], plies: int, reason: str) -> None:
        if not reason:  # longer than the game says it can be
            self.faults.append(f"game {number}: no end after {plies} actions")
            places, reason = (1,) * len(places), "unfinished"
        is_shared = places.count(1) > 1
        for seat, place in enumerate(places):
            self.players[(seat + number) % len(places)].count(place, is_shared)
            self.by_seat[seat].count(place, is_shared)
        self.plies.append(plies)
        self.reasons[reason] = self.reasons.get(reason, 0) + 1

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "scenario": self.scenario,
            "games": self.games,
            "players": [_as_dict(score) for score in self.players],
            "seats": [_as_dict(score) for score in self.by_seat],
            "reasons": self.reasons,
            "mean_plies": round(sum(self.plies) / max(1, self.games), 1),
            "faults": self.faults,
        }

    def __str__(self) -> str:
        lines = [f"{self.game}, scenario {self.scenario}, {self.games} games, seats rotated"]
        for score in [*self.players, *self.by_seat]:
            low, high = score.interval
            lines.append(
                f"  {score.name:<14} {100 * score.score:5.1f} %  [{100 * low:.1f}, {100 * high:.1f}]  "
                f"{score.wins} won, {score.draws} drawn, {score.losses} lost"
            )
        ends = ", ".join(f"{count} {reason}" for reason, count in sorted(self.reasons.items()))
        lines.append(f"  ended by: {ends}; {sum(self.plies) / max(1, self.games):.0f} actions a game")
        lines += [f"  fault: {fault}" for fault in self.faults[:5]]
        return "\n".join(lines)


def _as_dict(score: Score) -> dict[str, Any]:
    low, high = score.interval
    return {
        "name": score.name, "wins": score.wins, "draws": score.draws, "losses": score.losses,
        "score": round(score.score, 6), "low": round(low, 6), "high": round(high, 6),
    }  # fmt: skip


def duel(
    game: Game, *players: Any, games: int = 200, seed: int = 1, scenario: str | None = None,
    book: str | Path | Mapping[str, Any] | Book | None = None, progress: Progress | None = None,
) -> Duel:  # fmt: skip
    """Play `games` games. A player is a name, FILE.py:CLASS, a class, or an object with choose(position, seat)."""
    if len(players) not in game.traits.seats:
        raise SandtableError(
            f"{game.title} is for {' or '.join(map(str, game.traits.seats))} players, not {len(players)}"
        )
    if games < 1:
        raise SandtableError("a duel needs at least one game")
    names = [player if isinstance(player, str) else type(player).__name__ for player in players]
    for player in players:
        if isinstance(player, str):
            find_player(player)  # an unknown name is refused before the first game
    result = Duel(game.name, game.scenario(scenario).name, [Score(name) for name in names])
    result.by_seat = [Score(f"seat {seat}") for seat in range(len(players))]
    found = game.find_book(book)
    if all(isinstance(player, str) and player in SCRIPTED for player in players):
        _play_scripted(result, game, names, games, seed, found, progress)
    else:
        _play_objects(result, game, players, games, seed, found, progress)
    return result


def _play_scripted(
    result: Duel, game: Game, names: list[str], games: int, seed: int, book: Book, progress: Progress | None
) -> None:
    """Whole games inside compiled code, on all cores; the order of results is the order of games."""
    game.engine.compile()
    seats = len(names)
    batch = Batch(game, games, result.scenario, seed=seed, seats=seats, book=book, group=seats)
    chunks = [range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]
    pool = ThreadPoolExecutor(os.cpu_count() or 1)
    try:
        done = 0
        for chunk, _ in zip(chunks, pool.map(lambda part: batch.play_out(*names, only=part), chunks), strict=True):
            done += len(chunk)
            if progress is not None:
                progress(done, games)
    finally:
        pool.shutdown(cancel_futures=True)  # Ctrl-C waits for the games under way, not for those queued
    for number in range(games):
        places = tuple(batch.places[number].tolist())
        reason = game.layout.REASONS[int(batch.reasons[number])]
        result.count(number, places, int(batch.plies[number]), reason)


def _play_objects(
    result: Duel, game: Game, players: tuple[Any, ...], games: int, seed: int, book: Book, progress: Progress | None
) -> None:
    for number in range(games):
        deal_seed = draw_at(seed, number // len(players))
        seated = [
            _seat(players[(seat + number) % len(players)], draw_at(deal_seed, seat)) for seat in range(len(players))
        ]
        _play_one(result, game, seated, number, deal_seed, book)
        if progress is not None:
            progress(number + 1, games)


def _seat(player: Any, seed: int) -> Player:
    """Names and classes give a fresh player for each game; an object plays as it is."""
    if isinstance(player, str):
        return find_player(player, seed)
    return player() if isinstance(player, type) else player  # type: ignore[no-any-return]


def _answer(player: Player, position: Position, seat: int) -> str:
    text = player.choose(position.seen(seat), seat)
    if not isinstance(text, str):
        raise SandtableError(f"choose must answer with an action's text, not {text!r}")
    return text


def _play_one(result: Duel, game: Game, seated: list[Player], number: int, seed: int, book: Book) -> None:
    position = game.deal(result.scenario, seed=seed, seats=len(seated), book=book)
    plies = 0
    while (ended := position.outcome) is None:
        seat = position.to_act[0]
        try:
            if plies >= game.traits.longest:
                raise SandtableError(f"no end after {plies} actions")
            position.play(_answer(seated[seat], position, seat), seat)
        except (Exception, SystemExit) as error:  # whatever a player does wrong costs it the game, and is shown
            name = result.players[(seat + number) % len(seated)].name
            result.faults.append(f"game {number}, {name}: {type(error).__name__}: {error}")
            places = tuple(2 if loser == seat else 1 for loser in range(len(seated)))
            result.count(number, places, plies, "fault")
            return
        plies += 1
    result.count(number, ended.places, plies, ended.reason)
