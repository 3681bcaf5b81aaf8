"""What can be chosen, for whoever draws it: one source's options, and a look at what one of them would do."""

from __future__ import annotations

from typing import Any

from sandtable.protocol.engine import blank_actions
from sandtable.protocol.errors import IllegalAction
from sandtable.protocol.position import Position
from sandtable.protocol.scene import changes

Option = dict[str, Any]


def sources(position: Position, seat: int) -> dict[str, int]:
    """Where this seat's actions start from, as scene keys, with how many each has. Empty when it may not act."""
    return position.sources(seat) if seat in position.to_act else {}


def options(position: Position, seat: int, key: str) -> list[Option]:
    """The actions of one source: text, target, cost, how to mark it, a label, odds, a warning."""
    if seat not in position.to_act:
        return []
    game, words = position.game, position.words
    given = blank_actions(1)
    listed = []
    for text in position.actions_from(key, seat):
        given[0] = game.notation.read_action(text)
        option = {"text": text, "to": None, "cost": None, "mark": "button", "label": text, "odds": None, "warn": None}
        if hasattr(game.view, "option"):
            option |= game.view.option(position.book, position.record[0], seat, given[0], words)
        listed.append(option)
    return listed


def preview(position: Position, text: str, seat: int) -> tuple[list[tuple[str, Any]], str]:
    """What an action certainly does, on a copy of what the seat may see: the scene's changed keys, and a sentence."""
    if refusal := position.why_not(text, seat):
        raise IllegalAction(refusal)
    game = position.game
    seen = position.seen(seat)
    before = seen.view(seat)
    after = seen.after(text, seat)
    sentence = ""
    if hasattr(game.view, "preview"):
        given = blank_actions(1)
        given[0] = game.notation.read_action(text)
        risks = {which: after.overlay(which, seat) for which in game.traits.overlays}
        sentence = game.view.preview(position.book, seen.record[0], seat, given[0], risks, position.words)
    return changes(before, after.view(seat)), sentence
