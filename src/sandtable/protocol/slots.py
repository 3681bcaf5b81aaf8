"""The slots of a game: what each is asked, its types, and what stands in where a game leaves one out.

A slot is a kernel `(book, positions, i, work, …)`. A game's rules write `deal who actions apply concede outcome`; any
other slot has a default here, bound to the game's own. Defaults are kernels too: they run interpreted and compiled.
"""

from __future__ import annotations

from typing import Any

from sandtable.kit.dice import below, draw_at
from sandtable.kit.kernel import kernel
from sandtable.protocol.records import ACTION, ALL, RUNNING

# In the order a background compile makes them: what a person needs first comes first.
SLOTS = (
    "actions", "check", "apply", "pick", "roll", "who", "chance", "outcome", "greedy", "hide", "overlay",
    "deal", "concede", "imagine", "step", "judge", "groups", "propose", "play_out",
)  # fmt: skip
REQUIRED = ("deal", "who", "actions", "apply", "outcome", "concede")
# Each default calls only slots that stand before it here.
BINDING_ORDER = (
    *REQUIRED, "chance", "roll", "hide", "imagine", "overlay", "check", "pick", "greedy", "step", "judge", "groups",
    "propose", "play_out",
)  # fmt: skip

# What parameter names stand for beside the game's own book, positions and work: (dtype, dimensions). Others are int64.
TYPES: dict[str, Any] = {
    "out": (ACTION, 1),  # actions written by a slot
    "given": (ACTION, 1),  # actions handed to a slot, with an index k
    "places": ("u1", 2),  # [i, seat]: 1 is best, ties share
    "marks": ("i8", 1),  # an overlay's value by cell or unit
    "sources": ("i8", 1),  # the groups of a position, each as the source of its actions
    "plans": (ACTION, 2),  # [plan, step], ended by kind 0
    "weights": ("i8", 1),
    "styles": ("u1", 2),  # [i, seat]: LISTING, PICKING or GREEDY
    "seeds": ("i8", 1),
    "ranks": ("u1", 2),  # room for one game's places
    "reasons": ("u1", 1),
    "plies": ("i8", 1),
}


def _missing(*_: Any) -> int:
    raise NotImplementedError("this slot is bound when a game is put together")


# Names the defaults below call; `bind` replaces them with the game's own.
who = kernel(lambda book, positions, i, work: _missing())
actions = kernel(lambda book, positions, i, work, seat, at, out: _missing())
apply = kernel(lambda book, positions, i, work, seat, given, k: _missing())
roll = kernel(lambda book, positions, i, work, result: _missing())
chance = kernel(lambda book, positions, i, work: _missing())
outcome = kernel(lambda book, positions, i, work, places: _missing())
pick = kernel(lambda book, positions, i, work, seat, draw, out: _missing())
greedy = kernel(lambda book, positions, i, work, seat, draw, out: _missing())
hide = kernel(lambda book, positions, i, work, seat: _missing())


@kernel
def default_chance(book, positions, i, work):
    """No dice, unless a game says so."""
    return 0


@kernel
def default_roll(book, positions, i, work, result):
    return 0


@kernel
def default_hide(book, positions, i, work, seat):
    """Nothing is secret."""
    return 0


@kernel
def default_imagine(book, positions, i, work, seat, draw):
    return 0


@kernel
def default_overlay(book, positions, i, work, seat, which, marks):
    return 0


@kernel
def default_judge(book, positions, i, work, seat):
    """Nobody stands better than anybody."""
    return 0


@kernel
def default_groups(book, positions, i, work, seat, sources):
    """One group: everything."""
    sources[0] = ALL
    return 1


@kernel
def default_propose(book, positions, i, work, seat, group, draw, plans, weights):
    """Each action of the group alone, all equally promising. A row of `plans` ends at kind 0."""
    n = actions(book, positions, i, work, seat, group, work[i].listed[:])
    n = min(n, len(plans), len(work[i].listed))
    for k in range(n):
        plans[k, 0] = work[i].listed[k]
        for later in range(1, plans.shape[1]):
            plans[k, later].kind = 0
        weights[k] = 1
    return n


@kernel
def default_pick(book, positions, i, work, seat, draw, out):
    """One of the list, all equally likely. A game whose lists outgrow `listed` brings its own pick and check."""
    n = actions(book, positions, i, work, seat, ALL, work[i].listed[:])
    out[0] = work[i].listed[below(draw, min(n, len(work[i].listed)))]
    return 1


@kernel
def default_greedy(book, positions, i, work, seat, draw, out):
    return pick(book, positions, i, work, seat, draw, out)


@kernel
def default_check(book, positions, i, work, seat, given, k):
    """Legal is what is listed; a game that can say why refuses with a reason of its own."""
    if seat < 0 or seat > 31 or not (who(book, positions, i, work) >> seat) & 1:
        return 1
    n = actions(book, positions, i, work, seat, ALL, work[i].listed[:])
    for j in range(min(n, len(work[i].listed))):
        one = work[i].listed[j]
        if (
            one.kind == given[k].kind and one.marks == given[k].marks and one.what == given[k].what
            and one.at == given[k].at and one.to == given[k].to and one.arg == given[k].arg
        ):  # fmt: skip
            return 0
    return 2


@kernel
def lowest_seat(mask):
    """The first of the seats that may act."""
    seat = 0
    while not (mask >> seat) & 1:
        seat += 1
    return seat


@kernel
def default_step(book, positions, i, work, which, draw, out):
    """Play out[which], roll what falls due, list what comes next: (count << 3) | seat, 0 when it is over.

    The seat is the lowest that may act. Call with which = −1 to begin.
    """
    if which >= 0:
        apply(book, positions, i, work, lowest_seat(who(book, positions, i, work)), out, which)
    n = 0
    while True:
        faces = chance(book, positions, i, work)
        if faces == 0:
            break
        number = draw_at(draw, n)
        roll(book, positions, i, work, number if faces < 0 else below(number, faces))
        n += 1
    mask = who(book, positions, i, work)
    if mask == 0:
        return 0
    seat = lowest_seat(mask)
    return (actions(book, positions, i, work, seat, ALL, out) << 3) | seat


LISTING, PICKING, GREEDY = 0, 1, 2  # how a seat plays in play_out: uniform over the list, by `pick`, by `greedy`
CHOICES = 1 << 31  # a game's dice are numbers 0, 1, … of its seed, its players' choices start here


@kernel
def default_play_out(
    book, positions, first, last, spare, work, styles, seeds, longest, out, ranks, places, reasons, plies
):
    """Play positions first … last − 1 to their ends, no Python inside; how many plies it took.

    Game i draws from seeds[i] alone, dice and choices apart: two games of one seed see the same dice. It is played in
    spare[0]; a scripted player is handed spare[1], where `hide` has been. An end not reached has reason RUNNING.
    """
    total = 0
    for i in range(first, last):
        spare[0] = positions[i]
        rolls = 0
        ply = 0
        while ply < longest:
            faces = chance(book, spare, 0, work)
            if faces != 0:
                number = draw_at(seeds[i], rolls)
                rolls += 1
                roll(book, spare, 0, work, number if faces < 0 else below(number, faces))
                continue
            mask = who(book, spare, 0, work)
            if mask == 0:
                break
            seat = lowest_seat(mask)
            draw = draw_at(seeds[i], CHOICES + ply)
            k = 0
            if styles[i, seat] == LISTING:
                k = below(draw, min(len(out), actions(book, spare, 0, work, seat, ALL, out)))
            else:
                spare[1] = spare[0]
                hide(book, spare, 1, work, seat)
                if styles[i, seat] == PICKING:
                    pick(book, spare, 1, work, seat, draw, out)
                else:
                    greedy(book, spare, 1, work, seat, draw, out)
            apply(book, spare, 0, work, seat, out, k)
            ply += 1
        reasons[i] = outcome(book, spare, 0, work, ranks)
        for seat in range(places.shape[1]):
            places[i, seat] = ranks[0, seat] if reasons[i] != RUNNING else 0
        positions[i] = spare[0]
        plies[i] = ply
        total += ply
    return total
