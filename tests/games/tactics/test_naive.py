"""Kernels against the naive twin: two hundred games at random, ten thousand with --deep."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import pytest

from tests.games.tactics.side_by_side import GAME, play_side_by_side

BOOKS = {
    "standard": None,
    "guard-squares": "guard-squares",
    "slow-start": "slow-start",
    "other numbers": {
        "army": [2, 1, 2, 0, 2, 2, 1, 1], "straight_cost": 3, "diagonal_cost": 2, "home_ranks": 4, "draw_after": 5,
        "takes": [[int((row + column) % 3 == 0) for column in range(8)] for row in range(8)],
    },
}  # fmt: skip
# Every eight games: placed in secret under each book, and the scenarios that come with their armies.
TURN = [
    ("opening", "standard"), ("opening", "guard-squares"), ("opening", "slow-start"), ("opening", "other numbers"),
    ("random", "standard"), ("classic", "standard"), ("brief", "standard"), ("random", "slow-start"),
]  # fmt: skip
QUICK, DEEP, BLOCK = 200, 10_000, 250


def play(numbers: range) -> Counter[str]:
    """These games; how many actions by scenario and book."""
    GAME.engine.compile()
    plies: Counter[str] = Counter()
    for number in numbers:
        scenario, book = TURN[number % len(TURN)]
        plies[f"{scenario}, {book}"] += play_side_by_side(number, scenario, GAME.find_book(BOOKS[book]))
    return plies


def test_two_hundred_games_are_the_same_on_both_sides():
    plies = play(range(QUICK))
    assert len(plies) == len(set(TURN))
    assert sum(plies.values()) > 50 * QUICK


@pytest.mark.kernels
def test_a_few_games_in_every_lane():
    play(range(QUICK, QUICK + len(TURN)))


@pytest.mark.deep
def test_ten_thousand_games_are_the_same_on_both_sides(capsys):
    """Several processes, and a line for every block that is done."""
    blocks = [range(start, start + BLOCK) for start in range(0, DEEP, BLOCK)]
    begun, plies = time.monotonic(), 0
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        running = [pool.submit(play, block) for block in blocks]
        for done, block in enumerate(as_completed(running), 1):
            plies += sum(block.result().values())
            with capsys.disabled():
                seconds = time.monotonic() - begun
                print(f"\n{done * BLOCK} of {DEEP} games, {plies} actions, {seconds:.0f} s", end="", file=sys.stderr)
    assert plies > 50 * DEEP
