"""What may be done now, for eyes: actions by where they start, what an action may bring, what an overlay shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandtable.protocol.position import Position

LONGEST_LIST = 90  # actions; beyond that only how many there are
A_FEW = 10  # actions named when another was refused
TURN = "turn"  # the source of what belongs to the turn itself


def name_of(key: str) -> str:
    """`cell/e2` is called e2, `palette/R` R, and what belongs to the turn itself `turn`."""
    return key.partition("/")[2] or key


def source_named(position: Position, seat: int, name: str) -> str | None:
    """The source a person means by a name: as it is written, else whatever its case."""
    names = {name_of(key): key for key in position.sources(seat)}
    folded = {known.casefold(): key for known, key in names.items()}
    return names.get(name) or folded.get(name.casefold())


def source_in(position: Position, seat: int, text: str) -> str | None:
    """The source an action's text speaks of, if anything can be done from there."""
    words = text.split()
    for key in position.sources(seat):
        name = name_of(key)
        if name in words or (re.match(rf"{re.escape(name)}(?![0-9])", text) and len(name) > 1):
            return key
    return None


def shortened(actions: Sequence[str]) -> str:
    """The first of many, and how many there are."""
    more = f" … {len(actions)} in all" if len(actions) > A_FEW else ""
    return ", ".join(actions[:A_FEW]) + more


def listed(position: Position, seat: int) -> list[str]:
    """Every source with its actions, or with their number where there are many."""
    sources = position.sources(seat)
    is_short = sum(sources.values()) <= LONGEST_LIST
    lines = []
    for key, count in sorted(sources.items(), key=lambda item: item[0] == TURN):
        name = name_of(key)
        if is_short or key == TURN:
            actions = "  ".join(position.actions_from(key, seat))
            lines.append(f"  {name:<5} {actions}")
        else:
            lines.append(f"  {name:<5} {count} action{'s' * (count != 1)}: `moves {name}` shows them")
    return lines


def example(position: Position, seat: int) -> tuple[str, str]:
    """A source and an action to show how they are typed: a cell or an entry of the palette, and how the turn ends."""
    keys = sorted(position.sources(seat), key=lambda key: key == TURN)
    return name_of(keys[0]), position.actions_from(keys[-1], seat)[0]


def counts(position: Position, seat: int) -> dict[str, str]:
    """How many actions each cell has, to be written on the board."""
    return {name_of(key): str(count) for key, count in position.sources(seat).items() if key.startswith("cell/")}


def targets(position: Position, seat: int, actions: Sequence[str]) -> dict[str, str]:
    """Where these actions lead, with what each costs: to be written on the board.

    An action's own first event says so; it is played on a copy that other dice fall for.
    """
    marks: dict[str, str] = {}
    for text in actions:
        event = position.copy(seed=0).play(text, seat)[0]
        cells = [name_of(ref) for ref in event.refs if ref.startswith("cell/")]
        if cells:
            marks[cells[-1]] = str(event.fields.get("cost", "+"))
    return marks


def odds(position: Position, seat: int, text: str) -> list[str]:
    """What may come of an action, by what is asked after the roll; as far as this seat knows."""
    shares = position.seen(seat).odds(text, seat, by=_asked)
    whole = lcm(*(share.denominator for share in shares.values()))
    return [
        f"  {'certain' if whole == 1 else f'{int(share * whole)} in {whole}':>9}  {sentence}"
        for sentence, share in sorted(shares.items(), key=lambda item: (-item[1], len(item[0]), item[0]))
    ]


def overlays_after(position: Position, seat: int, text: str) -> list[str]:
    """What each overlay tells after an action; where dice fall then, what it tells before they do."""
    after = position.seen(seat).copy(seed=0)
    rolls = len(after.rows)
    after.play(text, seat)
    if any(row.is_roll for row in after.rows[rolls:]):
        after = position.seen(seat)
    shown = {which: after.overlay(which, seat) for which in position.game.traits.overlays}
    return [f"{which.capitalize()} then: {told(words)}" for which, words in shown.items() if words]


def told(shown: dict[str, str]) -> str:
    """An overlay in words."""
    return ", ".join(f"{cell} {words}" for cell, words in shown.items())


def _asked(after: Position) -> str:
    acting = after.to_act
    return str(after.view(acting[0] if acting else None)["ask"]["text"])


def overlay_marks(shown: dict[str, str]) -> dict[str, str]:
    """An overlay's words, short enough for a cell: the number they begin with, or `!!`."""
    return {cell: found[0] if (found := re.match(r"\d+", words)) else "!!" for cell, words in shown.items()}
