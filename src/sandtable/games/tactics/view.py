"""What a seat sees of Tactics, as a scene, and what happened, as fields for sentences."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from sandtable.games.tactics.layout import (
    ACT,
    ATTACK,
    CAPTURE,
    CELLS,
    CHOOSE,
    CLASSES,
    DEFEND,
    DEPLOY,
    E_CAPTURED,
    E_CHOSE,
    E_CONCEDED,
    E_ENDED,
    E_ENDED_ITSELF,
    E_GUARD_TAKEN,
    E_MOVED,
    E_OPENING,
    E_PLACED,
    E_QUIET,
    E_READIED,
    E_ROLLED,
    E_TIED,
    END,
    GUARD,
    KINDS,
    MARKED,
    MOVE,
    MOVED,
    NOBODY,
    OPENING,
    OVER,
    PIECE,
    PLACE,
    READY,
    REASONS,
    ROLL,
    SIDES,
    SIGNS,
    WIDTH,
)  # fmt: skip
from sandtable.games.tactics.notation import square, square_name, squares
from sandtable.protocol.book import Book
from sandtable.protocol.errors import BadText
from sandtable.protocol.records import BUTTONS, PALETTE, REVEAL, TURN
from sandtable.protocol.scene import Scene
from sandtable.protocol.words import Words

BOARD = {
    "geometry": "square", "columns": 8, "rows": 8, "column_names": "abcdefgh", "row_names": "12345678",
    "art": "t", "pieces": "wood",
}  # fmt: skip


BUTTON_NAMES = {ATTACK: "attack", DEFEND: "defend", READY: "ready", END: "end"}


def seat_name(seat: int, words: Words) -> str:
    return words.name("side", SIDES[seat])


# ---------------------------------------------------------------- sources


def source_of(action: Any) -> int:
    kind, _, what, at, _, _ = action.item()
    if kind == PLACE:
        return PALETTE - int(what)
    return int(at) if kind in (MOVE, CAPTURE) else BUTTONS


def source_key(source: int) -> str:
    if source >= 0:
        return f"cell/{square_name(source)}"
    return "turn" if source == BUTTONS else f"palette/{SIGNS[PALETTE - source - 1]}"


def source_number(key: str) -> int:
    if key == "turn":
        return BUTTONS
    if found := re.fullmatch("palette/([HECPABMR])", key):
        return PALETTE - SIGNS.index(found[1]) - 1
    if found := re.fullmatch("cell/([a-h][1-8])", key):
        return square(found[1])
    raise BadText("turn, a cell like cell/e2 or a palette entry like palette/R", key)


# ---------------------------------------------------------------- the scene


SQUARES = tuple(squares())
GUARD_CELLS = {f"cell/{square_name(cell)}": {"marks": ["guard"]} for cell in MARKED.ravel().tolist()}


@cache
def _unit_at(cell: int, contents: int) -> tuple[str, dict[str, Any], int]:
    """A piece on its square as a line of the scene, and its side. The same object every time: nobody writes to it."""
    side, unit = divmod((contents & PIECE) - 1, CLASSES)
    name = square_name(cell)
    value: dict[str, Any] = {"kind": KINDS[unit], "sign": SIGNS[unit], "side": side, "at": name}
    if contents & MOVED:
        value["marks"] = ["moved"]
    return f"unit/{name}", value, side


def scene(book: Book, positions: Any, seat: int, words: Words) -> Scene:
    """The scene of a record that `hide` has already been over; seat −1 is an onlooker."""
    position = _fields(positions)
    cells = position["cell"].tolist()
    phase, mover = position["phase"], position["mover"]
    home = int(book["home_ranks"])
    shown: Scene = {"board": {**BOARD, "dotted": [home, 8 - home]}, **GUARD_CELLS}
    if phase == DEPLOY:
        _add_fog(shown, seat, home)
    standing = [0, 0]
    for cell in SQUARES:
        if cells[cell] & PIECE:
            key, value, side = _unit_at(cell, cells[cell])
            standing[side] += 1
            shown[key] = value
    for side in (0, 1):
        shown[f"seat/{side}"] = {
            "name": seat_name(side, words), "side": side, "state": _state(position, side),
            **({} if phase == DEPLOY and side != seat else {"units": standing[side], "plot": ["units"]}),
        }  # fmt: skip
    dice = position["die"].tolist()
    turn: dict[str, Any] = {"number": int(position["turn"]), "seat": mover if phase in (CHOOSE, ROLL, ACT) else None}
    if dice[0]:
        turn |= {"dice": dice}
    if phase == ACT:
        turn |= {"points": int(position["points"]), "charge": bool(position["charge"])}
    if phase in (ROLL, ACT):
        turn |= {"quiet": int(position["quiet"]), "draw_after": int(book["draw_after"])}
    shown["turn"] = turn
    if phase == DEPLOY and seat >= 0 and not position["ready"][seat]:
        for unit, left in enumerate(position["left"][seat].tolist()):
            shown[f"palette/{SIGNS[unit]}"] = {
                "kind": KINDS[unit], "sign": SIGNS[unit], "side": seat, "left": left, "source": PALETTE - unit - 1,
            }  # fmt: skip
    shown["ask"] = ask(position, seat, words)
    return shown


def own_lines(book: Book, positions: Any, seat: int, words: Words) -> Scene | None:
    """What this viewer's scene has over one of the same record for somebody else; None: it is another scene."""
    position = _fields(positions)
    return None if position["phase"] == DEPLOY else {"ask": ask(position, seat, words)}


def _fields(positions: Any) -> dict[str, Any]:
    """All fields at once: a table looks at every move with the eyes of all its viewers, and one field costs a µs."""
    return dict(zip(positions.dtype.names, positions[0].item(), strict=True))


def _add_fog(shown: Scene, seat: int, home_ranks: int) -> None:
    for cell in SQUARES:
        rank = cell // WIDTH
        side = 0 if rank <= home_ranks else 1 if rank > 8 - home_ranks else NOBODY
        if side not in (NOBODY, seat):
            key = f"cell/{square_name(cell)}"
            shown[key] = {**shown.get(key, {}), "fog": True}


def _state(position: Any, side: int) -> str:
    phase = int(position["phase"])
    if phase == OVER:
        winner = int(position["winner"])
        return "drew" if winner == NOBODY else "won" if winner == side else "lost"
    if phase == DEPLOY:
        return "ready" if position["ready"][side] else "deploying"
    return "to act" if phase in (CHOOSE, ACT) and int(position["mover"]) == side else "waiting"


def ask(position: Any, seat: int, words: Words) -> dict[str, Any]:
    """What this viewer is asked to do, or whom he waits for."""
    phase, mover = int(position["phase"]), int(position["mover"])

    def say(name: str, side: int, act: bool = False, **numbers: int) -> dict[str, Any]:
        return {"text": words("ask", name, side=seat_name(side, words), **numbers), "act": act}

    if phase == CHOOSE:
        return say("choose", mover, True) if mover == seat else say("wait_choose", mover)
    if phase == ACT:
        if mover != seat:
            return say("wait_act", mover)
        return say("charge" if position["charge"] else "act", mover, True, points=int(position["points"]))
    if phase == DEPLOY:
        ready = position["ready"].tolist()
        if seat >= 0 and not ready[seat]:
            left = int(position["left"][seat].sum())
            return say("place" if left else "ready", seat, True, left=left)
        return say("wait_both", 0) if not any(ready) else say("wait_place", ready.index(0))
    if phase == OVER:
        winner = int(position["winner"])
        side = 0 if winner == NOBODY else winner
        fields = {"side": seat_name(side, words), "other": seat_name(1 - side, words)}
        return {"text": words("reason", REASONS[int(position["reason"])], **fields), "act": False}
    return say("opening" if phase == OPENING else "roll", mover)


# ---------------------------------------------------------------- sentences


def reason_fields(reason: int, places: list[int], words: Words) -> tuple[str, dict[str, Any]]:
    winner = 1 if places[0] > places[1] else 0
    return REASONS[reason], {"side": seat_name(winner, words), "other": seat_name(1 - winner, words)}


def _unit(unit: int, words: Words) -> str:
    return words.name("kind", KINDS[unit - 1])


def event_fields(
    kind: int, who: int, at: int, to: int, a: int, b: int, c: int, words: Words
) -> tuple[str, dict[str, Any], tuple[str, ...], tuple[int, ...]]:
    """An event's name in words/, its fields, the scene keys it speaks of, and its dice."""
    side = seat_name(who, words) if who >= 0 else ""
    other = seat_name(1 - who, words) if who >= 0 else ""
    fields: dict[str, Any] = {"side": side, "other": other}
    if kind == TURN:
        return "turn", fields | {"number": a}, (), ()
    if kind == REVEAL:
        return "revealed", fields, (), ()
    if kind in (E_OPENING, E_TIED):
        return ("tied" if kind == E_TIED else "rolled_opening"), fields | {"white": a, "black": b}, (), (a, b)
    if kind == E_CHOSE:
        return "chose", fields | {"choice": words.name("choice", "attack" if a == ATTACK else "defend")}, (), ()
    if kind == E_PLACED:
        return "placed", fields | {"unit": _unit(a, words), "at": square_name(to)}, (f"cell/{square_name(to)}",), ()
    if kind == E_ROLLED:
        return "rolled", fields | {"first": a, "second": b, "points": c}, (), (a, b)
    if kind in (E_MOVED, E_CAPTURED):
        unit, target = divmod(a, 16)
        fields |= {"unit": _unit(unit, words), "at": square_name(at), "to": square_name(to), "cost": b, "points": c}
        refs = (f"cell/{square_name(at)}", f"cell/{square_name(to)}")
        if kind == E_CAPTURED:
            return "captured", fields | {"target": _unit(target, words)}, refs, ()
        return "moved", fields, refs, ()
    names = {
        E_READIED: "readied", E_ENDED: "ended", E_ENDED_ITSELF: "ended_itself", E_GUARD_TAKEN: "guard_taken",
        E_CONCEDED: "conceded", E_QUIET: "quiet",
    }  # fmt: skip
    return names[kind], fields | {"points": a, "turns": a}, (), ()


def refusal_fields(book: Book, position: Any, seat: int, action: Any, words: Words) -> dict[str, Any]:
    """Everything a refusal's sentence may speak of, as far as the action names it."""
    kind, _, what, at, to, _ = action.item()
    cells = position["cell"].tolist()
    side = seat if seat in (0, 1) else 0

    def piece(cell: int) -> str:
        found = cells[cell] & PIECE if 0 <= cell < CELLS else 0
        return _unit((found - 1) % CLASSES + 1, words) if 0 < found <= 2 * CLASSES else ""

    def name(cell: int) -> str:
        return square_name(cell) if cell in squares() else ""

    return {
        "side": seat_name(side, words), "other": seat_name(1 - side, words),
        "unit": _unit(what, words) if kind == PLACE and 1 <= what <= CLASSES else piece(at), "target": piece(to),
        "at": name(to if kind == PLACE else at), "to": name(to), "cost": _cost(book, at, to),
        "points": int(position["points"]), "left": int(position["left"][side].sum()),
    }  # fmt: skip


def overlay_words(which: int, marks: list[int]) -> dict[str, str]:
    """Danger in words, for the cells that are in any."""
    return {
        square_name(cell): "certain" if count == 36 else f"{count} in 36" for cell, count in enumerate(marks) if count
    }


# ---------------------------------------------------------------- choices


def buttons(position: Any) -> tuple[str, ...]:
    """The turn's buttons in this phase, whether they can be pressed or not."""
    return {CHOOSE: ("attack", "defend"), DEPLOY: ("ready",), ACT: ("end",)}.get(int(position["phase"]), ())


def option(book: Book, position: Any, seat: int, action: Any, words: Words) -> dict[str, Any]:
    """How an action is shown before it is chosen."""
    kind, _, _, at, to, _ = action.item()
    if kind in (MOVE, CAPTURE):
        mark = "target" if kind == CAPTURE else "reach"
        return {"to": f"cell/{square_name(to)}", "cost": _cost(book, at, to), "mark": mark}
    if kind == PLACE:
        return {"to": f"cell/{square_name(to)}", "mark": "reach"}
    return {"label": words.name("button", BUTTON_NAMES[kind])}


def _cost(book: Book, at: int, to: int) -> int:
    columns, rows = abs(to % WIDTH - at % WIDTH), abs(to // WIDTH - at // WIDTH)
    return int(max(columns, rows) * (book["straight_cost"] if 0 in (columns, rows) else book["diagonal_cost"]))


def preview(book: Book, position: Any, seat: int, action: Any, risks: dict[str, dict[str, str]], words: Words) -> str:
    """What an action does for certain, and what the other side could then do about it."""
    kind, _, _, _, to, _ = action.item()
    fields = refusal_fields(book, position, seat, action, words)
    if kind not in (MOVE, CAPTURE):
        return words("preview", BUTTON_NAMES.get(kind, "place"), **fields)
    left = fields["points"] - fields["cost"]
    told = words("preview", "capture" if kind == CAPTURE else "move", **fields | {"left": left})
    if kind == CAPTURE and fields["target"] == _unit(GUARD, words):
        return told
    chance = risks["danger"].get(square_name(to))
    risk = words("preview", "risk", **fields | {"chance": chance}) if chance else words("preview", "safe", **fields)
    return f"{told} {risk}"
