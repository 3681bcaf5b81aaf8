"""Players by name. A player is any object with `choose(position, seat)` → action text.

It is handed `position.seen(seat)`: no coming dice, no secrets, no past.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from sandtable.kit.dice import MASK_63, draw_at
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.errors import SandtableError, Unknown
from sandtable.protocol.position import Position

SCRIPTED = {"random": "pick", "greedy": "greedy"}  # players that are a slot of the game, in every game
GROUP = "sandtable.players"


class Player(Protocol):
    def choose(self, position: Position, seat: int) -> str: ...


class ScriptedPlayer:
    """Plays a slot of the game: `random` its `pick`, `greedy` its fixed yardstick. Same seed, same games."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name, self._slot, self._seed, self._choices = name, SCRIPTED[name], seed & MASK_63, 0

    def choose(self, position: Position, seat: int) -> str:
        game = position.game
        record = position.seen(seat).record
        out = blank_actions(game.layout.LONGEST_LIST)
        draw = draw_at(self._seed, self._choices)
        self._choices += 1
        slot = getattr(game.engine, self._slot)
        slot(position.book.record, record, 0, game.blank_work(), seat, draw, out)
        return str(game.notation.write_action(out[0]))


def names() -> list[str]:
    return [*SCRIPTED, *sorted(entry.name for entry in metadata.entry_points(group=GROUP))]


def find_player(name: str, seed: int = 0, simulations: int | None = None, seconds: float | None = None) -> Player:
    """A player by its name, by entry point, or as FILE.py:CLASS."""
    if name in SCRIPTED:
        if simulations is not None or seconds is not None:
            raise SandtableError(f"{name} plays by a fixed script: simulations and seconds mean nothing to it")
        return ScriptedPlayer(name, seed)
    if ".py:" in name:
        maker = _from_file(name)
    else:
        found = [entry for entry in metadata.entry_points(group=GROUP) if entry.name == name]
        if not found:
            raise Unknown("player", name, [*names(), "FILE.py:CLASS"])
        maker = found[0].load()
    wishes = {"seed": seed, "simulations": simulations, "seconds": seconds}
    try:
        known = inspect.signature(maker).parameters
        player = maker(**{wish: value for wish, value in wishes.items() if wish in known and value is not None})
    except Exception as error:
        raise SandtableError(f"{name} cannot be made: {type(error).__name__}: {error}") from error
    if not callable(getattr(player, "choose", None)):
        raise SandtableError(f"{name} is no player: it needs a method choose(position, seat)")
    return player  # type: ignore[no-any-return]


def _from_file(name: str) -> Callable[..., Any]:
    file, _, attribute = name.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise SandtableError(f"no file {file}")
    module = _module(path.resolve(), path.stat().st_mtime_ns)
    if not callable(getattr(module, attribute, None)):
        raise SandtableError(f"{file} has no class or function {attribute!r}")
    return getattr(module, attribute)  # type: ignore[no-any-return]


@cache
def _module(path: Path, _: int) -> ModuleType:
    """The file, run once as long as it is not changed."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise SandtableError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise SandtableError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return module
