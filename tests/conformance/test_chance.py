"""Chance is a step of its own: announced, listed, and the same whoever asks."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

import sandtable
from tests.conformance.games import IS_INTERPRETED, at, choices, games_of, samples

pytestmark = pytest.mark.kernels


@cache
def rolling(game):
    """Positions where a roll is due, as match files pass through them."""
    found = []
    for past in games_of(game.name)[:4]:
        match = past[-1].match()
        found += [position for position, row in zip(match.positions(), match.rows, strict=False) if row.is_roll][:4]
    return found


def actions_before_rolls(game):
    """Samples and an action after which a roll is due."""
    found = []
    for position, seat in choices(game.name):
        texts = position.actions(seat)
        for text in {texts[0], texts[-1]}:
            after = position.record
            given = position._listed(seat, -1)[texts.index(text) :][:1].copy()
            game.engine.apply(position.book.record, after, 0, game.blank_work(), seat, given, 0)
            if game.engine.chance(position.book.record, after, 0, game.blank_work()):
                found.append((position, seat, text, after))
    return found


def test_a_game_without_chance_never_rolls_and_one_with_it_does(game):
    rolls = [row for past in games_of(game.name) for row in past[-1].rows if row.is_roll]
    assert bool(rolls) == game.traits.chance


def test_nobody_acts_while_a_roll_is_due_and_none_is_due_while_somebody_acts(game):
    for position in rolling(game):
        assert position.is_rolling
        assert position.to_act == ()
        assert position.outcome is None
    for position in samples(game.name):
        assert not position.is_rolling


def test_an_action_is_refused_while_a_roll_is_due(game):
    text = next(iter(samples(game.name)[0].actions(samples(game.name)[0].to_act[0])))
    for position in rolling(game):
        for seat in range(position.seats):
            assert position.why_not(text, seat=seat) is not None


def test_one_outcome_leads_to_one_position(game):
    for position in rolling(game):
        faces = game.engine.chance(*at(position))
        for outcome in {0, 1, faces // 2, faces - 1} if faces > 0 else {0, 1, 2**62}:
            results = []
            for _ in range(2):
                place = at(position)
                game.engine.roll(*place, outcome)
                results.append(place[1].tobytes())
            assert results[0] == results[1] != position.record.tobytes()


def test_odds_are_the_same_roll_over_every_outcome(game):
    some = actions_before_rolls(game)
    for position, seat, text, after in some[:: 8 if IS_INTERPRETED else 2]:
        place = (position.book.record, after, 0, game.blank_work())
        faces = game.engine.chance(*place)
        if faces < 0:
            with pytest.raises(sandtable.NotCountable):
                position.odds(text, seat)
            assert sum(position.odds(text, seat, samples=20).values()) == 1
            continue
        texts = Counter()
        for outcome in range(faces):
            branch = after.copy()
            game.engine.roll(position.book.record, branch, 0, game.blank_work(), outcome)
            texts[game.notation.write_position(branch[0], position.book)] += Fraction(1, faces)
        assert position.odds(text, seat, by=str) == texts
        by_faces = position.odds(text, seat)
        assert set(by_faces) == {game.notation.faces_of(outcome) for outcome in range(faces)}
        assert sum(by_faces.values()) == 1


def test_where_nothing_is_rolled_the_odds_are_certain(game):
    with_rolls = {(position.text(), seat, text) for position, seat, text, _ in actions_before_rolls(game)}
    for position, seat in choices(game.name)[::5]:
        text = position.actions(seat)[0]
        if (position.text(), seat, text) not in with_rolls:
            assert position.odds(text, seat) == {(): 1}


def test_asking_for_odds_changes_nothing(game):
    for position, seat in choices(game.name)[::9]:
        before = position.copy()
        position.odds(position.actions(seat)[0], seat, samples=5)
        assert position == before
        assert position.rows == before.rows


def test_a_position_from_a_text_has_no_dice_until_it_is_given_some(game):
    for position, seat, text, _ in actions_before_rolls(game)[:2]:
        bare = game.read(position.text())
        with pytest.raises(sandtable.NoDice):
            bare.play(text, seat=seat)
        assert bare == position, "a refused roll takes the action back with it"
        assert bare.rows == []
        seeded = game.read(position.text(), seed=1)
        seeded.play(text, seat=seat)
        assert seeded != position


def test_named_dice_are_used_first_and_written_down(game):
    for position, seat, text, _ in actions_before_rolls(game)[:2]:
        faces = game.notation.faces_of(1)
        named = game.read(position.text())
        named.play(text, seat=seat, dice=[faces])
        assert [row.text for row in named.rows if row.is_roll] == [game.notation.write_roll(1)]


def test_named_dice_that_are_not_rolled_are_refused_and_change_nothing(game):
    position, seat = choices(game.name)[0]
    before = position.copy()
    with pytest.raises(sandtable.SandtableError):
        position.play(position.actions(seat)[0], seat=seat, dice=[(9, 9)] * 9)
    assert position == before
    assert position.rows == before.rows
