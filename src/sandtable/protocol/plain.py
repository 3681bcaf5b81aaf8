"""What stands in for a game's view.py until it has one: the position's text, actions as buttons, events as sentences.

Of the game's words it asks for names in [side], and for sentences `act` and `wait` in [ask].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sandtable.protocol.errors import BadText
from sandtable.protocol.records import BUTTONS, REVEAL, TURN

if TYPE_CHECKING:
    from sandtable.protocol.book import Book
    from sandtable.protocol.game import Game
    from sandtable.protocol.scene import Scene
    from sandtable.protocol.words import Words

Told = tuple[str, dict[str, Any], tuple[str, ...], tuple[int, ...]]

# The codes of the default `check`: not this seat's turn, not among the listed.
REFUSALS = {1: ("seat", ""), 2: ("notation", "")}


class PlainView:
    """The functions of a view.py. The layout has SIDES, REASONS and, if events are written, EVENTS_BY_KIND."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def seat_name(self, seat: int, words: Words) -> str:
        return words.name("side", self.game.layout.SIDES[seat])

    # ---- sources: everything is a button of the turn

    def source_of(self, action: Any) -> int:
        return BUTTONS

    def source_key(self, source: int) -> str:
        return "turn"

    def source_number(self, key: str) -> int:
        if key != "turn":
            raise BadText("turn", key)
        return BUTTONS

    # ---- the scene

    def scene(self, book: Book, positions: Any, seat: int, words: Words) -> Scene:
        text = self.game.notation.write_position(positions[0], book)
        acting, places, reason = self._standing(book, positions)
        shown: Scene = {"board": {"geometry": "text", "lines": text.rstrip("\n").split("\n")}}
        for one, place in enumerate(places):
            ended = "drew" if set(places) == {1} else "won" if place == 1 else "lost"
            state = ended if reason else "to act" if one in acting else "waiting"
            shown[f"seat/{one}"] = {"name": self.seat_name(one, words), "side": one, "state": state}
        shown["ask"] = self._ask(acting, places, reason, seat, words)
        return shown

    def _standing(self, book: Book, positions: Any) -> tuple[list[int], list[int], int]:
        """The seats that may act, every seat's place, and why it is over (0: it is not)."""
        engine, work = self.game.engine, self.game.blank_work()
        places = np.zeros((1, self.game.seats_in(positions)), dtype=np.uint8)
        reason = int(engine.outcome(book.record, positions, 0, work, places))
        mask = int(engine.who(book.record, positions, 0, work))
        return [seat for seat in range(places.shape[1]) if mask >> seat & 1], places[0].tolist(), reason

    def _ask(self, acting: list[int], places: list[int], reason: int, seat: int, words: Words) -> dict[str, Any]:
        if reason:
            name, fields = self.reason_fields(reason, places, words)
            return {"text": words("reason", name, **fields), "act": False}
        if seat in acting:
            return {"text": words("ask", "act", side=self.seat_name(seat, words)), "act": True}
        sides = ", ".join(self.seat_name(one, words) for one in acting)
        return {"text": words("ask", "wait", side=sides), "act": False}

    # ---- sentences

    def reason_fields(self, reason: int, places: list[int], words: Words) -> tuple[str, dict[str, Any]]:
        best = ", ".join(self.seat_name(seat, words) for seat, place in enumerate(places) if place == 1)
        rest = ", ".join(self.seat_name(seat, words) for seat, place in enumerate(places) if place != 1)
        return self.game.layout.REASONS[reason], {"side": best, "other": rest}

    def event_fields(self, kind: int, who: int, at: int, to: int, a: int, b: int, c: int, words: Words) -> Told:
        names = {TURN: "turn", REVEAL: "revealed", **getattr(self.game.layout, "EVENTS_BY_KIND", {})}
        side = self.seat_name(who, words) if who >= 0 else ""
        return names.get(kind, ""), {"side": side, "at": at, "to": to, "a": a, "b": b, "c": c}, (), ()

    def refusal_fields(self, book: Book, position: Any, seat: int, action: Any, words: Words) -> dict[str, Any]:
        kind, _, what, at, to, arg = action.item()
        named = 0 <= seat < len(self.game.layout.SIDES)
        side = self.seat_name(seat, words) if named else ""
        return {"side": side, "kind": kind, "what": what, "at": at, "to": to, "arg": arg}

    def overlay_words(self, which: int, marks: list[int]) -> dict[str, str]:
        return {str(cell): str(mark) for cell, mark in enumerate(marks) if mark}
