"""A wooden block with a symbol: halo, flank, face, line, symbol; laid flat once it has acted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sandtable.draw.ink import element, words
from sandtable.draw.scene import Entry, marks_of
from sandtable.draw.signs import reference, symbol

FACE = 0.68  # of a cell
LIFT = 0.0425  # height of the flank, of a cell
SYMBOL, SYMBOL_SMALL, SMALL = 0.72, 0.78, 40  # of the face; of a face below so many pixels


def rounded(x: float, y: float, size: float) -> str:
    return _outline(x, y, size, size * 0.16, "Q{0:.1f} {1:.1f} {2:.1f} {3:.1f}")


def chamfered(x: float, y: float, size: float) -> str:
    return _outline(x, y, size, size * 0.2, "L{2:.1f} {3:.1f}")


def _outline(x: float, y: float, size: float, cut: float, corner: str) -> str:
    """A square whose corners begin `cut` before their points; `corner` is told the point and where the corner ends."""
    right, foot = x + size, y + size
    return (
        f"M{x + cut:.1f} {y:.1f}H{right - cut:.1f}{corner.format(right, y, right, y + cut)}"
        f"V{foot - cut:.1f}{corner.format(right, foot, right - cut, foot)}"
        f"H{x + cut:.1f}{corner.format(x, foot, x, foot - cut)}"
        f"V{y + cut:.1f}{corner.format(x, y, x + cut, y)}Z"
    )


@dataclass(frozen=True)
class Wood:
    pigment: str
    outline: Callable[[float, float, float], str]  # left, top, size → path


WOODS = (Wood("box", rounded), Wood("ebony", chamfered))  # by side: told apart by shape as well as by colour


def block(unit: Entry, x: float, y: float, cell: float, art: str) -> str:
    """The block of a unit in the middle of the cell whose upper left corner is given."""
    wood, moved = WOODS[unit["side"]], "moved" in marks_of(unit)
    size, lift, line = cell * FACE, cell * LIFT, max(1.1, min(1.5, cell / 50))
    halo = {"fill": "piece-halo", "stroke": "piece-halo", "stroke_width": 2.7 * line}
    edge = {"stroke": "piece-line", "stroke_width": line}
    left, top = x + (cell - size) / 2, y + (cell - size) / 2 + (lift / 2 if moved else -lift / 2)
    face, flank = wood.outline(left, top, size), wood.outline(left, top + lift, size)
    if moved:
        bar = {"x": left + size * 0.2, "y": top + size * 0.81, "width": size * 0.6, "height": size * 0.085}
        return element(
            "g",
            element("path", d=face, **halo),
            element("path", d=face, fill=wood.pigment, **edge),
            element("g", _sign(unit, left, top - size * 0.06, size, wood, art), opacity=0.55),
            element("rect", fill=f"{wood.pigment}-on", **bar),
        )
    return element(
        "g",
        element("path", d=face + flank, **halo),
        element("path", d=flank, fill=f"{wood.pigment}-edge", **edge),
        element("path", d=face, fill=wood.pigment, **edge),
        _sign(unit, left, top, size, wood, art),
    )


def _sign(unit: Entry, left: float, top: float, face: float, wood: Wood, art: str) -> str:
    """The symbol of the unit's kind; its letter while nobody has drawn one."""
    name = symbol(unit["kind"], art)
    if name is None:
        at = {"x": left + face / 2, "y": top + face * 0.68, "font_size": face * 0.55, "font_weight": 650}
        return words("text", unit["sign"], text_anchor="middle", fill=f"{wood.pigment}-on", **at)
    size = face * (SYMBOL if face >= SMALL else SYMBOL_SMALL)
    x, y = left + (face - size) / 2, top + (face - size) / 2
    return element("use", href=reference(name), x=x, y=y, width=size, height=size, color=f"{wood.pigment}-on")
