"""Tactics against C: random games from scenario `random`, uniform over the full legal list, one pinned thread.

Both programs start from the same positions, draw from the same generator, and must end every game in the same bytes
before anything is measured. Then rounds of at least a second alternate: C, compiled kernels, one Python call of `step`
per decision. The figures are medians of the rounds' ratios to C.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import sandtable
from sandtable.kit.dice import below
from sandtable.protocol.batch import Batch
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.game import Game

HERE = Path(__file__).parent
COMPILER = ["gcc", "-O3", "-march=native"]
STARTS = 1000
SEED = 7
ROUNDS = 9
SECONDS = 1.1  # a round is at least a second long


class Yardstick:
    """The C program, built into a temporary folder with its book and start positions."""

    def __init__(self, game: Game, folder: Path, starts: np.ndarray[Any, Any]) -> None:
        self.folder = folder
        subprocess.run([*COMPILER, "-o", folder / "tactics", HERE / "tactics.c"], check=True)
        (folder / "book.bin").write_bytes(game.book.record.tobytes())
        (folder / "starts.bin").write_bytes(starts.tobytes())

    def run(self, games: int, out: str = "-", seconds: float = 0) -> dict[str, Any]:
        files = [self.folder / name for name in ("tactics", "book.bin", "starts.bin")]
        command = [*files, games, SEED, out, seconds]
        done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def is_possible() -> bool:
    return shutil.which("gcc") is not None


def starts_of(game: Game, count: int = STARTS) -> np.ndarray[Any, Any]:
    return Batch(game, count, "random", seed=SEED, seats=2, book=game.book).positions


def play_compiled(game: Game, starts: np.ndarray[Any, Any], games: int) -> tuple[np.ndarray[Any, Any], int, float]:
    """Final positions, decisions and seconds of so many games, all in one call."""
    positions = np.resize(starts, games)
    seeds = np.arange(SEED, SEED + games, dtype=np.int64)
    places = np.zeros((games, 2), dtype=np.uint8)
    reasons, plies = np.zeros(games, dtype=np.uint8), np.zeros(games, dtype=np.int64)
    styles = np.zeros((games, 2), dtype=np.uint8)  # uniform over the list
    spare, ranks = np.zeros(2, dtype=game.layout.POSITION), np.zeros((1, 2), dtype=np.uint8)
    work, out = game.blank_work(2), blank_actions(game.layout.LONGEST_LIST)
    begun = time.perf_counter()
    decisions = game.engine.play_out(
        game.book.record, positions, 0, games, spare, work, styles, seeds, game.traits.longest, out, ranks, places,
        reasons, plies,
    )  # fmt: skip
    return positions, int(decisions), time.perf_counter() - begun


def steps_per_second(game: Game, starts: np.ndarray[Any, Any], seconds: float) -> float:
    """Decisions a second of a Python loop that calls `step` once for each and chooses in Python."""
    step, book = game.engine.step, game.book.record
    work, out = game.blank_work(), blank_actions(game.layout.LONGEST_LIST)
    numbers = np.random.default_rng(SEED).integers(0, 2**32, size=4096).tolist()
    position = starts[:1].copy()
    decisions, dealt, answer = 0, 0, 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        for number in numbers:
            if answer:
                answer = step(book, position, 0, work, (number * (answer >> 3)) >> 32, number, out)
            else:
                dealt += 1
                position[0] = starts[dealt % len(starts)]
                answer = step(book, position, 0, work, -1, number, out)
                decisions -= 1
        decisions += len(numbers)
    return decisions / (time.perf_counter() - begun)


def same_bytes(game: Game, games: int = 10_000) -> bool:
    """Whether C and the compiled kernels end these games in the same bytes."""
    starts = starts_of(game)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.bin"
        Yardstick(game, Path(folder), starts).run(games, str(out))
        return out.read_bytes() == play_compiled(game, starts, games)[0].tobytes()


def measure(rounds: int = ROUNDS, seconds: float = SECONDS, progress: Any = None) -> dict[str, Any]:
    """All figures, as `sandtable bench tactics --json` prints them."""
    game = sandtable.game("tactics")
    game.engine.compile()
    assert below(2**62, 6) == 3  # the generator's convention, on which the C program relies
    starts = starts_of(game)
    before = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    with tempfile.TemporaryDirectory() as folder:
        c = Yardstick(game, Path(folder), starts)
        is_same = same_bytes(game)
        per_round = c.run(STARTS)["decisions_per_s"] * seconds
        games = max(1, round(per_round / 175))
        table = []
        try:
            if before is not None:
                os.sched_setaffinity(0, {max(before)})
            for number in range(rounds):
                in_c = c.run(games, seconds=seconds)["decisions_per_s"]
                _, decisions, spent = play_compiled(game, starts, games)
                stepped = steps_per_second(game, starts, seconds)
                row = {"c": round(in_c), "compiled": round(decisions / spent), "step": round(stepped)}
                table.append({**row, "ratio": round(row["compiled"] / in_c, 3), "step_ratio": round(stepped / in_c, 3)})
                if progress is not None:
                    progress(number + 1, rounds)
        finally:
            if before is not None:
                os.sched_setaffinity(0, before)
    middle = {name: statistics.median(row[name] for row in table) for name in table[0]}
    return {
        "game": "tactics",
        "same_bytes": is_same,
        "games_compared": 10_000,
        "decisions_per_s": round(middle["compiled"]),
        "playouts_per_s": round(middle["compiled"] / (decisions / games)),
        "ratio": middle["ratio"],
        "step_ratio": middle["step_ratio"],
        "rounds": table,
    }
