"""What only a checkout of the source has: the benchmarks in bench/, beside the package."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from sandtable.protocol.errors import SandtableError

BENCH = Path(__file__).parents[3] / "bench"


def run_benchmark(game: str, as_json: bool) -> int:
    """Run a game's benchmark, which prints what it finds; its exit code."""
    if not (BENCH / "run.py").is_file():
        raise SandtableError("the benchmarks come with the source, not with the installed package; use a checkout")
    if not (BENCH / f"{game}.py").is_file():
        raise SandtableError(f"there is no benchmark of {game} in {BENCH}")
    sys.path.insert(0, str(BENCH.parent))
    return int(import_module("bench.run").main(game, as_json))
