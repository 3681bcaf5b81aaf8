"""The load bench still runs: ten matches for two seconds, every frame checked. What it measures is for results.md."""

from __future__ import annotations

import pytest

import sandtable
from bench import table

pytestmark = pytest.mark.alone


def test_ten_matches_end_in_the_scenes_the_server_has() -> None:
    sandtable.game("tactics").engine.compile()
    row = table.one_round(table.OURS, 0, 2.0, 10)
    assert row["moves"] > 0
    assert row["frames_checked"] > row["moves"]
