"""The danger overlay: how many of 36 rolls cost a piece."""

from __future__ import annotations

from sandtable.games.tactics.layout import ACT, CLASSES, DANGER, DELTAS, FIRST_CELL, LAST_CELL, PIECE, ROLL, STRAIGHT
from sandtable.games.tactics.rules.moves import is_square, is_taken_by
from sandtable.games.tactics.rules.turn import may_charge, points_of
from sandtable.kit.kernel import i64, kernel


@kernel
def least_cost(book, positions, i, at, foe_side, squares):
    """The least a piece of foe_side pays to take what stands at `at` from `squares` squares away; 0 if none can."""
    p = positions[i]
    target = (i64(p.cell[at]) & PIECE) - 8 * (1 - foe_side)
    least = 0
    for direction in range(8):
        delta = i64(DELTAS[direction])
        start = at - squares * delta
        if is_square(start) and (squares == 1 or i64(p.cell[at - delta]) == 0):
            unit = (i64(p.cell[start]) & PIECE) - 8 * foe_side
            if unit >= 1 and unit <= CLASSES and is_taken_by(book, unit, target):
                cost = squares * (i64(book[0].straight_cost) if direction < STRAIGHT else i64(book[0].diagonal_cost))
                if least == 0 or cost < least:
                    least = cost
    return least


@kernel
def overlay(book, positions, i, work, seat, which, marks):
    """DANGER: on how many of 36 rolls of its next turn the other side can take what stands there, in one action."""
    p = positions[i]
    phase = i64(p.phase)
    marks[:] = 0
    if which != DANGER or seat < 0 or not (phase == ACT or phase == ROLL):
        return 0
    foe = 1 - seat
    turn = i64(p.turn) + (1 if (phase == ROLL) == (i64(p.mover) == foe) else 2)
    for cell in range(FIRST_CELL, LAST_CELL + 1):
        unit = (i64(p.cell[cell]) & PIECE) - 8 * seat
        if unit >= 1 and unit <= CLASSES:
            near = least_cost(book, positions, i, cell, foe, 1)
            far = least_cost(book, positions, i, cell, foe, 2)
            for result in range(36):
                first = result // 6 + 1
                second = result % 6 + 1
                points = points_of(book, turn, first, second)
                if (near > 0 and near <= points) or (
                    far > 0 and far <= points and may_charge(book, turn, first, second)
                ):
                    marks[cell] += 1
    return LAST_CELL + 1
