"""What can be chosen, for whoever draws it: one source's options, and a look at what one of them would do."""

from __future__ import annotations

from typing import Any

from sandtable.protocol.engine import blank_actions
from sandtable.protocol.errors import IllegalAction
from sandtable.protocol.position import Position
from sandtable.protocol.scene import changes

Option = dict[str, Any]
TURN = "turn"  # the source of the turn's own buttons


def sources(position: Position, seat: int) -> dict[str, int]:
    """Where this seat's actions start from, as scene keys, with how many each has. Empty when it may not act."""
    if seat not in position.to_act:
        return {}
    found = position.sources(seat)
    view = position.game.view
    if hasattr(view, "buttons") and view.buttons(position.record[0]):
        found.setdefault(TURN, 0)
    return found


def options(position: Position, seat: int, key: str) -> list[Option]:
    """The actions of one source: text, target, cost, how to mark it, a label, odds, a warning.

    A button of the turn that cannot be pressed now stands there too, with the sentence that says why not.
    """
    if seat not in position.to_act:
        return []
    view = position.game.view
    listed = [_option(position, text, seat) for text in position.actions_from(key, seat)]
    texts = {option["text"] for option in listed}
    for text in view.buttons(position.record[0]) if key == TURN and hasattr(view, "buttons") else ():
        if text not in texts and (refusal := position.why_not(text, seat)) is not None:
            listed.append(_option(position, text, seat) | {"why": refusal.sentence})
    return listed


def _option(position: Position, text: str, seat: int) -> Option:
    game = position.game
    option = {
        "text": text, "to": None, "cost": None, "mark": "button", "label": text, "odds": None, "warn": None,
        "why": None,
    }  # fmt: skip
    if hasattr(game.view, "option"):
        given = blank_actions(1)
        given[0] = game.notation.read_action(text)
        option |= game.view.option(position.book, position.record[0], seat, given[0], position.words)
    return option


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
