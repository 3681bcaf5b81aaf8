"""T2.1, T3.1, T3.4, T5, T6: rolls, and how turns and the match begin and end."""

from __future__ import annotations

from sandtable.games.tactics.layout import (
    ACT, CELLS, CHOOSE, CLASSES, CONCEDED, DEPLOY, E_CONCEDED, E_ENDED_ITSELF, E_OPENING, E_QUIET, E_ROLLED, E_TIED,
    NOBODY, OPENING, OVER, PIECE, QUIET, ROLL,
)  # fmt: skip
from sandtable.games.tactics.rules.moves import can_move
from sandtable.kit.kernel import i64, kernel
from sandtable.protocol.records import EVERYBODY, TURN, emit


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
