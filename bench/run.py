"""`sandtable bench GAME`: measures a game against its C program and prints what came out."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

from sandtable.cli.progress import Progress
from sandtable.protocol.errors import SandtableError

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that bench.<game> is found from any folder


def main(game: str, as_json: bool) -> int:
    """Exit code 1 when the two programs do not end every game in the same bytes."""
    program = importlib.import_module(f"bench.{game}")
    if not program.is_possible():
        raise SandtableError("this bench compares with a C program: install gcc first")
    with Progress(f"{program.ROUNDS} rounds") as progress:
        found = program.measure(progress=progress)
    print(json.dumps(found) if as_json else table(found))
    return 0 if found["same_bytes"] else 1


def table(found: dict[str, Any]) -> str:
    """The rounds and their medians, for people."""
    lines = ["      C/s  compiled/s    step/s   ratio   step ratio"]
    lines += [
        f"{row['c']:9,} {row['compiled']:11,} {row['step']:9,} {row['ratio']:7.3f} {row['step_ratio']:12.3f}"
        for row in found["rounds"]
    ]
    lines.append(f"medians: ratio {found['ratio']:.3f}, step_ratio {found['step_ratio']:.3f}")
    same = "the same bytes" if found["same_bytes"] else "DIFFERENT BYTES"
    lines.append(f"{found['playouts_per_s']:,} playouts/s; {found['games_compared']:,} games end in {same} as in C")
    return "\n".join(lines)
