"""A scene as one SVG that needs nothing beside it: for a notebook, a page, a rule book."""

from __future__ import annotations

import re
from collections.abc import Callable

from sandtable.draw import square_svg
from sandtable.draw.ink import element, lamplight, words
from sandtable.draw.scene import Scene, entries, marks_of, plain, side_names
from sandtable.draw.signs import PREFIX, definition

FACE = "'Source Serif 4 Variable','Source Serif 4',Georgia,'Times New Roman',serif"
USED = re.compile("#" + PREFIX + r"([\w-]+)")

BOARDS: dict[str, Callable[[Scene, float], tuple[float, str]]] = {"square": square_svg.board}


def svg(scene: Scene, width: int = 480) -> str:
    """The board, `width` pixels wide, by day or lamplight as the system says, with words for a screen reader."""
    height, drawn = BOARDS[scene["board"]["geometry"]](scene, float(width))
    signs = "".join(definition(name) for name in sorted(set(USED.findall(drawn))))
    inside = [
        words("title", _title(scene)),
        words("desc", _description(scene)),
        lamplight(signs + drawn),
        element("defs", signs),
        drawn,
    ]
    size = f'width="{width}" height="{height:.0f}" viewBox="0 0 {width} {height:.2f}"'
    root = f'<svg xmlns="http://www.w3.org/2000/svg" class="sandtable" role="img" {size} font-family="{FACE}">'
    return "\n".join([root, *inside, "</svg>", ""])


def _title(scene: Scene) -> str:
    names = side_names(scene)
    said = " against ".join(names[side] for side in sorted(names)) or "Board"
    turn = scene.get("turn") or {}
    return f"{said}, turn {turn['number']}" if turn.get("number") else said


def _description(scene: Scene) -> str:
    """Every piece with its place, side by side, then what is hidden and what is asked."""
    pieces: dict[int, list[str]] = {}
    for _, unit in entries(scene, "unit"):
        marks = "".join(f" ({plain(mark)})" for mark in marks_of(unit))
        pieces.setdefault(unit["side"], []).append(f"{plain(unit['kind'])} {plain(unit['at'])}{marks}")
    names = side_names(scene)
    said = [f"{names.get(side, f'Side {side + 1}')}: {', '.join(pieces[side])}." for side in sorted(pieces)]
    hidden = sum(1 for _, cell in entries(scene, "cell") if cell.get("fog"))
    if hidden:
        said.append(f"{hidden} cells are hidden.")
    if scene.get("ask"):
        said.append(plain(scene["ask"]["text"]))
    return " ".join(said)
