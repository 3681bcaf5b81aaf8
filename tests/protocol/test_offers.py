"""Draws by agreement: how long an offer stands."""

from __future__ import annotations

from sandtable.protocol.offers import Offers


def after(offering: int, turns: list[int], seats: int) -> tuple[int, ...]:
    """Who still offers after these turns have begun."""
    offers = Offers()
    offers.offer(offering)
    for seat in turns:
        offers.turn_begins(seat, range(seats))
    return offers.standing


def test_an_offer_stands_through_the_others_next_turn():
    assert after(0, [], 2) == (0,)
    assert after(0, [1], 2) == (0,)
    assert after(0, [1, 0], 2) == ()


def test_an_offer_in_the_others_turn_waits_for_its_next_one():
    """The turn that was running when it was made does not count."""
    assert after(0, [0], 2) == (0,)
    assert after(0, [0, 1], 2) == (0,)
    assert after(0, [0, 1, 0], 2) == ()


def test_with_more_seats_every_other_one_has_a_turn_to_answer():
    assert after(1, [2, 0], 3) == (1,)
    assert after(1, [2, 0, 1], 3) == ()
    assert after(1, [2, 1, 2, 1], 3) == (1,), "seat 0 had none yet"


def test_all_offers_together_are_an_agreement():
    offers = Offers()
    for seat in (2, 0, 1):
        offers.offer(seat)
    assert offers.standing == (0, 1, 2)


def test_a_copy_goes_its_own_way():
    offers = Offers()
    offers.offer(0)
    copy = offers.copy()
    for seat in (1, 0):
        copy.turn_begins(seat, range(2))
    assert (offers.standing, copy.standing) == ((0,), ())
