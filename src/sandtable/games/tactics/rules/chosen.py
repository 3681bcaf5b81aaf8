"""`pick`: a legal action without a list."""

from __future__ import annotations

from sandtable.games.tactics.layout import (
    ATTACK, CAPTURE, CHOOSE, CLASSES, DEFEND, DELTAS, DEPLOY, END, FIRST_CELL, LAST_CELL, MOVE, PLACE, READY,
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
    """A piece, a direction, one square or two, all by lot; where that is not legal the next one that is.

    Black looks at the board from the other side (cell 99 − c, steps turned round): `pick` favours nobody.
    """
    p = positions[i]
    pieces = 0
    for cell in range(FIRST_CELL, LAST_CELL + 1):
        unit = i64(p.cell[cell]) - 8 * seat
        pieces += (unit >= 1) & (unit <= CLASSES)
    skipped = below(draw, pieces)
    turned = below(draw_at(draw, 0), 8)
    far = below(draw_at(draw, 1), 2)
    for step in range(2 * (LAST_CELL + 1)):  # twice round, since the first pieces are skipped
        cell = step % (LAST_CELL + 1)
        at = 99 - cell if seat else cell
        unit = i64(p.cell[at]) - 8 * seat
        if cell >= FIRST_CELL and unit >= 1 and unit <= CLASSES:
            if skipped > 0:
                skipped -= 1
                continue
            for turn in range(16):
                delta = i64(DELTAS[(turned + turn // 2) % 8])
                squares = 1 + (far + turn) % 2
                to = at + squares * (-delta if seat else delta)
                if is_square(to):
                    captures = i64(p.cell[to]) != 0
                    if move_refused(book, positions, i, seat, captures, at, to) == 0:
                        write_action(out, 0, CAPTURE if captures else MOVE, 0, at, to, 0)
                        return
    write_action(out, 0, END, 0, 0, 0, 0)


@kernel
def pick(book, positions, i, work, seat, draw, out):
    """Any legal action: one in eight is `end`."""
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
