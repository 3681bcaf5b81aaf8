"""Scenes written by hand, so that drawing is tried without any game."""

from __future__ import annotations

from typing import Any

KINDS = {
    "H": "axemen",
    "E": "swordsmen",
    "C": "cavalry",
    "P": "pikemen",
    "A": "archers",
    "B": "arquebusiers",
    "M": "mages",
    "R": "guard",
}

MIDGAME = """
. . . r . b . .
. . e p c . . .
. p . . . a m .
. . b h c . . h
. A . E . . H .
. . P . . C . E
. . B P M . . .
. . . . R A . .
"""

DEPLOYMENT = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . P . E . . .
. . . . M P . .
. . . . R . . .
"""


def board(drawn: str, moved: str = "", guard: str = "", fog: str = "") -> dict[str, Any]:
    """The board of a scene from letters: capitals are White's. The other arguments name cells."""
    scene: dict[str, Any] = {
        "board": {
            "geometry": "square",
            "columns": 8,
            "rows": 8,
            "column_names": "abcdefgh",
            "row_names": "12345678",
        }
    }
    for name in guard.split():
        scene[f"cell/{name}"] = {"marks": ["guard"]}
    for name in fog.split():
        scene[f"cell/{name}"] = {**scene.get(f"cell/{name}", {}), "fog": True}
    for row, line in zip("87654321", drawn.strip().splitlines(), strict=True):
        for column, sign in zip("abcdefgh", line.split(), strict=True):
            if sign == ".":
                continue
            name = column + row
            kind = KINDS[sign.upper()]
            unit = {"kind": kind, "sign": sign.upper(), "side": int(sign.islower()), "at": name}
            scene[f"unit/{name}"] = {**unit, "marks": ["moved"]} if name in moved.split() else unit
    return scene


def midgame() -> dict[str, Any]:
    return {
        **board(MIDGAME, moved="b4", guard="d1 e1 d2 e2 d7 e7 d8 e8"),
        "seat/0": {"name": "White", "side": 0, "units": 11, "state": "to act"},
        "seat/1": {"name": "Black", "side": 1, "units": 12, "state": "waiting"},
        "turn": {"number": 14, "seat": 0, "dice": [5, 4], "points": 7, "charge": False},
        "ask": {"text": "White: move a piece (7 points left) or end the turn.", "act": True},
    }


def deployment() -> dict[str, Any]:
    left = {"H": 2, "E": 1, "C": 2, "P": 1, "A": 2, "B": 2, "M": 1, "R": 0}
    fog = " ".join(column + row for row in "678" for column in "abcdefgh")
    scene: dict[str, Any] = {
        **board(DEPLOYMENT, guard="d1 e1 d8 e8", fog=fog),
        "seat/0": {"name": "White", "side": 0, "units": 5, "state": "deploying"},
        "seat/1": {"name": "Black", "side": 1, "units": 15, "state": "ready"},
        "turn": {"number": 0, "seat": 0, "dice": [5, 3], "points": 0, "charge": False},
        "ask": {"text": "White: place your pieces on rows 1 to 3, then say you are ready.", "act": True},
    }
    for place, (sign, count) in enumerate(left.items()):
        scene[f"palette/{sign}"] = {"kind": KINDS[sign], "sign": sign, "left": count, "source": -17 - place}
    scene["board"]["dotted"] = [3, 5]
    return scene
