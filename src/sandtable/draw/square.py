"""Square fields: which cell is drawn where. Row 1 lies at the bottom; the drawing's own rows are counted from the top.

top 0     a8 b8 … h8        a cell's name is its column's name and its row's name
…
top 7     a1 b1 … h1
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sandtable.draw.scene import Entry, Scene, entries

NOTHING: Entry = {}


@dataclass(frozen=True)
class Cell:
    name: str
    left: int  # columns from the left edge of the drawing
    top: int  # rows from its upper edge
    ground: Entry  # what `cell/NAME` says, empty when it says nothing
    unit: Entry | None


@dataclass(frozen=True)
class Field:
    column_names: tuple[str, ...]  # from left to right
    row_names: tuple[str, ...]  # from the top down
    dotted: frozenset[int]  # a dotted line runs along the upper edge of these rows, counted from the top
    grounds: dict[str, Entry] = field(repr=False)
    units: dict[str, Entry] = field(repr=False)

    def rows(self) -> Iterator[tuple[str, list[Cell]]]:
        """Each row's name and its cells, from the top down."""
        for top, row in enumerate(self.row_names):
            names = [column + row for column in self.column_names]
            yield (
                row,
                [
                    Cell(name, left, top, self.grounds.get(name, NOTHING), self.units.get(name))
                    for left, name in enumerate(names)
                ],
            )

    def cells(self) -> Iterator[Cell]:
        for _, cells in self.rows():
            yield from cells


def read(scene: Scene) -> Field:
    board = scene["board"]
    rows = tuple(reversed(_names(board, "row")))
    return Field(
        column_names=_names(board, "column"),
        row_names=rows,
        dotted=frozenset(len(rows) - int(row) for row in board.get("dotted", ())),
        grounds=dict(entries(scene, "cell")),
        units={unit["at"]: unit for _, unit in entries(scene, "unit") if unit.get("at")},
    )


def _names(board: Entry, what: str) -> tuple[str, ...]:
    """A string gives one letter to each; boards with more than a letter to a name send a list."""
    names = tuple(board[f"{what}_names"])
    count = int(board[f"{what}s"])
    if len(names) != count:
        raise ValueError(f"the scene's board has {count} {what}s and {len(names)} names for them")
    return names
