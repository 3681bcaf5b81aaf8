"""Books: the numbers of a game as data, their variants, and digests that tell them apart."""

from __future__ import annotations

import pytest

import sandtable
from tests.conformance.games import find

GAME = find("tactics")
SMALL = find("pebbles")


def test_a_book_holds_its_numbers_and_the_record_kernels_read():
    assert GAME.book["draw_after"] == 60
    assert int(GAME.book.record[0].draw_after) == 60
    assert GAME.book.record.shape == (1,)
    assert GAME.book.numbers["draw_after"].clause == "T6.2"


def test_books_are_equal_when_their_numbers_are():
    assert GAME.find_book({"draw_after": 60}) == GAME.book
    assert hash(GAME.find_book({"draw_after": 60})) == hash(GAME.book)
    assert GAME.find_book({"draw_after": 59}) != GAME.book
    assert GAME.find_book("slow-start") == GAME.find_book({"initial_charge": 0})
    assert GAME.book != "standard"


def test_every_number_changes_the_digest():
    others = [GAME.find_book({"army": [2] * 6 + [1, 1]}), GAME.find_book({"takes": [[0] * 8] * 8})]
    others += [GAME.find_book({name: GAME.book[name] + 1}) for name in ("draw_after", "straight_cost", "home_ranks")]
    others += [GAME.find_book({"reserve_guard_squares": 1}), GAME.find_book({"initial_charge": 0})]
    digests = {book.digest for book in [GAME.book, *others]}
    assert len(digests) == len(others) + 1
    assert all(len(digest) == 12 for digest in digests)


def test_a_variant_says_how_it_differs_and_nothing_else():
    variant = GAME.find_book("slow-start")
    assert variant.differences(GAME.book) == {"initial_charge": 0}
    assert GAME.book.differences(variant) == {"initial_charge": 1}
    assert GAME.book.differences(GAME.book) == {}


def test_a_book_of_ones_own_is_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\nsays = "Short."\n\n[numbers]\ndraw_after = 4\ninitial_charge = false\n', "utf-8")
    for wanted in (path, str(path)):
        book = GAME.find_book(wanted)
        assert (book["draw_after"], book["initial_charge"], book["army"]) == (4, 0, GAME.book["army"])
    assert GAME.deal("classic", book=path).book == book


def test_a_book_that_is_none_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(sandtable.Unknown, match=r"standard, guard-squares, slow-start, a \.toml file"):
        GAME.find_book("fast-start")
    with pytest.raises(sandtable.BadBook, match="cannot be read"):
        GAME.find_book(tmp_path / "nothing.toml")
    with pytest.raises(sandtable.BadBook, match="cannot be read"):
        GAME.find_book(tmp_path)


def test_a_book_is_not_changed_by_the_books_made_from_it():
    before = GAME.book.record.tobytes()
    GAME.find_book({"draw_after": 3})
    assert GAME.book.record.tobytes() == before
    assert GAME.book["draw_after"] == 60


@pytest.mark.kernels
def test_another_book_is_another_game_with_the_same_compiled_code():
    assert SMALL.deal(book="small-heap").text() == "pebbles 1: 10 left, 2 seats, to take: red\n"
    assert SMALL.deal(book={"most_taken": 1}).actions() == ["take 1"]
    assert SMALL.deal(book={"heap": 2}).actions() == ["take 1", "take 2"]


@pytest.mark.kernels
def test_a_thousand_books_run_side_by_side():
    """Nothing is compiled for a variant: books are arguments."""
    plies = {
        heap: SMALL.batch(4, book={"heap": heap, "most_taken": 1}).play_out("random", "random").plies for heap in (1, 9)
    }
    assert plies[1].tolist() == [1] * 4
    assert plies[9].tolist() == [9] * 4
