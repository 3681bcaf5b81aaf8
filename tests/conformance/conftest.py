"""Every test of this suite that asks for `game` runs once for each game."""

from __future__ import annotations

import pytest

from sandtable.protocol.game import Game
from tests.conformance.games import GAMES, find


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    found = find(request.param)
    found.engine.compile()  # nothing happens in the interpreted lane
    return found
