"""The two sides of a kernel: every test of a kernel runs on both, where there is a compiler."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sandtable.kit.kernel import Compiler

Side = Callable[[Callable[..., Any]], Callable[..., Any]]

MODES = ["interpreted"] if os.environ.get("SANDTABLE_COMPILE") == "0" else ["interpreted", "compiled"]
BOUNDS = os.environ.get("SANDTABLE_BOUNDS") == "1"


def compiler(types: dict[str, Any] | None = None, folder: Path | None = None) -> Compiler:
    return Compiler(types or {}, folder, BOUNDS)


def in_mode(mode: str, types: dict[str, Any] | None = None) -> Side:
    """What makes a kernel callable in this mode."""
    return (lambda function: function) if mode == "interpreted" else compiler(types).entry
