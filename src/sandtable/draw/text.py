"""A scene as text: the board, and beside it what a player wants to know. Fits 80 columns and 24 lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sandtable.draw import lines, square_text
from sandtable.draw.lines import Line
from sandtable.draw.panel import panel
from sandtable.draw.scene import Scene
from sandtable.draw.square_text import ASCII, PRINTED, Glyphs

COLUMNS = 79  # one less than a terminal has: some break the line when its last column is written
GAP = 3
NARROWEST = 28  # a panel with less room than this lies beneath the board

BOARDS: dict[str, Callable[[Scene, Mapping[str, str], Glyphs], list[Line]]] = {"square": square_text.board}


def text(scene: Scene, colour: bool = False, marks: Mapping[str, str] | None = None, ascii_only: bool = False) -> str:
    """The scene in letters. `marks` are short signs to write on cells by name: costs of a move, odds of a danger.

    `ascii_only` keeps to the 95 signs that every terminal and file can show; `colour` adds ANSI colours, which nothing
    in the drawing needs to be understood.
    """
    glyphs = ASCII if ascii_only else PRINTED
    board = BOARDS[scene["board"]["geometry"]](scene, marks or {}, glyphs)
    room = COLUMNS - GAP - max(map(lines.width, board))
    if room < NARROWEST:
        page = [*board, [], *panel(scene, COLUMNS, glyphs.fog, glyphs.guard)]
    else:
        page = lines.beside(board, panel(scene, room, glyphs.fog, glyphs.guard), GAP)
    drawn = lines.painted(page, colour)
    return drawn.encode("ascii", "replace").decode() if ascii_only else drawn
