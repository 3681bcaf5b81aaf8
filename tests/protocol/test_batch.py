"""Many matches at once."""

from __future__ import annotations

import numpy as np
import pytest

import sandtable
from tests.conformance.games import find

pytestmark = pytest.mark.kernels

GAME = find("tactics")
SMALL = find("pebbles")


def test_a_batch_is_arrays():
    batch = SMALL.batch(50, seats=3, seed=7).play_out("random", "listing", "greedy")
    assert batch.positions.dtype == SMALL.layout.POSITION
    assert (batch.positions.shape, batch.places.shape) == ((50,), (50, 3))
    assert (batch.plies.shape, batch.reasons.shape) == ((50,), (50,))
    assert set(batch.places.sum(axis=1).tolist()) == {5}
    assert batch.reasons.all()


def test_games_of_a_batch_differ_and_the_same_seed_is_the_same_batch():
    one, same, other = (GAME.batch(6, "random", seed=seed) for seed in (7, 7, 8))
    assert one.positions.tobytes() == same.positions.tobytes() != other.positions.tobytes()
    assert len(np.unique(one.positions)) == 6


def test_places_follow_the_seats():
    """One pebble at a time from a heap of one: the first seat always wins."""
    batch = SMALL.batch(10, book={"heap": 1}).play_out("random", "random")
    assert batch.places.tolist() == [[1, 2]] * 10


def test_a_batch_is_played_under_its_book():
    batch = GAME.batch(3, "brief", seed=1, book={"draw_after": 1}).play_out("random", "random")
    assert all(GAME.layout.REASONS[reason] in ("quiet", "guard") for reason in batch.reasons)
    assert batch.plies.max() < 60


def test_players_that_are_no_script_or_too_many_are_refused():
    with pytest.raises(sandtable.Unknown, match="listing, random, greedy"):
        SMALL.batch(1).play_out("random", "clever")
    with pytest.raises(sandtable.SandtableError, match="2 players, one per seat, not 3"):
        SMALL.batch(1).play_out("random", "random", "random")
    with pytest.raises(sandtable.SandtableError, match="2 or 3 seats, not 4"):
        SMALL.batch(1, seats=4)
