"""`pick`: a legal action without a list."""

from __future__ import annotations

from sandtable.games.tactics.layout import (
    ATTACK, CAPTURE, CHOOSE, CLASSES, DEFEND, DELTAS, DEPLOY, END, LAST_CELL, MOVE, PLACE, READY,
)  # fmt: skip
from sandtable.games.tactics.rules.moves import is_square, move_refused
from sandtable.games.tactics.rules.setup import square_for, unplaced
from sandtable.kit.dice import below, draw_at
from sandtable.kit.kernel import i64, kernel
from sandtable.protocol.records import write_action


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
