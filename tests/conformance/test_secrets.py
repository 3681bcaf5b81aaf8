"""Nobody is shown what he may not know: two worlds that differ in it alone look the same to him, to the byte."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

import sandtable
from sandtable.kit.dice import draw_at
from sandtable.protocol.position import ONLOOKER, Position
from tests.conformance.games import IS_INTERPRETED, at, games_of, samples

pytestmark = pytest.mark.kernels

DRAWS = [draw_at(21, n) for n in range(3 if IS_INTERPRETED else 10)]


def seats_and_onlooker(position):
    return [ONLOOKER, *range(position.seats)]


def hidden(position, seat):
    place = at(position)
    position.game.engine.hide(*place, seat)
    return place[1]


def imagined(position, record, seat, draw):
    record = record.copy()
    position.game.engine.imagine(position.book.record, record, 0, position.game.blank_work(), seat, draw)
    return record


def world(position, record):
    """A position with this record, and no past."""
    return Position(position.game, position.book, position.start, dice=None, record=record)


def two_worlds(position, seat):
    """The real one, and others this seat cannot tell from it."""
    known = hidden(position, seat)
    return [world(position, position.record), *(world(position, imagined(position, known, seat, d)) for d in DRAWS)]


def texts_to_try(game):
    """Actions of all phases, legal or not here."""
    found = dict.fromkeys(
        text for position in samples(game.name) for seat in position.to_act for text in position.actions(seat)[:40]
    )
    return [*list(found)[:: max(1, len(found) // 60)], "nonsense"]


def test_a_game_without_secrets_hides_nothing_and_one_with_them_does(game):
    differ = [
        position for position in samples(game.name) for seat in seats_and_onlooker(position)
        if hidden(position, seat).tobytes() != position.record.tobytes()
    ]  # fmt: skip
    assert bool(differ) == game.traits.secrets


def test_hiding_twice_hides_no_more(game):
    for position in samples(game.name):
        for seat in seats_and_onlooker(position):
            known = hidden(position, seat)
            assert hidden(world(position, known), seat).tobytes() == known.tobytes()


def test_what_is_imagined_hides_to_the_same_again(game):
    for position in samples(game.name):
        for seat in seats_and_onlooker(position):
            known = hidden(position, seat)
            for draw in DRAWS:
                possible = world(position, imagined(position, known, seat, draw))
                assert hidden(possible, seat).tobytes() == known.tobytes(), position.text()
                assert possible.to_act == position.to_act
                assert game.read(possible.text(), book=position.book) == possible


def test_imagining_is_the_same_for_the_same_draw_and_varies_with_it(game):
    varied = False
    for position in samples(game.name):
        known = hidden(position, 0)
        one, again = (imagined(position, known, 0, DRAWS[0]) for _ in range(2))
        assert one.tobytes() == again.tobytes()
        varied = varied or any(imagined(position, known, 0, draw).tobytes() != one.tobytes() for draw in DRAWS[1:])
    assert varied == game.traits.secrets


def test_scenes_of_worlds_a_seat_cannot_tell_apart_are_equal_to_the_byte(game):
    for position in samples(game.name):
        for seat in seats_and_onlooker(position):
            scenes = {json.dumps(one.view(None if seat < 0 else seat)) for one in two_worlds(position, seat)}
            assert len(scenes) == 1, position.text()


def test_actions_and_sources_do_not_depend_on_what_is_hidden(game):
    for position in samples(game.name):
        for seat in position.to_act:
            worlds = two_worlds(position, seat)
            assert len({json.dumps(one.actions(seat)) for one in worlds}) == 1
            assert len({json.dumps(one.sources(seat)) for one in worlds}) == 1


def test_refusals_do_not_depend_on_what_is_hidden(game):
    texts = texts_to_try(game)
    for position in samples(game.name):
        for seat in range(position.seats):
            worlds = two_worlds(position, seat)[: 3 if IS_INTERPRETED else 5]
            if len(set(worlds)) == 1:
                continue
            for text in texts:
                assert len({one.why_not(text, seat=seat) for one in worlds}) == 1, (text, position.text())


def test_overlays_do_not_depend_on_what_is_hidden(game):
    for position in samples(game.name):
        for seat in range(position.seats):
            for which in game.traits.overlays:
                assert len({json.dumps(one.overlay(which, seat)) for one in two_worlds(position, seat)}) == 1


def test_what_a_player_is_handed_has_neither_past_nor_dice(game):
    for position in samples(game.name)[1:]:
        for seat in (None, *range(position.seats)):
            seen = position.seen(seat)
            assert seen.record.tobytes() == hidden(position, ONLOOKER if seat is None else seat).tobytes()
            assert seen.rows == []
            assert seen.dice is None
            with pytest.raises(sandtable.SandtableError):
                seen.match()
            with pytest.raises(sandtable.IllegalAction):
                seen.undo()


def test_what_a_player_is_handed_can_be_filled_in_and_played(game):
    for position in samples(game.name)[::4]:
        for seat in position.to_act:
            seen = position.seen(seat)
            assert seen.actions(seat) == position.actions(seat)
            possible = seen.imagine(3, seat=seat)
            assert possible.actions(seat) == position.actions(seat)
            assert possible.seen(seat) == seen


def test_the_order_of_secret_decisions_leaves_the_same_bytes(game):
    """Two seats that may act at once, and one seat's two decisions where each is legal after the other."""
    for position in samples(game.name):
        decisions = [(seat, text) for seat in position.to_act for text in position.actions(seat)[:30:7]]
        for one, other in pairwise(decisions) if len(position.to_act) > 1 else ():
            ends = set()
            for first, second in ((one, other), (other, one)):
                branch = world(position, position.record)
                for seat, text in (first, second):
                    if branch.why_not(text, seat=seat) is None:
                        branch.play(text, seat=seat)
                    else:
                        break
                else:
                    ends.add(branch.record.tobytes())
            assert len(ends) <= 1
            if one[0] != other[0]:
                assert len(ends) == 1, "one seat's decision forbids another's"


def test_events_of_a_secret_decision_are_told_to_nobody_who_cannot_see_it(game):
    """If what a seat is shown does not change, it is told nothing that others learn differently."""
    for past in games_of(game.name)[:1]:
        position = game.deal(past[0].start.scenario, seed=past[0].start.map_seed, seats=past[0].seats)
        for row in past[-1].rows[: 60 if IS_INTERPRETED else None]:
            if row.is_roll:
                continue
            before = {seat: hidden(position, seat).tobytes() for seat in seats_and_onlooker(position)}
            events = position.play(row.text, seat=row.seat)
            for seat, known in before.items():
                if hidden(position, seat).tobytes() == known and seat != row.seat:
                    assert not [event for event in events if event.is_seen_by(None if seat < 0 else seat)]
