"""Whole games kept as text: a change of play shows as a changed line."""

from __future__ import annotations

import pytest

import sandtable
from tests.conformance.games import REGISTERED
from tests.conformance.transcripts import files, folder, recipes, transcript

pytestmark = pytest.mark.kernels

each = pytest.mark.parametrize("name", REGISTERED)


@each
def test_the_games_kept_are_those_that_are_made_anew(name):
    """After a wanted change: python -m tests.conformance.transcripts."""
    made = files(name)
    kept = {path.name: path.read_text("utf-8") for path in folder(name).iterdir()}
    assert sorted(kept) == sorted(made)
    for file, text in made.items():
        assert kept[file].split("\n") == text.split("\n"), file


@each
def test_every_kept_match_reads_replays_and_verifies(name):
    assert len(recipes(name)) >= 3
    for path in folder(name).glob("*.match"):
        match = sandtable.read_match(path.read_text("utf-8"))
        assert match.text() == path.read_text("utf-8")
        assert match.verify().ok
        assert match.outcome, "a whole game"
        assert transcript(match) == path.with_suffix(".txt").read_text("utf-8")


@each
def test_between_them_they_show_every_kind_of_row_and_every_scenario(name):
    matches = [sandtable.read_match(path.read_text("utf-8")) for path in folder(name).glob("*.match")]
    words = {row.text.split()[0] for match in matches for row in match.rows}
    assert {"takeback", "draw", "resign"} <= words
    assert {match.start.scenario for match in matches} == set(REGISTERED[name].scenarios)
    assert len({match.book for match in matches}) > 1
    assert len({match.outcome[1] for match in matches}) > 1
