"""A match is its list of rows: copied, saved, played again, taken back."""

from __future__ import annotations

import numpy as np
import pytest

import sandtable
from sandtable.protocol.match import read_match
from sandtable.protocol.position import TAKEBACK
from tests.conformance.games import IS_INTERPRETED, choices, find, games_of, picked, samples

pytestmark = pytest.mark.kernels


def test_a_copy_is_equal_and_goes_its_own_way(game):
    for position, seat in choices(game.name)[::3]:
        before, text = position.text(), position.actions(seat)[0]
        copy = position.copy()
        assert (copy, copy.text(), hash(copy), copy.rows) == (position, before, hash(position), position.rows)
        copy.play(text, seat=seat)
        assert copy != position
        assert position.text() == before
        assert len(copy.rows) > len(position.rows)
        again = position.copy()
        again.play(text, seat=seat)
        assert again == copy, "a copy has the same dice"


def test_a_copy_with_a_seed_has_other_dice(game):
    for position, seat in choices(game.name)[:: 30 if IS_INTERPRETED else 10]:
        one, other = position.copy(seed=1), position.copy(seed=2)
        assert one == other == position
        for branch in (one, other):
            branch.play(position.actions(seat)[0], seat=seat)
            assert read_match(branch.match().text(), find).position() == branch


def test_saving_is_bytes(game):
    for position in samples(game.name):
        raw = position.record.tobytes()
        again = np.frombuffer(raw, game.layout.POSITION)
        assert game.notation.write_position(again[0], position.book) == position.text()
        assert len(raw) == game.layout.POSITION.itemsize


def test_positions_are_equal_when_their_bytes_are_whatever_their_past(game):
    position = samples(game.name)[-2]
    assert game.read(position.text()) == position
    assert hash(game.read(position.text())) == hash(position)
    assert position != samples(game.name)[0]
    assert position != position.text()


def test_a_match_played_again_passes_through_the_same_positions(game):
    for past in games_of(game.name):
        positions = past[-1].match().positions()
        by_rows = {len(position.rows): position for position in past}
        assert len(positions) == len(past[-1].rows) + 1
        for rows, position in by_rows.items():
            assert positions[rows].record.tobytes() == position.record.tobytes()


def test_a_refused_action_changes_nothing(game):
    for position in samples(game.name):
        before = position.copy()
        for seat in range(position.seats):
            with pytest.raises(sandtable.IllegalAction):
                position.play("nonsense", seat=seat)
        assert position == before
        assert position.rows == before.rows


# ---- taking back


def last_own(past, until, seat):
    """The row of this seat's last action, and the rows after it."""
    rows = past[until].rows
    own = [n for n, row in enumerate(rows) if row.seat == seat]
    return (own[-1], rows[own[-1] + 1 :]) if own else (None, [])


def some_of(past):
    numbers = [*range(min(len(past), 40)), *range(40, len(past), 19)]
    return numbers[:: 9 if IS_INTERPRETED else 1]


def test_nothing_is_taken_back_past_a_roll(game):
    for past in games_of(game.name):
        for n in some_of(past):
            for seat in range(past[n].seats):
                own, later = last_own(past, n, seat)
                if own is None or any(row.is_roll for row in later):
                    position = past[n].copy()
                    with pytest.raises(sandtable.IllegalAction, match="taken back"):
                        position.undo(seat)
                    assert position == past[n]
                    assert position.rows == past[n].rows


def test_nothing_is_taken_back_once_another_seat_has_its_turn(game):
    for past in games_of(game.name):
        for n in some_of(past)[1:]:
            before, seat = past[n - 1], past[n].rows[len(past[n - 1].rows)].seat
            if not past[n].to_act or set(past[n].to_act) - set(before.to_act):
                position = past[n].copy()
                with pytest.raises(sandtable.IllegalAction, match="taken back"):
                    position.undo(seat)
                assert position == past[n]


def test_the_last_action_of_a_seat_is_taken_back_while_only_it_may_act(game):
    for past in games_of(game.name):
        for n in some_of(past)[1:]:
            before = past[n - 1]
            if past[n].to_act == before.to_act and not past[n].rows[-1].is_roll:
                position = past[n].copy()
                position.undo(past[n].rows[-1].seat)
                assert position.record.tobytes() == before.record.tobytes()
                assert position.to_act == before.to_act
                assert position.rows[-1].text == f"{TAKEBACK} {len(past[n].rows) - 1}"
                if n < 40:
                    assert read_match(position.match().text(), find).position() == position


def test_only_the_last_action_is_taken_back_where_seats_take_turns(game):
    for past in games_of(game.name):
        for n in some_of(past)[2:]:
            same_seat = past[n - 2].to_act == past[n - 1].to_act == past[n].to_act
            rows = past[n].rows
            if same_seat and len(past[n].to_act) == 1 and not rows[-1].is_roll and not rows[-2].is_roll:
                began = min(k for k, position in enumerate(past) if len(position.rows) > last_roll(rows))
                if any(len(position.to_act) > 1 for position in past[began:n]):
                    continue  # a set-up of all seats, in which the others are done
                position = past[n].copy()
                with pytest.raises(sandtable.IllegalAction):
                    position.undo(rows[-1].seat, row=len(rows) - 2)
                assert position == past[n]


def last_roll(rows):
    return max((n for n, row in enumerate(rows) if row.is_roll), default=-1)


def test_in_a_set_up_of_all_any_own_action_is_taken_back_if_the_rest_still_stands(game):
    """Each of a seat's own rows since the set-up began; what is left is the position without it."""
    for past in games_of(game.name):
        together = [n for n, position in enumerate(past) if len(position.to_act) > 1]
        for n in together[3::5]:
            rows = past[n].rows
            first = len(past[together[0]].rows)
            for row in range(first, len(rows)):
                position = past[n].copy()
                expected = past[together[0]].copy()
                try:
                    for number in range(first, len(rows)):
                        if number != row:
                            expected.play(rows[number].text, seat=rows[number].seat)
                except sandtable.IllegalAction:
                    with pytest.raises(sandtable.IllegalAction, match="what came after needs it"):
                        position.undo(rows[row].seat, row=row)
                    continue
                position.undo(rows[row].seat, row=row)
                assert position == expected
            others = [number for number in range(first, len(rows)) if rows[number].seat != rows[-1].seat]
            if others:
                with pytest.raises(sandtable.IllegalAction):
                    past[n].copy().undo(rows[-1].seat, row=others[0])


def test_playing_on_after_a_takeback_is_a_match_like_any_other(game):
    for past in games_of(game.name):
        n = next(
            (n for n in range(1, len(past)) if past[n].to_act == past[n - 1].to_act and len(past[n].rows) > 3), None
        )
        if n is None or past[n].rows[-1].is_roll:
            continue
        position = past[n].copy()
        position.undo(position.rows[-1].seat)
        for k in range(10):
            if position.to_act:
                seat = position.to_act[0]
                position.play(picked(position, seat, 1234567 << 30 | k), seat=seat)
        again = read_match(position.match().text(), find)
        assert again.position() == position
        assert again.verify().ok


# ---- words to the match


def test_anybody_may_give_up_at_any_time_and_then_it_is_over(game):
    for position in samples(game.name):
        for seat in range(position.seats) if position.to_act else ():
            given_up = position.copy()
            given_up.play("resign", seat=seat)
            assert given_up.to_act == ()
            assert given_up.outcome is not None
            assert given_up.outcome.places[seat] == max(given_up.outcome.places) > 1
            assert game.read(given_up.text()) == given_up
            if position is samples(game.name)[3]:
                assert read_match(given_up.match().text(), find).position() == given_up
            with pytest.raises(sandtable.IllegalAction):
                given_up.undo(seat)


def test_a_draw_is_agreed_when_all_have_offered_it(game):
    for position in samples(game.name)[:: 15 if IS_INTERPRETED else 5]:
        if not position.to_act:
            continue
        drawn = position.copy()
        for seat in range(position.seats):
            assert drawn.outcome is None
            drawn.play("draw", seat=seat)
        assert drawn.outcome.places == (1,) * position.seats
        assert drawn.outcome.reason == "agreed"
        assert drawn.to_act == ()
        assert drawn != position
        again = read_match(drawn.match().text(), find)
        assert again.position().outcome == drawn.outcome
        scene = drawn.view(0)
        assert scene["ask"]["act"] is False
        assert {scene[f"seat/{seat}"]["state"] for seat in range(drawn.seats)} == {"drew"}
