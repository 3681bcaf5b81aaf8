"""The C program and the compiled rules play the same games: without that the bench would compare two different things."""

from __future__ import annotations

import pytest

from bench import tactics

import sandtable

pytestmark = [pytest.mark.gcc, pytest.mark.skipif(not tactics.is_possible(), reason="no gcc")]


def test_every_game_ends_in_the_same_bytes_as_in_c() -> None:
    game = sandtable.game("tactics")
    game.engine.compile()
    assert tactics.same_bytes(game, 10_000)
