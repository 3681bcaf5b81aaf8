"""What only a checkout of the source has: the benchmarks beside the package."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sandtable.protocol.errors import SandtableError

BENCH = Path(__file__).parents[3] / "bench" / "run.py"


def benchmark() -> Callable[[str, bool], Any]:
    """The function that runs a game's benchmark and prints what it finds."""
    spec = importlib.util.spec_from_file_location("bench.run", BENCH)
    if not BENCH.is_file() or spec is None or spec.loader is None:
        raise SandtableError(
            "the benchmarks come with the source, not with the installed package; run this in a checkout"
        )
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(BENCH.parents[1]))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(BENCH.parents[1]))
    main: Callable[[str, bool], Any] = module.main
    return main
