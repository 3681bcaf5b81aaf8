"""A square field as SVG: paper with a ruled frame, checkered sand, marks of the ground, blocks."""

from __future__ import annotations

from sandtable.draw import square
from sandtable.draw.block import block
from sandtable.draw.ink import element, words
from sandtable.draw.scene import Scene, marks_of
from sandtable.draw.signs import reference

TEXT = 12.5  # pixels; coordinates are left out before they shrink below it
ROOM = 24.0  # of paper around the field, for them
BARE = 6.0  # without them
TINY = 20.0  # a cell below so many pixels has none


def board(scene: Scene, width: float) -> tuple[float, str]:
    """The drawing's height and its elements."""
    field = square.read(scene)
    columns, rows = len(field.column_names), len(field.row_names)
    margin = ROOM if (width - 2 * ROOM) / columns >= TINY else BARE
    cell = (width - 2 * margin) / columns
    height = cell * rows + 2 * margin
    art = str(scene["board"].get("art", ""))

    def edge(cells: float) -> float:  # across or down, cells are square
        return margin + cell * cells

    frame = {"x": margin - 4, "y": margin - 4, "width": width - 2 * margin + 8, "height": height - 2 * margin + 8}
    sheet = {"x": 0.75, "y": 0.75, "width": width - 1.5, "height": height - 1.5}
    parts = [
        element("rect", fill="paper", stroke="ink", stroke_width=1.5, **sheet),
        element("rect", fill="none", stroke="ink", stroke_width=0.8, **frame),
    ]
    for at in field.cells():
        parts += _ground(at, edge(at.left), edge(at.top), cell)
    for top in sorted(field.dotted):
        along = {"x1": margin, "y1": edge(top), "x2": width - margin, "y2": edge(top)}
        parts.append(element("line", stroke="ink-3", stroke_width=1.2, stroke_dasharray="2 4", **along))
    if margin == ROOM:
        for n, name in enumerate(field.column_names):
            parts += [_coordinate(name, edge(n + 0.5), y) for y in (margin / 2 - 1, height - margin / 2 + 2)]
        for n, name in enumerate(field.row_names):
            parts += [_coordinate(name, x, edge(n + 0.5)) for x in (margin / 2 - 1, width - margin / 2 + 1)]
    parts += [block(at.unit, edge(at.left), edge(at.top), cell, art) for at in field.cells() if at.unit]
    return height, "".join(parts)


def _ground(at: square.Cell, x: float, y: float, cell: float) -> list[str]:
    whole = {"x": x, "y": y, "width": cell, "height": cell}
    if at.ground.get("fog"):
        paper = element("rect", fill="fog", stroke="grid", stroke_width=0.5, **whole)
        drawn = [paper, element("rect", fill=f"url({reference('fog')})", **whole)]
    else:
        drawn = [element("rect", fill="sand-2" if (at.left + at.top) % 2 else "sand", **whole)]
    if "guard" in marks_of(at.ground):  # a lozenge in the corner, where a block leaves it in sight
        r = max(4.0, cell * 0.07)
        path = f"M{x + 2:.1f} {y + 2 + r:.1f}l{r:.1f} {-r:.1f}l{r:.1f} {r:.1f}l{-r:.1f} {r:.1f}z"
        drawn.append(element("path", d=path, fill="none", stroke="ink-3", stroke_width=1))
    return drawn


def _coordinate(name: str, x: float, y: float) -> str:
    return words("text", name, x=x, y=y + TEXT * 0.34, font_size=TEXT, text_anchor="middle", fill="ink-2")
