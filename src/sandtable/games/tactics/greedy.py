"""The fixed yardstick of Tactics. Others are measured against it, so it is never changed.

It takes the enemy Guard if it can. Else it plays the action that leaves most of

    20 × (own − enemy pieces) − steps from its nearest piece to the enemy Guard + ½ × steps from his nearest to its own

where `end` leaves things as they stand; ties at random. In set-up it plays `pick`.
"""

from __future__ import annotations

from sandtable.games.tactics.layout import ACT, CLASSES, END, FIRST_CELL, GUARD, LAST_CELL, MOVED, PIECE, WIDTH
from sandtable.games.tactics.rules import actions, pick
from sandtable.kit.dice import below, draw_at
from sandtable.kit.kernel import i64, kernel
from sandtable.kit.square import king_steps
from sandtable.protocol.records import ALL


@kernel
def find_guard(positions, i, side):
    for cell in range(FIRST_CELL, LAST_CELL + 1):
        if i64(positions[i].cell[cell]) & PIECE == 8 * side + GUARD:
            return cell
    return 0


@kernel
def twice_worth(positions, i, side):
    """The judgement above, doubled so that halves are whole."""
    own_guard = find_guard(positions, i, side)
    foe_guard = find_guard(positions, i, 1 - side)
    balance = 0
    to_foe = WIDTH
    to_own = WIDTH
    for cell in range(FIRST_CELL, LAST_CELL + 1):
        piece = i64(positions[i].cell[cell]) & PIECE
        if piece >= 8 * side + 1 and piece <= 8 * side + CLASSES:
            balance += 1
            to_foe = min(to_foe, king_steps(cell, foe_guard, WIDTH))
        elif piece >= 1 and piece <= 2 * CLASSES:
            balance -= 1
            to_own = min(to_own, king_steps(cell, own_guard, WIDTH))
    return 40 * balance - 2 * to_foe + to_own


@kernel
def greedy(book, positions, i, work, seat, draw, out):
    p = positions[i]
    if i64(p.phase) != ACT:
        return pick(book, positions, i, work, seat, draw, out)
    n = actions(book, positions, i, work, seat, ALL, work[i].listed[:])
    best = 0
    best_worth = 0
    ties = 0
    for k in range(n):
        at = i64(work[i].listed[k].at)
        to = i64(work[i].listed[k].to)
        if i64(work[i].listed[k].kind) == END:
            worth = twice_worth(positions, i, seat)
        else:
            unit = i64(p.cell[at])
            taken = i64(p.cell[to])
            if taken == 8 * (1 - seat) + GUARD:
                best = k
                break
            p.cell[at] = 0
            p.cell[to] = unit + MOVED
            worth = twice_worth(positions, i, seat)
            p.cell[at] = unit
            p.cell[to] = taken
        if k == 0 or worth > best_worth:
            best = k
            best_worth = worth
            ties = 1
        elif worth == best_worth:
            ties += 1
            if below(draw_at(draw, k), ties) == 0:
                best = k
    out[0].kind = work[i].listed[best].kind
    out[0].marks = 0
    out[0].what = 0
    out[0].at = work[i].listed[best].at
    out[0].to = work[i].listed[best].to
    out[0].arg = 0
    return 1
