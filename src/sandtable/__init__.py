"""Sandtable: turn-based war games as a fast Python library.

    >>> import sandtable
    >>> position = sandtable.game("tactics").deal("classic", seed=7)
    >>> position.actions()
    ['attack', 'defend']

Nothing is loaded before it is used: importing this package is instant, and the compiler is not touched until a game
needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from sandtable.ai.duel import Duel as Duel
    from sandtable.protocol.errors import (
        BadBook as BadBook,
    )
    from sandtable.protocol.errors import (
        BadText as BadText,
    )
    from sandtable.protocol.errors import (
        IllegalAction as IllegalAction,
    )
    from sandtable.protocol.errors import (
        NoDice as NoDice,
    )
    from sandtable.protocol.errors import (
        NotCountable as NotCountable,
    )
    from sandtable.protocol.errors import (
        Refusal as Refusal,
    )
    from sandtable.protocol.errors import (
        SandtableError as SandtableError,
    )
    from sandtable.protocol.game import Game
    from sandtable.protocol.match import Match
    from sandtable.protocol.position import Outcome as Outcome
    from sandtable.protocol.position import Position as Position

_ERRORS = ("BadBook", "BadText", "IllegalAction", "NoDice", "NotCountable", "Refusal", "SandtableError", "Unknown")

_TYPES = {
    "Duel": "sandtable.ai.duel",
    "Match": "sandtable.protocol.match",
    "Outcome": "sandtable.protocol.outcome",
    "Position": "sandtable.protocol.position",
}

__all__ = ["duel", "game", "games", "player", "read_match", *_ERRORS]


def __getattr__(name: str) -> Any:
    if name in _ERRORS:
        from sandtable.protocol import errors

        return getattr(errors, name)
    if name in _TYPES:
        return getattr(import_module(_TYPES[name]), name)
    raise AttributeError(f"module 'sandtable' has no attribute {name!r}")


def games() -> list[str]:
    """The names of all games there are."""
    from sandtable.games import names

    return names()


def game(name: str) -> Game:
    """A game by name."""
    from sandtable.games import find
    from sandtable.protocol.position import Position

    if Position.painter is None:
        Position.painter = _paint
    return find(name)


def _paint(scene: dict[str, Any]) -> str:
    from sandtable import draw

    return draw.svg(scene)


def read_match(text: str) -> Match:
    """A match from its file."""
    from sandtable.protocol.match import read_match as read

    return read(text, game)


def player(name: str, seed: int = 0, simulations: int | None = None, seconds: float | None = None) -> Any:
    """A player by name (`random`, `greedy`), by entry point, or from a file: `mybot.py:Bot`."""
    from sandtable.ai.players import find_player

    return find_player(name, seed, simulations, seconds)


def duel(game_name: str, one: Any, other: Any, **options: Any) -> Duel:
    """Two players against each other, seats mirrored: `duel("tactics", Bot(), "greedy", games=200, seed=1)`."""
    from sandtable.ai.duel import duel as run

    return run(game(game_name), one, other, **options)
