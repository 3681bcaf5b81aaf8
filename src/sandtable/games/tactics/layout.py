"""Records, numbers and names of Tactics.

The board is a mailbox of 10 × 10 cells, so that a step off the board lands on a border cell:

    index = rank * 10 + file        a1 = 11 … h1 = 18, a8 = 81 … h8 = 88

     90  91 … 98  99    border
     80 [81 … 88] 89    rank 8, Black's home 6–8
      …
     10 [11 … 18] 19    rank 1, White's home 1–3
      0   1 …  8   9    border

A cell holds 0, a piece (1–8 White's, 9–16 Black's, in the order of SIGNS), or BORDER; MOVED is added to a piece that
has moved this turn.
"""

from __future__ import annotations

import numpy as np

from sandtable.kit.square import deltas
from sandtable.protocol.records import FIRST_OWN_KIND, work_fields

WHITE, BLACK, NOBODY = 0, 1, 2
SIGNS = "HECPABMR"
KINDS = ("axemen", "swordsmen", "cavalry", "pikemen", "archers", "arquebusiers", "mages", "guard")
SIDES = ("white", "black")
CLASSES = 8
GUARD = 8  # R: classes count from 1

WIDTH = 10
CELLS = 100
MARKS = CELLS  # an overlay has one for each cell
FIRST_CELL, LAST_CELL = 11, 88
BORDER = 31
MOVED = 32
PIECE = 31  # mask: the piece without its mark
DELTAS = np.array(deltas(WIDTH), dtype=np.int64)
STRAIGHT = 4  # directions 0–3 are straight, 4–7 diagonal
MARKED = np.array([[14, 15, 24, 25], [84, 85, 74, 75]])  # the Guard's squares (T2.3): d1 e1 d2 e2, d8 e8 d7 e7

# Phases
OPENING, CHOOSE, DEPLOY, ROLL, ACT, OVER = range(6)
PHASES = ("opening", "choose", "deploy", "roll", "act", "over")

# Why a match is over
GUARD_TAKEN, CONCEDED, QUIET = 1, 2, 3
REASONS = ("", "guard", "conceded", "quiet")

# Action kinds, with the fields each uses
ATTACK, DEFEND, PLACE, READY, MOVE, CAPTURE, END = range(1, 8)  # PLACE what to; MOVE and CAPTURE at to

# Refusals, in the order in which they are looked for (T6.3)
R_OVER, R_DICE, R_SEAT, R_NOTATION = 1, 2, 3, 4
R_OWNER, R_MOVED, R_DISTANCE, R_CHARGE, R_MIDDLE, R_TARGET, R_CAPTURE, R_MARK, R_POINTS = range(5, 14)
R_LEFT, R_HOME, R_OCCUPIED, R_GUARD_SQUARE, R_RESERVED, R_NOT_READY = range(14, 20)
REFUSALS = {
    R_OVER: ("over", "T6.1"),
    R_DICE: ("dice_due", "T3.1"),
    R_SEAT: ("seat", "T3.1"),
    R_NOTATION: ("notation", "T6.3"),
    R_OWNER: ("owner", "T3.3"),
    R_MOVED: ("moved", "T3.2"),
    R_DISTANCE: ("distance", "T3.2"),
    R_CHARGE: ("charge", "T5.1"),
    R_MIDDLE: ("middle", "T5.1"),
    R_TARGET: ("target", "T3.3"),
    R_CAPTURE: ("capture", "T4.2"),
    R_MARK: ("mark", "T4.1"),
    R_POINTS: ("points", "T3.1"),
    R_LEFT: ("left", "T1.2"),
    R_HOME: ("home", "T2.2"),
    R_OCCUPIED: ("occupied", "T2.2"),
    R_GUARD_SQUARE: ("guard_square", "T2.3"),
    R_RESERVED: ("reserved", "T2.5"),
    R_NOT_READY: ("not_ready", "T2.2"),
}

# Events, with their fields
(
    E_OPENING, E_TIED, E_CHOSE, E_PLACED, E_READIED, E_ROLLED, E_MOVED, E_CAPTURED, E_ENDED, E_ENDED_ITSELF,
    E_GUARD_TAKEN, E_CONCEDED, E_QUIET,
) = range(FIRST_OWN_KIND, FIRST_OWN_KIND + 13)  # fmt: skip

# Overlays
DANGER = 0  # of 36 rolls, how many let the other side take what stands there in one action
OVERLAYS = ("danger",)

POSITION = np.dtype(
    (
        np.record,
        [
            ("cell", "u1", (CELLS,)),
            ("left", "u1", (2, CLASSES)),  # pieces still to place, by side and class − 1
            ("turn", "u2"),  # the running turn: 1 is the attacker's first, 0 before it
            ("quiet", "u2"),  # turns in a row without capture, the running one counted (T6.2)
            ("phase", "u1"),
            ("mover", "u1"),  # whose turn, or who chooses
            ("attacker", "u1"),  # NOBODY until chosen
            ("points", "u1"),  # left this turn
            ("charge", "u1"),  # two-square moves allowed this turn (T5.1, T5.2)
            ("die", "u1", (2,)),  # this turn's roll; in the opening White's face and Black's; 0 before
            ("ready", "u1", (2,)),
            ("reason", "u1"),
            ("winner", "u1"),  # a side, NOBODY
            ("pad", "u1", (1,)),
        ],
    )
)

BOOK = np.dtype(
    (
        np.record,
        [
            ("army", "u1", (CLASSES,)),
            ("takes", "u1", (CLASSES, CLASSES)),  # row takes column
            ("draw_after", "u2"),
            ("straight_cost", "u1"),
            ("diagonal_cost", "u1"),
            ("home_ranks", "u1"),
            ("reserve_guard_squares", "u1"),
            ("initial_charge", "u1"),
            ("pad", "u1", (1,)),
        ],
    )
)

EVENTS = 64
LONGEST_LIST = 256  # 15 pieces × 16 targets + end
WORK = np.dtype(
    (np.record, [*work_fields(EVENTS, LONGEST_LIST), ("mine", "u1", (80,))])  # cells of the pieces that can still move
)
