"""The games, found by folder; and by the entry point group `sandtable.games` for packages outside."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType

from sandtable.protocol.errors import Unknown
from sandtable.protocol.game import Game


def shipped() -> list[str]:
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/__init__.py"))


@cache
def outside() -> dict[str, metadata.EntryPoint]:
    return {entry.name: entry for entry in metadata.entry_points(group="sandtable.games")}


def names() -> list[str]:
    return sorted({*shipped(), *outside()})


@cache
def find(name: str) -> Game:
    """The game of this name, or a sentence with the names there are."""
    if name in shipped():
        game = import_module(f"sandtable.games.{name}").GAME
    elif name in outside():
        game = outside()[name].load()
    else:
        raise Unknown("game", name, names())
    if not isinstance(game, Game):
        raise Unknown("game", name, names())
    return game


class _CallableModule(ModuleType):
    """`sandtable.games` is this package and `sandtable.games()` the list of games: importing the one hides the other,
    so the package answers the call itself."""

    def __call__(self) -> list[str]:
        return names()


sys.modules[__name__].__class__ = _CallableModule
