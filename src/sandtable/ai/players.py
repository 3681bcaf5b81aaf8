"""Players by name. A player is any object with `choose(position, seat)` → action text.

It is handed `position.seen(seat)`: no coming dice, no secrets, no past.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
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
    known = inspect.signature(maker).parameters
    player = maker(**{wish: value for wish, value in wishes.items() if wish in known and value is not None})
    if not callable(getattr(player, "choose", None)):
        raise SandtableError(f"{name} is no player: it needs a method choose(position, seat)")
    return player  # type: ignore[no-any-return]


def _from_file(name: str) -> Callable[..., Any]:
    file, _, attribute = name.rpartition(":")
    path = Path(file)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise SandtableError(f"no file {file}")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise SandtableError(f"{file} cannot be loaded: {type(error).__name__}: {error}") from error
    if not hasattr(module, attribute):
        raise SandtableError(f"{file} has no {attribute!r}")
    return getattr(module, attribute)  # type: ignore[no-any-return]
