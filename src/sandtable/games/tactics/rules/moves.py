"""T3–T5: where a piece may go, what it captures, what it costs."""

from __future__ import annotations

from sandtable.games.tactics.layout import (
    CAPTURE, CLASSES, DELTAS, FIRST_CELL, LAST_CELL, MOVE, MOVED, PIECE, R_CAPTURE, R_CHARGE, R_DISTANCE, R_MARK,
    R_MIDDLE, R_MOVED, R_OWNER, R_POINTS, R_TARGET, STRAIGHT, WIDTH,
)  # fmt: skip
from sandtable.kit.kernel import i64, kernel, u64
from sandtable.protocol.records import write_action


@kernel
def is_square(cell):
    return cell >= FIRST_CELL and cell <= LAST_CELL and cell % WIDTH >= 1 and cell % WIDTH <= 8


@kernel
def is_taken_by(book, unit, foe):
    """T4.2, T4.3: does `unit` capture what stands as foe (a class from 1 to 8; anything else is no enemy)?"""
    return foe >= 1 and foe <= CLASSES and i64(book[0].takes[unit - 1, foe - 1]) != 0


@kernel
def kind_onto(book, unit, target, foe_base):
    """MOVE, CAPTURE, or 0 where `unit` may not go onto a cell that holds `target` (T3.3, T4).

    Without branches: on a random board they are guessed wrong so often that lists took half as long again.
    """
    foe = target - foe_base - 1
    is_foe = (foe >= 0) & (foe < CLASSES)
    return (target == 0) * MOVE + is_foe * i64(book[0].takes[u64(unit - 1), u64(foe & 7)]) * CAPTURE


@kernel
def first_direction(book, points):
    """Straight steps are directions 0–3, diagonal ones 4–7; payable are first_direction … last_direction − 1."""
    return 0 if points >= i64(book[0].straight_cost) else STRAIGHT


@kernel
def last_direction(book, points):
    return 8 if points >= i64(book[0].diagonal_cost) else STRAIGHT


@kernel
def can_move(book, positions, i):
    """T3.4: is there a step that can be paid? A charge never is the only one: its first square is a step."""
    p = positions[i]
    base = 8 * i64(p.mover)
    first = first_direction(book, i64(p.points))
    last = last_direction(book, i64(p.points))
    if first >= last:
        return False
    for here in range(FIRST_CELL, LAST_CELL + 1):
        unit = i64(p.cell[here]) - base
        if unit >= 1 and unit <= CLASSES:
            for direction in range(first, last):
                if kind_onto(book, unit, i64(p.cell[u64(here + DELTAS[u64(direction)])]), 8 - base) != 0:
                    return True
    return False


@kernel
def list_moves(book, positions, i, work, out, n, first_cell, last_cell):
    """Every move and capture from these cells (T3.2, T3.3, T4, T5): by cell, then direction, then length.

    Each candidate is written and stays only if it is legal; the next one is written over it otherwise.
    """
    p = positions[i]
    base = 8 * i64(p.mover)
    points = i64(p.points)
    first = first_direction(book, points)
    last = last_direction(book, points)
    first_far = first_direction(book, points // 2)
    last_far = last_direction(book, points // 2) if i64(p.charge) else 0
    count = 0
    for here in range(first_cell, last_cell + 1):
        unit = i64(p.cell[u64(here)]) - base
        work[i].mine[u64(count)] = here
        count += (unit >= 1) & (unit <= CLASSES)
    for k in range(count):
        at = i64(work[i].mine[u64(k)])
        unit = i64(p.cell[u64(at)]) - base
        for direction in range(first, last):
            delta = i64(DELTAS[u64(direction)])
            kind = kind_onto(book, unit, i64(p.cell[u64(at + delta)]), 8 - base)
            write_action(out, n, kind, 0, at, at + delta, 0)
            n += kind != 0
            if (kind == MOVE) & (direction >= first_far) & (direction < last_far):  # T5.3
                kind = kind_onto(book, unit, i64(p.cell[u64(at + 2 * delta)]), 8 - base)
                write_action(out, n, kind, 0, at, at + 2 * delta, 0)
                n += kind != 0
    return n


@kernel
def move_refused(book, positions, i, side, captures, at, to):
    """T3–T5 in the order of T6.3: why this piece may not go there, 0 if it may."""
    p = positions[i]
    base = 8 * side
    here = i64(p.cell[at])
    unit = (here & PIECE) - base
    if unit < 1 or unit > CLASSES:
        return R_OWNER
    if here >= MOVED:
        return R_MOVED
    columns = to % WIDTH - at % WIDTH
    rows = to // WIDTH - at // WIDTH
    steps = max(abs(columns), abs(rows))
    if steps < 1 or steps > 2 or not (columns == 0 or rows == 0 or abs(columns) == abs(rows)):
        return R_DISTANCE
    if steps == 2:
        if i64(p.charge) == 0:
            return R_CHARGE
        if i64(p.cell[(at + to) // 2]) != 0:
            return R_MIDDLE
    target = i64(p.cell[to])
    if target != 0:
        foe = target - (8 - base)
        if foe < 1 or foe > CLASSES:
            return R_TARGET
        if not is_taken_by(book, unit, foe):
            return R_CAPTURE
    if (target != 0) != captures:
        return R_MARK
    cost = i64(book[0].straight_cost) if columns == 0 or rows == 0 else i64(book[0].diagonal_cost)
    if cost * steps > i64(p.points):
        return R_POINTS
    return 0
