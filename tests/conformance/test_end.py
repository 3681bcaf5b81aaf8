"""How games end: a place for every seat, a reason, and nothing more to do."""

from __future__ import annotations

import pytest

from sandtable.protocol.engine import blank_actions
from tests.conformance.games import IS_INTERPRETED, at, games_of, samples

pytestmark = pytest.mark.kernels


def assert_places(places, seats):
    assert len(places) == seats
    assert min(places) == 1
    assert max(places) <= seats


def test_the_outcome_is_none_while_somebody_must_act_and_places_afterwards(game):
    for past in games_of(game.name):
        assert all(position.outcome is None for position in past[:-1])
        assert all(position.to_act for position in past[:-1])
        ended = past[-1].outcome
        assert_places(ended.places, past[-1].seats)
        assert ended.reason in game.layout.REASONS[1:]


def test_nothing_is_left_to_do_when_it_is_over(game):
    over = [past[-1] for past in games_of(game.name)]
    given = blank_actions(1)
    for position in over:
        assert (position.to_act, position.is_rolling, position.actions(), position.sources()) == ((), False, [], {})
        for seat in range(position.seats):
            assert game.engine.check(*at(position), seat, given, 0) != 0
            assert position.why_not("resign", seat=seat).code == "over"
            assert position.why_not("draw", seat=seat).code == "over"


def test_who_gives_up_is_not_first(game):
    for position in samples(game.name):
        for seat in range(position.seats) if position.to_act else ():
            place = at(position)
            game.engine.concede(*place, seat)
            places = blank_places(position)
            assert game.engine.outcome(*place, places) != 0
            assert_places(places[0].tolist(), position.seats)
            assert places[0, seat] > 1
            assert game.engine.who(*place) == 0
            assert game.engine.chance(*place) == 0


def test_asking_for_the_outcome_writes_nothing_but_places(game):
    for position in samples(game.name)[::3]:
        place = at(position)
        places = blank_places(position)
        reason = game.engine.outcome(*place, places)
        assert place[1].tobytes() == position.record.tobytes()
        assert bool(reason) == bool(places.any()) == (position.outcome is not None)


def blank_places(position):
    import numpy as np

    return np.zeros((1, position.seats), np.uint8)


def test_scripted_players_end_every_game(game):
    count = 1 if IS_INTERPRETED else 40
    scenario = game.scenarios[-1]
    for style in ("listing", "random", "greedy"):
        batch = game.batch(count, scenario, seed=3).play_out(*[style] * game.traits.seats[0])
        assert batch.reasons.all()
        for places in batch.places.tolist():
            assert_places(places, batch.seats)
