"""A square field in letters, ruled: four columns and two lines a cell make it square on a terminal.

┌───┬───┬───┐    Three places in a cell: what the ground or the block says, the piece, what is asked about it.
│ E │(e)│◇R2│    E stands · e has moved · R stands on a marked cell, and 2 was asked to be written there
└───┴───┴───┘
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sandtable.draw import square
from sandtable.draw.lines import Line, Span
from sandtable.draw.scene import Entry, Scene, marks_of

INSIDE = 3  # columns between two rules


@dataclass(frozen=True)
class Glyphs:
    """What the letters of the board are drawn among. Every rule is (left end, line, crossing, right end)."""

    top: str
    middle: str
    dotted: str
    bottom: str
    bar: str
    fog: str
    guard: str


PRINTED = Glyphs(top="┌─┬┐", middle="├─┼┤", dotted="├╌┼┤", bottom="└─┴┘", bar="│", fog="░", guard="◇")
ASCII = Glyphs(top="+-++", middle="+-++", dotted="+.++", bottom="+-++", bar="|", fog="?", guard="*")


def letter(unit: Entry) -> str:
    """Side 0 in capitals, side 1 in small letters: told apart without colour, on paper and by ear."""
    sign = str(unit["sign"])
    return sign.lower() if unit["side"] == 1 else sign.upper()


def board(scene: Scene, marks: Mapping[str, str], glyphs: Glyphs) -> list[Line]:
    field = square.read(scene)
    margin = max(map(len, field.row_names))
    heads = "".join(f" {name:^{INSIDE}}" for name in field.column_names)
    head: Line = [(" " * (margin + 1) + heads, "quiet")]

    def rule(signs: str) -> Line:
        left, line, crossing, right = signs
        text = left + crossing.join([line * INSIDE] * len(field.column_names)) + right
        return [(" " * (margin + 1), ""), (text, "rule")]

    lines = [head]
    for top, (name, cells) in enumerate(field.rows()):
        lines.append(rule(glyphs.top if top == 0 else glyphs.dotted if top in field.dotted else glyphs.middle))
        row: Line = [(f"{name:>{margin}} ", "quiet"), (glyphs.bar, "rule")]
        for cell in cells:
            row += [*_inside(cell, marks.get(cell.name, ""), glyphs), (glyphs.bar, "rule")]
        lines.append([*row, (f" {name}", "quiet")])
    return [*lines, rule(glyphs.bottom), head]


def _inside(cell: square.Cell, mark: str, glyphs: Glyphs) -> list[Span]:
    guard = glyphs.guard if "guard" in marks_of(cell.ground) else ""
    if cell.unit is None:
        ground = glyphs.fog if cell.ground.get("fog") else " "
        if mark and guard:
            return [(guard, ""), (mark[: INSIDE - 1].ljust(INSIDE - 1, ground), "mark")]
        return [((mark or guard)[:INSIDE].center(INSIDE, ground), "mark" if mark else "")]
    style = f"side {cell.unit['side']}"
    piece = (letter(cell.unit), style)
    moved = "moved" in marks_of(cell.unit)
    if len(mark) > 1:  # what was asked is never left out: the marks beside the piece give way
        return [piece, (mark[: INSIDE - 1], "mark")]
    before = (guard or ("(" if moved else " "), style)
    after = (mark, "mark") if mark else (")" if moved else " ", style)
    return [before, piece, after]
