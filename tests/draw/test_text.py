"""A scene in letters: golden pictures, and what must hold for any."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sandtable.draw import text
from tests.draw.scenes import board, deployment, midgame

GOLDEN = Path(__file__).parent / "golden"
COSTS = {
    "c4": "2",
    "d3": "2",
    "e3": "3",
    "e4": "2",
    "d5": "x2",
    "c5": "x",
    "b4": "!",
    "e2": "12",
    "d1": "4",
    "e8": "36",
}

PICTURES = {
    "midgame": text(midgame()),
    "midgame-marked": text(midgame(), marks=COSTS),
    "midgame-ascii": text(midgame(), marks=COSTS, ascii_only=True),
    "deployment": text(deployment()),
    "deployment-ascii": text(deployment(), ascii_only=True),
}


@pytest.mark.parametrize("name", PICTURES)
def test_looks_as_kept(name: str) -> None:
    assert PICTURES[name] == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PICTURES)
def test_fits_a_terminal_with_room_for_a_prompt(name: str) -> None:
    lines = PICTURES[name].splitlines()
    assert len(lines) <= 22
    assert max(map(len, lines)) < 80
    assert not any(line.endswith(" ") for line in lines)


def test_colour_adds_nothing_but_colour() -> None:
    coloured = text(midgame(), colour=True, marks=COSTS)
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert coloured != bare
    assert [line.rstrip() for line in bare.splitlines()] == PICTURES["midgame-marked"].splitlines()


def test_ascii_is_ascii_whatever_the_names() -> None:
    scene = midgame() | {"seat/0": {"name": "Zoë", "side": 0, "state": "to act"}}
    assert text(scene, ascii_only=True).isascii()


def test_a_name_cannot_command_the_terminal() -> None:
    scene = midgame() | {"seat/0": {"name": "\x1b[2J\nrm", "side": 0, "units": 1, "state": "to act"}}
    drawn = text(scene)
    assert "\x1b" not in drawn
    assert len(drawn.splitlines()) == len(PICTURES["midgame"].splitlines())


def test_a_long_name_is_cut() -> None:
    scene = midgame() | {"seat/0": {"name": "A name of great length", "side": 0, "units": 1, "state": "to act"}}
    assert "> A name of g...   1 units  to act" in text(scene)


def test_sides_are_told_by_letters() -> None:
    drawn = text(board("\n".join([". . . . . . . ."] * 6 + ["R . . . . . . r", ". . . . . . . ."])))
    assert "2 │ R │   │   │   │   │   │   │ r │ 2" in drawn


def test_a_moved_piece_on_a_guard_square_shows_both() -> None:
    scene = midgame()
    scene["unit/e1"]["marks"] = ["moved"]
    assert "◇R)" in text(scene)


def test_a_charge_is_said() -> None:
    scene = midgame() | {"turn": {"number": 3, "seat": 1, "dice": [2, 2], "points": 1, "charge": True}}
    assert "Turn 3, Black" in text(scene)
    assert "Dice 2 2, charge, 1 point left" in text(scene)


def test_a_bare_board_is_enough() -> None:
    scene = {"board": midgame()["board"]}
    assert "1 │   │" in text(scene)


def test_a_wide_board_has_its_panel_beneath() -> None:
    wide: dict[str, Any] = {
        "board": {
            "geometry": "square",
            "columns": 14,
            "rows": 2,
            "column_names": "abcdefghijklmn",
            "row_names": ["1", "2"],
        },
        "ask": {"text": "Wait.", "act": False},
    }
    lines = text(wide).splitlines()
    assert lines[1].endswith("┐")
    assert lines[-1] == "Wait."


def test_names_must_fit_the_board() -> None:
    scene = midgame()
    scene["board"] = scene["board"] | {"rows": 9}
    with pytest.raises(ValueError, match="9 rows and 8 names"):
        text(scene)
