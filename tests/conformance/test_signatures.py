"""Numba compiles a function anew for every type it is called with, in silence: here that is an error."""

from __future__ import annotations

import pytest

from sandtable.protocol.slots import SLOTS
from tests.conformance.games import IS_INTERPRETED


@pytest.mark.skipif(IS_INTERPRETED, reason="SANDTABLE_COMPILE=0")
def test_a_function_has_one_signature_and_play_adds_none(game):
    """An np.int32, a bool or a strided array would compile everything again in silence; here it would be an error."""
    position = game.deal(game.scenarios[-1], seed=8)
    while position.to_act:
        seat = position.to_act[0]
        text = position.actions(seat)[-1]
        position.odds(text, seat, samples=3)
        position.why_not(text, seat)
        position.play(text, seat)
        position.view(seat)
        if len(position.rows) > 40:
            position.play("resign", seat=0)
    game.batch(3, seed=1).play_out(*["greedy"] * game.traits.seats[0])
    for slot in SLOTS:
        dispatcher = getattr(game.engine, slot)
        assert len(dispatcher.signatures) == 1, slot
        assert dispatcher._can_compile is False, slot
    for function, helper in game.engine.compiler._helpers.items():
        assert len(helper.signatures) == 1, function.__qualname__
