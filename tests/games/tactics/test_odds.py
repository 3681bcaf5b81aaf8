"""Odds and danger against an enumeration that knows nothing of either: the naive twin, rolled 36 times."""

from __future__ import annotations

import copy
import random
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

import sandtable
from tests.games.tactics.naive import SIDES, Naive
from tests.games.tactics.side_by_side import GAME, naive_book, twin_of

pytestmark = pytest.mark.kernels

ROLLS = list(product(range(1, 7), repeat=2))


def positions(scenario, count, book=None, seed=1):
    """Positions of games at random in which somebody moves, from the first turn to the last."""
    chance = random.Random(f"{seed} {scenario} {book}")
    found = []
    while len(found) < count:
        position = GAME.deal(scenario, seed=chance.getrandbits(62), book=book)
        while position.to_act and len(found) < count:
            seat = chance.choice(position.to_act)
            if "phase act" in position.text() and chance.random() < 0.15:
                found.append(position.copy())
            position.play(chance.choice(position.actions(seat)), seat=seat)
    return found


def some(full):
    """A few in the slow lane, more in the fast ones."""
    from tests.conformance.games import IS_INTERPRETED

    return full // 5 if IS_INTERPRETED else full


CASES = [("classic", None), ("random", None), ("brief", None), ("brief", "slow-start"), ("classic", {"draw_after": 3})]


@pytest.mark.parametrize(("scenario", "book"), CASES)
def test_odds_of_ending_the_turn_are_the_36_rolls(scenario, book):
    for position in positions(scenario, some(20), book):
        twin = twin_of(position.text(), position.book)
        twin.play(position.to_act[0], "end")
        expected = Counter()
        if twin.rolls_due():
            for roll in ROLLS:
                branch = copy.deepcopy(twin)
                branch.roll(*roll)
                expected[branch.text()] += Fraction(1, 36)
            assert position.odds("end") == dict.fromkeys(ROLLS, Fraction(1, 36))
        else:
            expected[twin.text()] = Fraction(1)
            assert position.odds("end") == {(): 1}
        assert position.odds("end", by=str) == expected


def test_odds_of_points_are_those_of_two_dice():
    """Seven in six of 36, and equal dice doubled: four points once, eight twice (1-1 is 4, 2-2 is 8, 3-3 is 12 …)."""
    position = next(one for one in positions("classic", 60) if int(one.record["turn"][0]) > 3)
    points = position.odds("end", by=lambda after: int(after.record["points"][0]))
    expected = Counter()
    for first, second in ROLLS:
        expected[(first + second) * (2 if first == second else 1)] += Fraction(1, 36)
    assert points == expected
    assert points[7] == Fraction(6, 36)


def danger_by_hand(position, seat):
    """For each own piece: on how many rolls of his next turn the foe has a capture there."""
    twin = twin_of(position.text(), position.book)
    foe = 1 - seat
    next_turn = twin.turn + 1 if (twin.mover == seat) == (twin.phase == "act") else twin.turn + 2
    taken: Counter[str] = Counter()
    for roll in ROLLS:
        branch = Naive(naive_book(position.book), dict(twin.board), "roll", foe, twin.attacker, next_turn - 1)
        branch.roll(*roll)
        captures = {text[3:] for text in branch.legal(foe) if "x" in text}
        taken.update(captures)
    return {square: "certain" if count == 36 else f"{count} in 36" for square, count in taken.items()}


@pytest.mark.parametrize(("scenario", "book"), CASES)
def test_danger_is_counted_over_the_36_rolls(scenario, book):
    dangers = 0
    for position in positions(scenario, some(40), book, seed=2):
        for seat in (0, 1):
            shown = position.overlay("danger", seat)
            assert shown == danger_by_hand(position, seat), (SIDES[seat], position.text())
            dangers += len(shown)
    assert dangers > 0


def test_danger_before_a_roll():
    """The same while dice are due, for the side that rolls and for the other."""
    for position in positions("brief", some(20), seed=3):
        record = position.record
        GAME.engine.apply(*_place(position, record), position.to_act[0], _end(), 0)
        if not GAME.engine.chance(*_place(position, record)):
            continue
        due = GAME.read(GAME.notation.write_position(record[0], position.book))
        assert due.is_rolling
        for seat in (0, 1):
            assert due.overlay("danger", seat) == danger_by_hand(due, seat), due.text()


def _place(position, record):
    return position.book.record, record, 0, GAME.blank_work()


def _end():
    from sandtable.protocol.engine import blank_actions

    given = blank_actions(1)
    given[0] = GAME.notation.read_action("end")
    return given


def test_the_guards_danger_is_certain_beside_an_enemy_and_as_rare_as_the_roll_it_needs():
    """Worked by hand: a straight step costs 2, so any roll will do; a diagonal one 3, and only two ones of 36 give 2 …
    but equal dice are doubled, so that is certain too. Two squares off, it takes equal dice: 4 points straight (all six
    doubles), 6 diagonally (all but 1-1)."""
    for squares, danger in (("e5 e4", "certain"), ("e5 d4", "certain"), ("e5 e3", "6 in 36"), ("e5 c3", "5 in 36")):
        guard, foe = squares.split()
        assert guard_danger(guard, foe) == danger
    assert guard_danger("e5", "e2") is None
    assert guard_danger("e5", "d3") is None


def guard_danger(guard: str, foe: str) -> str | None:
    board = {guard: "R", foe: "p", "a8": "r"}
    rows = [
        f"{rank} {' '.join(board.get(file + str(rank), '.') for file in 'abcdefgh')} {rank}" for rank in range(8, 0, -1)
    ]
    lines = ["tactics 1", "  a b c d e f g h", *rows, "  a b c d e f g h"]
    text = "\n".join([*lines, "phase act white", "attacker white", "turn 9", "dice 3 4", "points 7", "quiet 1", ""])
    return sandtable.game("tactics").read(text).overlay("danger", 0).get(guard)


def test_danger_is_not_known_while_placing():
    position = GAME.deal("opening", seed=1)
    assert position.overlay("danger", 0) == {}
    position.play("attack")
    assert position.overlay("danger", 0) == position.overlay("danger", 1) == {}


def test_an_overlay_that_is_none_is_refused_with_those_there_are():
    with pytest.raises(sandtable.SandtableError, match="danger"):
        GAME.deal("brief", seed=1).overlay("reach", 0)
