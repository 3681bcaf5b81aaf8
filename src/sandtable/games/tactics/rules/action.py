"""Actions: listed, checked in the order of T6.3, and done."""

from __future__ import annotations

from sandtable.games.tactics.layout import (
    ACT, ATTACK, BORDER, CAPTURE, CHOOSE, CLASSES, DEFEND, DEPLOY, END, E_CAPTURED, E_CHOSE, E_ENDED,
    E_ENDED_ITSELF, E_GUARD_TAKEN, E_MOVED, E_PLACED, E_READIED, FIRST_CELL, GUARD, GUARD_TAKEN, LAST_CELL, MOVE,
    MOVED, OPENING, OVER, PLACE, READY, ROLL, R_DICE, R_NOTATION, R_NOT_READY, R_OVER, R_SEAT, WIDTH,
)  # fmt: skip
from sandtable.games.tactics.rules.moves import can_move, is_square, list_moves, move_refused
from sandtable.games.tactics.rules.setup import fill_left, place, placing_refused, unplaced
from sandtable.games.tactics.rules.turn import begin_play, end_turn, finish, who
from sandtable.kit.kernel import i64, kernel
from sandtable.protocol.records import ALL, BUTTONS, EVERYBODY, PALETTE, REVEAL, emit, write_action


@kernel
def actions(book, positions, i, work, seat, at, out):
    if not (who(book, positions, i, work) >> seat) & 1:
        return 0
    phase = i64(positions[i].phase)
    buttons = at == ALL or at == BUTTONS
    n = 0
    if phase == ACT:
        if buttons:
            write_action(out, 0, END, 0, 0, 0, 0)
            n = 1
        if at == ALL:
            n = list_moves(book, positions, i, work, out, n, FIRST_CELL, LAST_CELL)
        elif at >= FIRST_CELL and at <= LAST_CELL:
            n = list_moves(book, positions, i, work, out, n, at, at)
    elif phase == CHOOSE:
        if buttons:
            write_action(out, 0, ATTACK, 0, 0, 0, 0)
            write_action(out, 1, DEFEND, 0, 0, 0, 0)
            n = 2
    else:
        for unit in range(1, CLASSES + 1):
            if at == ALL or at == PALETTE - unit:
                for cell in range(FIRST_CELL, LAST_CELL + 1):
                    if placing_refused(book, positions, i, seat, unit, cell) == 0:
                        write_action(out, n, PLACE, unit, 0, cell, 0)
                        n += 1
        if buttons and unplaced(positions, i, seat) == 0:
            write_action(out, n, READY, 0, 0, 0, 0)
            n += 1
    return n


@kernel
def check(book, positions, i, work, seat, given, k):
    phase = i64(positions[i].phase)
    if phase == OVER:
        return R_OVER
    if phase == OPENING or phase == ROLL:
        return R_DICE
    if seat < 0 or seat > 1 or not (who(book, positions, i, work) >> seat) & 1:
        return R_SEAT
    kind = i64(given[k].kind)
    what = i64(given[k].what)
    at = i64(given[k].at)
    to = i64(given[k].to)
    if i64(given[k].marks) != 0 or i64(given[k].arg) != 0:
        return R_NOTATION
    if phase == ACT and (kind == MOVE or kind == CAPTURE):
        if what != 0 or not is_square(at) or not is_square(to):
            return R_NOTATION
        return move_refused(book, positions, i, seat, kind == CAPTURE, at, to)
    if at != 0:
        return R_NOTATION
    if phase == DEPLOY and kind == PLACE:
        if what < 1 or what > CLASSES or not is_square(to):
            return R_NOTATION
        return placing_refused(book, positions, i, seat, what, to)
    if what != 0 or to != 0:
        return R_NOTATION
    if phase == DEPLOY and kind == READY:
        if unplaced(positions, i, seat) > 0:
            return R_NOT_READY
        return 0
    if phase == ACT and kind == END:
        return 0
    if phase == CHOOSE and (kind == ATTACK or kind == DEFEND):
        return 0
    return R_NOTATION


@kernel
def move(book, positions, i, work, at, to):
    """T3, T4.1, T5: a step, a charge or a capture, known to be legal."""
    p = positions[i]
    side = i64(p.mover)
    unit = i64(p.cell[at])
    taken = i64(p.cell[to])
    columns = abs(to % WIDTH - at % WIDTH)
    rows = abs(to // WIDTH - at // WIDTH)
    cost = max(columns, rows) * (
        i64(book[0].straight_cost) if columns == 0 or rows == 0 else i64(book[0].diagonal_cost)
    )
    points = i64(p.points) - cost
    p.points = points
    p.cell[at] = 0
    p.cell[to] = unit + MOVED
    if taken != 0:
        foe = taken - 8 * (1 - side)
        p.quiet = 0
        emit(work, i, 401, E_CAPTURED, EVERYBODY, side, at, to, 16 * (unit - 8 * side) + foe, cost, points)
        if foe == GUARD:  # T6.1
            finish(positions, i, GUARD_TAKEN, side)
            emit(work, i, 601, E_GUARD_TAKEN, EVERYBODY, side, at, to, 0, 0, 0)
            return
    else:
        clause = 501 if max(columns, rows) == 2 else 302
        emit(work, i, clause, E_MOVED, EVERYBODY, side, at, to, 16 * (unit - 8 * side), cost, points)
    if not can_move(book, positions, i):
        end_turn(book, positions, i, work, E_ENDED_ITSELF)


@kernel
def apply(book, positions, i, work, seat, given, k):
    p = positions[i]
    kind = i64(given[k].kind)
    if kind == MOVE or kind == CAPTURE:
        move(book, positions, i, work, i64(given[k].at), i64(given[k].to))
    elif kind == END:
        end_turn(book, positions, i, work, E_ENDED)
    elif kind == PLACE:
        place(positions, i, seat, i64(given[k].what), i64(given[k].to))
        emit(work, i, 202, E_PLACED, 1 << seat, seat, 0, i64(given[k].to), i64(given[k].what), 0, 0)
    elif kind == READY:
        p.ready[seat] = 1
        emit(work, i, 202, E_READIED, EVERYBODY, seat, 0, 0, 0, 0, 0)
        if i64(p.ready[1 - seat]):
            emit(work, i, 204, REVEAL, EVERYBODY, -1, 0, 0, 0, 0, 0)
            begin_play(positions, i, work)
    else:  # T2.1
        p.attacker = seat if kind == ATTACK else 1 - seat
        emit(work, i, 201, E_CHOSE, EVERYBODY, seat, 0, 0, kind, 0, 0)
        standing = 0
        for cell in range(FIRST_CELL, LAST_CELL + 1):
            unit = i64(p.cell[cell])
            if unit != 0 and unit != BORDER:
                standing += 1
        if standing > 0:  # a scenario that comes with its armies placed
            begin_play(positions, i, work)
        else:
            fill_left(book, positions, i, 0)
            fill_left(book, positions, i, 1)
            p.die[0] = 0
            p.die[1] = 0
            p.mover = 0
            p.phase = DEPLOY
    return 0
