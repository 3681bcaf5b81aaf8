"""The C program and the compiled rules play the same games: else the bench would compare two different things."""

from __future__ import annotations

import pytest

import sandtable
from bench import tactics

pytestmark = [pytest.mark.gcc, pytest.mark.skipif(not tactics.is_possible(), reason="no gcc")]


def test_every_game_ends_in_the_same_bytes_as_in_c() -> None:
    game = sandtable.game("tactics")
    game.engine.compile()
    assert tactics.same_bytes(game, 10_000)
