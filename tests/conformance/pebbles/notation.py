"""Texts of Pebbles: `take 2`, and a position in one line."""

import re

import numpy as np

from sandtable.protocol.errors import BadText
from tests.conformance.pebbles.layout import POSITION, REASONS, SIDES, TAKE


def write_action(action):
    return f"take {action.item()[5]}"


def read_action(text):
    if not (found := re.fullmatch("take ([1-9])", text)):
        raise BadText("take and how many, like take 2", text, column=1)
    return TAKE, 0, 0, 0, 0, int(found[1])


def write_position(position, book):
    heap, seats, mover, reason = position.item()
    return f"pebbles 1: {heap} left, {seats} seats, {REASONS[reason] or 'to take'}: {SIDES[mover]}\n"


def read_position(text, book):
    said = "|".join(["to take", *REASONS[1:]])
    found = re.fullmatch(rf"pebbles 1: (0|[1-9]\d?) left, ([23]) seats, ({said}): ({'|'.join(SIDES)})\n?", text)
    if not found:
        raise BadText("pebbles 1: N left, 2 or 3 seats, to take: SIDE", text, 1, 1)
    heap, seats, mover = int(found[1]), int(found[2]), SIDES.index(found[4])
    reason = 0 if found[3] == "to take" else REASONS.index(found[3])
    if mover >= seats or heap > book["heap"] or (heap == 0) != (found[3] == "last_taken"):
        raise BadText("a position the game can come to", text, 1, 1)
    position = np.zeros(1, POSITION)
    position[0] = heap, seats, mover, reason
    return position
