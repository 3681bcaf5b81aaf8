"""The games the suite runs over: all that are registered, and the smallest one there can be. And positions of each."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import sandtable
from sandtable.kit.dice import below, draw_at
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.game import Game
from sandtable.protocol.position import Position
from tests.conformance.pebbles import GAME as PEBBLES

REGISTERED: dict[str, Game] = {name: sandtable.game(name) for name in sandtable.games()}
GAMES: dict[str, Game] = REGISTERED | {PEBBLES.name: PEBBLES}
IS_INTERPRETED = os.environ.get("SANDTABLE_COMPILE") == "0"  # this lane is slow: fewer and shorter games


def find(name: str) -> Game:
    """Like sandtable.game, with the made-up game among the others."""
    return GAMES[name] if name in GAMES else sandtable.game(name)


def at(position: Position) -> tuple[Any, Any, int, Any]:
    """What every slot is asked with: book, positions, i, work. The record is a copy."""
    return position.book.record, position.record, 0, position.game.blank_work()


def picked(position: Position, seat: int, draw: int) -> str:
    """What `pick` would play."""
    out = blank_actions(1)
    position.game.engine.pick(*at(position), seat, draw, out)
    return str(position.game.notation.write_action(out[0]))


@cache
def played(name: str, scenario: str, seed: int = 1, seats: int = 0) -> tuple[Position, ...]:
    """Every position of a game at random, from the deal to the end; where several may act, any of them."""
    position = find(name).deal(scenario, seed=seed, seats=seats or None)
    past = [position.copy()]
    while position.to_act:
        draw = draw_at(seed, len(past))
        seat = position.to_act[below(draw, len(position.to_act))]
        position.play(picked(position, seat, draw_at(draw, 0)), seat=seat)
        past.append(position.copy())
        assert len(past) <= find(name).traits.longest + 1
    return tuple(past)


def games_of(name: str) -> list[tuple[Position, ...]]:
    """A whole game from each scenario, and for each number of seats."""
    game = find(name)
    return [played(name, scenario, seats=seats) for scenario in game.scenarios for seats in game.traits.seats]


@cache
def samples(name: str) -> tuple[Position, ...]:
    """Some positions: in each of those games the first and the last for every set of seats that may act, and a few
    spread over the rest."""
    chosen: list[Position] = []
    for past in games_of(name):
        numbers = {len(past) * k // 8 for k in range(8)}
        for acting in {position.to_act for position in past}:
            alike = [n for n, position in enumerate(past) if position.to_act == acting]
            numbers |= {alike[0], alike[-1]}
        chosen += [past[n] for n in sorted(numbers)]
    return tuple(chosen)


def choices(name: str) -> list[tuple[Position, int]]:
    """The samples where somebody must act, with each seat that may."""
    return [(position, seat) for position in samples(name) for seat in position.to_act]
