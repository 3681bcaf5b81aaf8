"""The rules of Tactics as kernels. Clause numbers are those of RULES.md.

A `side` is a seat (White 0, Black 1). `unit` is a class from 1 to 8 and stands in a cell as 8 × side + unit.
"""

from __future__ import annotations

from sandtable.games.tactics.layout import (
    ACT, ATTACK, BORDER, CAPTURE, CELLS, CHOOSE, CLASSES, CONCEDED, DANGER, DEFEND, DELTAS, DEPLOY, E_CAPTURED,
    E_CHOSE, E_CONCEDED, E_ENDED, E_ENDED_ITSELF, E_GUARD_TAKEN, E_MOVED, E_OPENING, E_PLACED, E_QUIET, E_READIED,
    E_ROLLED, E_TIED, END, FIRST_CELL, GUARD, GUARD_TAKEN, LAST_CELL, MARKED, MOVE, MOVED, NOBODY, OPENING, OVER, PIECE,
    PLACE, QUIET, R_CAPTURE, R_CHARGE, R_DICE, R_DISTANCE, R_GUARD_SQUARE, R_HOME, R_LEFT, R_MARK, R_MIDDLE, R_MOVED,
    R_NOT_READY, R_NOTATION, R_OCCUPIED, R_OVER, R_OWNER, R_POINTS, R_RESERVED, R_SEAT, R_TARGET, READY, ROLL, STRAIGHT,
    WHITE, WIDTH,
)  # fmt: skip
from sandtable.kit.dice import below, draw_at
from sandtable.kit.kernel import i64, kernel
from sandtable.protocol.records import ALL, BUTTONS, EVERYBODY, PALETTE, REVEAL, TURN, emit, write_action

# ---------------------------------------------------------------- T1, T2: the start


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


# ---------------------------------------------------------------- whose turn, and what is due


@kernel
def who(book, positions, i, work):
    p = positions[i]
    phase = i64(p.phase)
    if phase == ACT or phase == CHOOSE:
        return 1 << i64(p.mover)
    if phase == DEPLOY:  # T2.2: both at the same time
        return (1 - i64(p.ready[0])) | ((1 - i64(p.ready[1])) << 1)
    return 0


@kernel
def chance(book, positions, i, work):
    phase = i64(positions[i].phase)
    if phase == OPENING or phase == ROLL:
        return 36
    return 0


@kernel
def may_charge(book, turn, first, second):
    """T5.1, T5.2: equal dice, or a side's first turn."""
    return first == second or (turn <= 2 and i64(book[0].initial_charge) != 0)


@kernel
def points_of(book, turn, first, second):
    """T3.1, T5.1, T5.2: the sum, doubled once."""
    if may_charge(book, turn, first, second):
        return 2 * (first + second)
    return first + second


@kernel
def roll(book, positions, i, work, result):
    """T2.1 and T3.1. The result is 6 × (first face − 1) + second face − 1; in the opening White's face is the first."""
    p = positions[i]
    first = result // 6 + 1
    second = result % 6 + 1
    p.die[0] = first
    p.die[1] = second
    if i64(p.phase) == OPENING:
        emit(work, i, 201, E_OPENING, EVERYBODY, -1, 0, 0, first, second, 0)
        if first == second:
            emit(work, i, 201, E_TIED, EVERYBODY, -1, 0, 0, first, second, 0)
        else:
            p.mover = 0 if first > second else 1
            p.phase = CHOOSE
        return 0
    side = i64(p.mover)
    turn = i64(p.turn) + 1
    points = points_of(book, turn, first, second)
    p.turn = turn
    p.quiet = i64(p.quiet) + 1
    p.points = points
    p.charge = 1 if may_charge(book, turn, first, second) else 0
    p.phase = ACT
    emit(work, i, 301, E_ROLLED, EVERYBODY, side, 0, 0, first, second, points)
    if not can_move(book, positions, i):
        end_turn(book, positions, i, work, E_ENDED_ITSELF)
    return 0


# ---------------------------------------------------------------- T3–T5: moving and capturing


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
    return (target == 0) * MOVE + is_foe * i64(book[0].takes[unit - 1, foe & 7]) * CAPTURE


@kernel
def first_direction(book, points):
    """Straight steps are directions 0–3, diagonal ones 4–7: the payable ones are first_direction … last_direction − 1."""
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
                if kind_onto(book, unit, i64(p.cell[here + DELTAS[direction]]), 8 - base) != 0:
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
        unit = i64(p.cell[here]) - base
        work[i].mine[count] = here
        count += (unit >= 1) & (unit <= CLASSES)
    for k in range(count):
        at = i64(work[i].mine[k])
        unit = i64(p.cell[at]) - base
        for direction in range(first, last):
            delta = i64(DELTAS[direction])
            kind = kind_onto(book, unit, i64(p.cell[at + delta]), 8 - base)
            write_action(out, n, kind, 0, at, at + delta, 0)
            n += kind != 0
            if kind == MOVE and direction >= first_far and direction < last_far:  # T5.3
                kind = kind_onto(book, unit, i64(p.cell[at + 2 * delta]), 8 - base)
                write_action(out, n, kind, 0, at, at + 2 * delta, 0)
                n += kind != 0
    return n


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


@kernel
def is_square(cell):
    return cell >= FIRST_CELL and cell <= LAST_CELL and cell % WIDTH >= 1 and cell % WIDTH <= 8


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


# ---------------------------------------------------------------- what actions do


@kernel
def begin_play(positions, i, work):
    """T2.4: the attacker has the first turn."""
    p = positions[i]
    p.die[0] = 0
    p.die[1] = 0
    p.ready[0] = 0
    p.ready[1] = 0
    p.mover = i64(p.attacker)
    p.phase = ROLL
    emit(work, i, 204, TURN, EVERYBODY, i64(p.mover), 0, 0, 1, 0, 0)


@kernel
def clear_turn(positions, i):
    """What belongs to one turn goes: its marks, points and dice."""
    p = positions[i]
    for cell in range(CELLS):
        p.cell[cell] = i64(p.cell[cell]) & PIECE
    p.points = 0
    p.charge = 0
    p.die[0] = 0
    p.die[1] = 0


@kernel
def finish(positions, i, reason, winner):
    """The match is over; what is left says how, and nothing else."""
    p = positions[i]
    clear_turn(positions, i)
    p.phase = OVER
    p.mover = 0
    p.reason = reason
    p.winner = winner
    for side in range(2):
        p.ready[side] = 0
        for k in range(CLASSES):
            p.left[side, k] = 0


@kernel
def end_turn(book, positions, i, work, kind):
    """T3.4 and T6.2: marks and points go; the other side rolls, unless it has been quiet too long."""
    p = positions[i]
    side = i64(p.mover)
    emit(work, i, 304, kind, EVERYBODY, side, 0, 0, i64(p.points), 0, 0)
    clear_turn(positions, i)
    if i64(p.quiet) >= i64(book[0].draw_after):
        finish(positions, i, QUIET, NOBODY)
        emit(work, i, 602, E_QUIET, EVERYBODY, -1, 0, 0, i64(p.quiet), 0, 0)
    else:
        p.mover = 1 - side
        p.phase = ROLL
        emit(work, i, 301, TURN, EVERYBODY, 1 - side, 0, 0, i64(p.turn) + 1, 0, 0)


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


# ---------------------------------------------------------------- T6: the end


@kernel
def concede(book, positions, i, work, seat):
    """T6.2: at any time, in turn or not."""
    finish(positions, i, CONCEDED, 1 - seat)
    emit(work, i, 602, E_CONCEDED, EVERYBODY, seat, 0, 0, 0, 0, 0)
    return 0


@kernel
def outcome(book, positions, i, work, places):
    if i64(positions[i].phase) != OVER:
        return 0
    winner = i64(positions[i].winner)
    for seat in range(2):
        places[i, seat] = 1 if winner == seat or winner == NOBODY else 2
    return i64(positions[i].reason)


# ---------------------------------------------------------------- secrets (T2.2, T2.4)


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


# ---------------------------------------------------------------- for players


@kernel
def pick(book, positions, i, work, seat, draw, out):
    """Any legal action: one in eight `end`, else a random cell and direction and the first legal move from there on."""
    p = positions[i]
    phase = i64(p.phase)
    if phase == CHOOSE:
        write_action(out, 0, ATTACK if below(draw, 2) == 0 else DEFEND, 0, 0, 0, 0)
    elif phase == DEPLOY:
        pick_place(book, positions, i, seat, draw, out)
    elif below(draw, 8) == 0:
        write_action(out, 0, END, 0, 0, 0, 0)
    else:
        pick_move(book, positions, i, seat, draw_at(draw, 0), out)
    return 1


@kernel
def pick_place(book, positions, i, seat, draw, out):
    """The Guard comes in among the others, in any order; `ready` once all stand."""
    left = unplaced(positions, i, seat)
    if left == 0:
        write_action(out, 0, READY, 0, 0, 0, 0)
        return
    nth = below(draw, left)
    unit = 1
    while nth >= i64(positions[i].left[seat, unit - 1]):
        nth -= i64(positions[i].left[seat, unit - 1])
        unit += 1
    cell = square_for(book, positions, i, seat, unit, draw_at(draw, 0))
    write_action(out, 0, PLACE, unit, 0, cell, 0)


@kernel
def pick_move(book, positions, i, seat, draw, out):
    p = positions[i]
    start = below(draw, LAST_CELL + 1)
    turned = below(draw_at(draw, 0), 8)
    far = below(draw_at(draw, 1), 2) == 0
    for step in range(LAST_CELL + 1):
        at = (start + step) % (LAST_CELL + 1)
        unit = i64(p.cell[at]) - 8 * seat
        if unit >= 1 and unit <= CLASSES:
            for turn in range(8):
                delta = i64(DELTAS[(turned + turn) % 8])
                for length in range(2):
                    squares = 2 - length if far else 1 + length
                    to = at + squares * delta
                    if is_square(to):
                        captures = i64(p.cell[to]) != 0
                        if move_refused(book, positions, i, seat, captures, at, to) == 0:
                            write_action(out, 0, CAPTURE if captures else MOVE, 0, at, to, 0)
                            return
    write_action(out, 0, END, 0, 0, 0, 0)


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
