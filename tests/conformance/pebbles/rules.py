"""The rules of Pebbles: the six slots a game cannot do without."""

from sandtable.kit.kernel import i64, kernel
from sandtable.protocol.records import write_action
from tests.conformance.pebbles.layout import CONCEDED, LAST_TAKEN, RUNNING, TAKE


@kernel
def deal(book, positions, i, work, seats, setup, draw):
    positions[i].heap = book[0].heap
    positions[i].seats = seats
    return 0


@kernel
def who(book, positions, i, work):
    if i64(positions[i].reason) != RUNNING:
        return 0
    return 1 << i64(positions[i].mover)


@kernel
def actions(book, positions, i, work, seat, at, out):
    if not (who(book, positions, i, work) >> seat) & 1:
        return 0
    n = min(i64(book[0].most_taken), i64(positions[i].heap))
    for k in range(n):
        write_action(out, k, TAKE, 0, 0, 0, k + 1)
    return n


@kernel
def apply(book, positions, i, work, seat, given, k):
    heap = i64(positions[i].heap) - i64(given[k].arg)
    positions[i].heap = heap
    if heap == 0:
        positions[i].reason = LAST_TAKEN
    else:
        positions[i].mover = (seat + 1) % i64(positions[i].seats)
    return 0


@kernel
def concede(book, positions, i, work, seat):
    positions[i].reason = CONCEDED
    positions[i].mover = seat
    return 0


@kernel
def outcome(book, positions, i, work, places):
    reason = i64(positions[i].reason)
    if reason != RUNNING:
        for seat in range(i64(positions[i].seats)):
            did = seat == i64(positions[i].mover)
            places[i, seat] = 1 if did == (reason == LAST_TAKEN) else 2
    return reason
