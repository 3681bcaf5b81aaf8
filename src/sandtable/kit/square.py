"""Square fields in a mailbox: rows of one width with a border, so that a step off the field lands on a border cell.

NW  N  NE        with width w a step north is +w, a step east +1
 W  .  E         directions 0–3 are straight, 4–7 diagonal
SW  S  SE
"""

from __future__ import annotations

from sandtable.kit.kernel import kernel

DIRECTIONS = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")
COLUMN_STEPS = (0, 1, 0, -1, 1, 1, -1, -1)
ROW_STEPS = (1, 0, -1, 0, 1, -1, -1, 1)


def deltas(width: int) -> list[int]:
    """What to add to a cell's index for a step in each direction."""
    return [row * width + column for column, row in zip(COLUMN_STEPS, ROW_STEPS, strict=True)]


@kernel
def king_steps(here, there, width):
    """Steps of a chess king between two cells."""
    columns = abs(here % width - there % width)
    rows = abs(here // width - there // width)
    return max(columns, rows)
