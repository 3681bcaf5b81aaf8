"""The two records every game shares, and the sources an action can start from."""

from __future__ import annotations

from typing import Any

import numpy as np

from sandtable.kit.kernel import i64, kernel, u64

# One action, whatever the game. Fields a kind does not use are zero; anything else is refused.
ACTION = np.dtype(
    (
        np.record,
        [
            ("kind", "u1"),  # the game's own list; 0 is no action at all
            ("marks", "u1"),  # flags
            ("what", "u2"),  # a kind of unit, an order
            ("at", "i4"),  # the cell or unit that acts
            ("to", "i4"),  # where to
            ("arg", "i4"),  # a second coordinate, an amount
        ],
    )
)

# What happened, for eyes: sentences and animations are made from these.
EVENT = np.dtype(
    (
        np.record,
        [
            ("seats", "u4"),  # mask of the seats that may know; EVERYBODY for all and onlookers
            ("at", "i4"),
            ("to", "i4"),
            ("a", "i4"),
            ("b", "i4"),
            ("c", "i4"),
            ("clause", "u2"),  # 402 is clause 4.2 of the game's rule book
            ("kind", "u1"),
            ("who", "i1"),  # the seat it is about, −1 nobody
        ],
    )
)

EVERYBODY = 0xFFFFFFFF

# Event kinds every game gives the same meaning; a game's own begin at 16.
TURN = 1  # `who` begins a turn
REVEAL = 2  # something secret became public: nothing before it is taken back
FIRST_OWN_KIND = 16

# Where actions start from: a cell or unit (its number, 0 and up), or one of these.
ALL = -1  # asks for every action
BUTTONS = -2  # actions of the turn itself: end, ready, a choice
PALETTE = -16  # entry k of the palette is PALETTE − k

RUNNING = 0  # `outcome` while nobody has won


def work_fields(events: int, longest_list: int) -> list[tuple[Any, ...]]:
    """What every game's WORK begins with: room for the events of one apply or roll, and for a list of actions."""
    return [
        ("event_count", "i4"),
        ("event_wanted", "i4"),
        ("events", EVENT, (events,)),
        ("listed", ACTION, (longest_list,)),
    ]


@kernel
def emit(work, i, clause, kind, seats, who, at, to, a, b, c):
    """Write an event down if somebody asked for them. The count goes on when the buffer is full: it says so."""
    if work[i].event_wanted:
        n = i64(work[i].event_count)
        if n < len(work[i].events):
            work[i].events[n].clause = clause
            work[i].events[n].kind = kind
            work[i].events[n].seats = seats
            work[i].events[n].who = who
            work[i].events[n].at = at
            work[i].events[n].to = to
            work[i].events[n].a = a
            work[i].events[n].b = b
            work[i].events[n].c = c
        work[i].event_count = n + 1


@kernel
def write_action(out, n, kind, what, at, to, arg):
    """Put an action into slot n of a list if the list is that long."""
    if n < len(out):
        k = u64(n)  # an index known not to be negative
        out[k].kind = kind
        out[k].marks = 0
        out[k].what = what
        out[k].at = at
        out[k].to = to
        out[k].arg = arg
