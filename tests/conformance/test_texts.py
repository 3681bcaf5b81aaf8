"""Whatever a game writes it can read, and it reads back the same."""

from __future__ import annotations

import pytest

import sandtable
from sandtable.protocol.match import read_match
from sandtable.protocol.position import Position
from tests.conformance.games import IS_INTERPRETED, choices, find, games_of, samples

pytestmark = pytest.mark.kernels


def test_every_position_of_a_game_reads_back_to_the_same_bytes(game):
    for past in games_of(game.name):
        for position in past:
            again = game.notation.read_position(position.text(), position.book)
            assert again.tobytes() == position.record.tobytes(), position.text()


def test_reading_and_writing_a_position_keep_the_text(game):
    for position in samples(game.name):
        again = game.read(position.text())
        assert again == position
        assert again.text() == position.text()
        assert again.to_act == position.to_act
        assert again.seats == position.seats


def test_every_listed_action_reads_back_to_the_same_fields(game):
    for position, seat in choices(game.name):
        listed = position._listed(seat, sandtable.protocol.records.ALL)
        texts = [game.notation.write_action(action) for action in listed]
        assert [tuple(game.notation.read_action(text)) for text in texts] == [action.item() for action in listed]
        assert len(set(texts)) == len(texts), "two actions share a text"


def test_every_roll_reads_back_to_the_same_outcome(game):
    for position in _before_rolls(game.name):
        faces = position.game.engine.chance(*position._at())
        for outcome in range(faces) if faces > 0 else (0, 1, 2**62):
            assert game.notation.read_roll(game.notation.write_roll(outcome)) == outcome
            assert game.notation.outcome_of(game.notation.faces_of(outcome)) == outcome


def _before_rolls(name: str) -> list[Position]:
    """The positions of a match file before which a roll stands."""
    match = games_of(name)[0][-1].match()
    return [position for position, row in zip(match.positions(), match.rows, strict=False) if row.is_roll][:3]


def test_a_match_file_reads_back_to_the_same_text_and_leads_to_the_same_position(game):
    for past in games_of(game.name):
        for position in [past[-1]] if IS_INTERPRETED else [past[0], past[len(past) // 2], past[-1]]:
            text = position.match().text()
            match = read_match(text, find)
            assert match.text() == text
            assert match.position() == position
            assert match.verify().ok


def test_a_match_that_began_at_a_text_or_a_book_of_ones_own_carries_them(game):
    position = samples(game.name)[-2]
    own = game.read(position.text(), seed=5)
    text = own.match().text()
    assert read_match(text, find).position() == own
    offered = next(number for number in game.book.numbers.values() if number.offer)
    changed = game.deal(book={offered.name: offered.most}, seed=5)
    text = changed.match().text()
    assert f"set {offered.name} {offered.most}\n" in text
    again = read_match(text, find)
    assert again.book == changed.book != game.book
    assert again.text() == text


@pytest.mark.parametrize("text", ["", "\n", "x", "take", "e9-e2", " end", "end ", "END", "résign", "\x00", "9" * 1000])
def test_what_is_no_action_is_refused_with_its_place(game, text):
    with pytest.raises(sandtable.BadText) as caught:
        game.notation.read_action(text)
    assert caught.value.column >= 1
    assert caught.value.expected
