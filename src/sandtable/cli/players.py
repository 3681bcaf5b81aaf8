"""Who sits where: people at this keyboard, and machine players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.protocol.errors import SandtableError, Unknown

if TYPE_CHECKING:
    from sandtable.ai.players import Player
    from sandtable.protocol.position import Position

ME = "me"
FOE = "greedy"  # who sits across the table when nobody is named


def seat_names(wanted: list[str], seats: int) -> list[str]:
    """A name for every seat: those given, then machines."""
    if len(wanted) > seats:
        raise SandtableError(f"{len(wanted)} times --seat, and the game has {seats} seats")
    named = wanted or [ME]
    return named + [FOE] * (seats - len(named))


def seated(names: list[str], seed: int) -> list[Player | None]:
    """The machine player of each seat, None for a person."""
    from sandtable.ai.players import find_player
    from sandtable.kit.dice import draw_at

    try:
        return [None if name == ME else find_player(name, draw_at(seed, seat)) for seat, name in enumerate(names)]
    except Unknown as error:
        raise SandtableError(f"{error}, {ME}") from None


def choose(player: Player, position: Position, seat: int) -> str:
    """What the player answers, told only what its seat may know. A player that fails is an error with its name."""
    try:
        text = player.choose(position.seen(seat), seat)
    except SandtableError:
        raise
    except Exception as error:
        raise SandtableError(f"{type(player).__name__} failed: {type(error).__name__}: {error}") from error
    if not isinstance(text, str):
        raise SandtableError(f"{type(player).__name__} answered {text!r}, which is no action")
    return text
