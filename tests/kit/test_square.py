"""Square fields in a mailbox: directions, steps and distances."""

from __future__ import annotations

import pytest

from sandtable.kit.square import COLUMN_STEPS, DIRECTIONS, ROW_STEPS, deltas, king_steps
from tests.kit.modes import MODES, in_mode

pytestmark = pytest.mark.kernels

WIDTH = 10


def test_directions_are_straight_first_then_diagonal():
    steps = dict(zip(DIRECTIONS, zip(COLUMN_STEPS, ROW_STEPS, strict=True), strict=True))
    assert steps == {
        "N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0),
        "NE": (1, 1), "SE": (1, -1), "SW": (-1, -1), "NW": (-1, 1),
    }  # fmt: skip
    assert all(0 in step for step in list(steps.values())[:4])
    assert all(0 not in step for step in list(steps.values())[4:])


def test_deltas_of_a_width():
    assert dict(zip(DIRECTIONS, deltas(WIDTH), strict=True)) == {
        "N": 10, "E": 1, "S": -10, "W": -1, "NE": 11, "SE": -9, "SW": -11, "NW": 9,
    }  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_king_steps_are_counted_as_a_king_walks(mode):
    """Against a walk over the board, ring by ring."""
    steps = in_mode(mode)(king_steps)
    cells = [row * WIDTH + column for row in range(1, 9) for column in range(1, 9)]
    for start in (11, 18, 44, 88):
        distance = {start: 0}
        ring = [start]
        while ring:
            ring = [cell + delta for cell in ring for delta in deltas(WIDTH)]
            ring = [cell for cell in dict.fromkeys(ring) if cell in cells and cell not in distance]
            distance |= dict.fromkeys(ring, max(distance.values()) + 1)
        assert {cell: steps(start, cell, WIDTH) for cell in cells} == distance
