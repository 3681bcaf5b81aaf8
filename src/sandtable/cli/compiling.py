"""`sandtable compile`: a game's machine code made ahead, with its progress shown."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from sandtable.cli.parser import Commands, add_command
from sandtable.cli.progress import Progress

if TYPE_CHECKING:
    from sandtable.protocol.engine import Engine
    from sandtable.protocol.game import Game

NICENESS = 15
MORE = "Commands that measure do this by themselves and wait for it; `sandtable play` has it done in the background."
EXAMPLES = """\
  sandtable compile  every game
  sandtable compile tactics
"""


def add(commands: Commands) -> None:
    parser = add_command(commands, "compile", compile_games, "make a game fast, ahead of its first use", MORE, EXAMPLES)
    parser.add_argument("game", metavar="GAME", nargs="?", help="name of the game (default: all)")
    parser.add_argument("--quiet", action="store_true", help="say nothing")
    parser.add_argument("--nice", action="store_true", help="leave the processor to everybody else")


def compile_games(wanted: argparse.Namespace) -> int:
    import sandtable

    if wanted.nice and hasattr(os, "nice"):
        os.nice(NICENESS)
    for name in [wanted.game] if wanted.game else sandtable.games():
        engine = sandtable.game(name).engine
        if wanted.quiet:
            engine.compile()
        else:
            make_ready(sandtable.game(name))
            print(f"{name}: {_state(engine)}")
    return 0


def make_ready(game: Game) -> None:
    """Compile or load a game's machine code before it is measured; where that takes time, it shows."""
    with Progress(f"Compiling {game.name} (once)") as progress:
        game.engine.compile(progress.compiling)


def _state(engine: Engine) -> str:
    if engine.is_compiled:
        return f"compiled, kept in {engine.folder}"
    return "interpreted, because SANDTABLE_COMPILE is 0"
