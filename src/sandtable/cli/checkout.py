"""What only a checkout of the source has: the benchmarks in bench/, beside the package."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from sandtable.cli.compiling import make_ready
from sandtable.protocol.errors import SandtableError
from sandtable.protocol.game import Game

BENCH = Path(__file__).parents[3] / "bench"


def run_benchmark(game: Game, as_json: bool) -> int:
    """Run a game's benchmark, which prints what it finds; its exit code."""
    if not (BENCH / "run.py").is_file():
        raise SandtableError("the benchmarks come with the source, not with the installed package; use a checkout")
    if not (BENCH / f"{game.name}.py").is_file():
        raise SandtableError(f"there is no benchmark of {game.title} in {BENCH}")
    make_ready(game)
    sys.path.insert(0, str(BENCH.parent))
    return int(import_module("bench.run").main(game.name, as_json))
