"""T1, T2: armies, homes, and placing in secret."""

from __future__ import annotations

from sandtable.games.tactics.layout import (
    BORDER, CELLS, CLASSES, DEPLOY, FIRST_CELL, GUARD, LAST_CELL, MARKED, NOBODY, OPENING, R_GUARD_SQUARE, R_HOME,
    R_LEFT, R_OCCUPIED, R_RESERVED, WHITE, WIDTH,
)  # fmt: skip
from sandtable.kit.dice import below, draw_at
from sandtable.kit.kernel import i64, kernel


@kernel
def is_home(book, side, cell):
    """T1.1: the three ranks a side places on. Border files are nobody's home."""
    file = cell % WIDTH
    rank = cell // WIDTH
    if side != WHITE:
        rank = 9 - rank
    return file >= 1 and file <= 8 and rank >= 1 and rank <= i64(book[0].home_ranks)


@kernel
def is_marked(side, cell):
    """T2.3: one of the four squares a Guard may be placed on."""
    found = False
    for k in range(4):
        found = found or i64(MARKED[side, k]) == cell
    return found


@kernel
def placing_refused(book, positions, i, side, unit, cell):
    """T1.2, T2.2, T2.3, T2.5: why this unit may not be placed here, 0 if it may."""
    p = positions[i]
    if i64(p.left[side, unit - 1]) == 0:
        return R_LEFT
    if not is_home(book, side, cell):
        return R_HOME
    if i64(p.cell[cell]) != 0:
        return R_OCCUPIED
    marked = is_marked(side, cell)
    if unit == GUARD:
        if not marked:
            return R_GUARD_SQUARE
    elif marked:
        if i64(book[0].reserve_guard_squares):
            return R_RESERVED
        if i64(p.left[side, GUARD - 1]) > 0:  # T2.5: the last free one is kept
            free = 0
            for k in range(4):
                if i64(p.cell[MARKED[side, k]]) == 0:
                    free += 1
            if free == 1:
                return R_RESERVED
    return 0


@kernel
def unplaced(positions, i, side):
    n = 0
    for k in range(CLASSES):
        n += i64(positions[i].left[side, k])
    return n


@kernel
def place(positions, i, side, unit, cell):
    positions[i].cell[cell] = 8 * side + unit
    positions[i].left[side, unit - 1] = i64(positions[i].left[side, unit - 1]) - 1


@kernel
def square_for(book, positions, i, side, unit, draw):
    """One of the squares this unit may be placed on, all equally likely; 0 if there is none."""
    free = 0
    for cell in range(FIRST_CELL, LAST_CELL + 1):
        if placing_refused(book, positions, i, side, unit, cell) == 0:
            free += 1
    nth = below(draw, free)
    for cell in range(FIRST_CELL, LAST_CELL + 1):
        if placing_refused(book, positions, i, side, unit, cell) == 0:
            if nth == 0:
                return cell
            nth -= 1
    return 0


@kernel
def place_rest(book, positions, i, side, draw):
    """All units still to place, the Guard first: at random."""
    n = 0
    for k in range(CLASSES):
        unit = CLASSES - k
        while i64(positions[i].left[side, unit - 1]) > 0:
            place(positions, i, side, unit, square_for(book, positions, i, side, unit, draw_at(draw, n)))
            n += 1


@kernel
def fill_left(book, positions, i, side):
    for k in range(CLASSES):
        positions[i].left[side, k] = i64(book[0].army[k])


@kernel
def deal(book, positions, i, work, seats, setup, draw):
    """Complete a scenario's position. Setup 1: White's placement drawn, Black's the same turned by half a turn."""
    p = positions[i]
    for cell in range(CELLS):
        if cell % WIDTH == 0 or cell % WIDTH == 9 or cell // WIDTH == 0 or cell // WIDTH == 9:
            p.cell[cell] = BORDER
    p.phase = OPENING
    p.attacker = NOBODY
    p.winner = NOBODY
    if setup == 1:
        fill_left(book, positions, i, WHITE)
        place_rest(book, positions, i, WHITE, draw)
        for cell in range(FIRST_CELL, LAST_CELL + 1):
            unit = i64(p.cell[cell])
            if unit >= 1 and unit <= CLASSES:
                p.cell[99 - cell] = unit + 8
    return 0


@kernel
def hide(book, positions, i, work, seat):
    """While placing, the other side's pieces are nobody's business; that it is ready is public."""
    if i64(positions[i].phase) == DEPLOY:
        for side in range(2):
            if side != seat:
                for cell in range(FIRST_CELL, LAST_CELL + 1):
                    unit = i64(positions[i].cell[cell]) - 8 * side
                    if unit >= 1 and unit <= CLASSES:
                        positions[i].cell[cell] = 0
                fill_left(book, positions, i, side)
    return 0


@kernel
def imagine(book, positions, i, work, seat, draw):
    """One placement the other side may have made."""
    if i64(positions[i].phase) == DEPLOY:
        for side in range(2):
            if side != seat:
                place_rest(book, positions, i, side, draw_at(draw, side))
    return 0
