"""Whatever is typed, sent or loaded: a sentence under SandtableError, nothing changed, never a traceback."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sandtable
from sandtable.kit.digest import checksum
from sandtable.protocol.match import read_match
from tests.conformance.games import GAMES, IS_INTERPRETED, find, games_of, samples

pytestmark = pytest.mark.kernels
each = pytest.mark.parametrize("name", GAMES)

ACTIONS = st.from_regex(r"(place |attack|end|ready|take )?[a-i]?[0-9]?[-x ]?[a-i]?[0-9]?[HECPABMRh]?", fullmatch=True)
WEIRD = st.sampled_from(
    ["\x00", "\ud800", "é" * 3, "\u2028", "\r\n", " " * 50, "９", "e２-e3", "٣", "a" * 300, "draw ", "Resign"]
)
ANY = st.one_of(st.text(max_size=30), ACTIONS, WEIRD)
NOTES = [
    "\n",
    " ",
    ".",
    "x",
    "R",
    "r",
    "0",
    "9",
    "white",
    "phase",
    "points 9",
    "\t",
    "|",
    "é",
    "",
    "65535",
    "-1",
    "moved a1",
]


def assert_sentence(error: sandtable.SandtableError, naming: str = "") -> None:
    """It says something, at a length somebody reads, and a text's place."""
    said = str(error)
    assert said.strip()
    assert len(said) < 2000
    assert "Traceback" not in said
    assert naming in said
    if isinstance(error, sandtable.BadText):
        assert error.expected


@st.composite
def spoilt(draw, texts):
    """A text that was right, with one to three places changed, cut, doubled or moved."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        how = draw(st.integers(0, 4))
        if how == 0:
            text = text[:at] + draw(st.sampled_from(NOTES)) + text[at + 1 :]
        elif how == 1:
            text = text[:at] + draw(st.text(max_size=3)) + text[at:]
        elif how == 2:
            text = text[:at] + text[at + draw(st.integers(1, 40)) :]
        elif how == 3:
            lines = text.split("\n")
            first, second = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
            lines[first], lines[second] = lines[second], lines[first]
            text = "\n".join(lines)
        else:
            lines = text.split("\n")
            lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(lines)))
            text = "\n".join(lines)
    return text


@each
@given(data=st.data(), text=ANY, seat=st.sampled_from([None, 0, 1, 2, -1, 9, 10**20]))
@example(data=None, text="", seat=None)
@example(data=None, text="\x00", seat=0)
def test_any_text_may_be_played(name, data, text, seat):
    position = (data.draw(st.sampled_from(samples(name))) if data else samples(name)[1]).copy()
    before, rows = position.record.tobytes(), list(position.rows)
    try:
        refusal = position.why_not(text, seat)
    except sandtable.SandtableError as error:
        assert_sentence(error)
        return
    if refusal is None:
        assert text in ("draw", "resign") or text in position.actions(seat)
        return
    assert refusal.code
    assert refusal.sentence.strip()
    with pytest.raises(sandtable.IllegalAction) as caught:
        position.play(text, seat)
    assert caught.value.refusal == refusal
    with pytest.raises(sandtable.IllegalAction):
        position.odds(text, seat)
    assert position.record.tobytes() == before
    assert position.rows == rows


@each
@given(data=st.data(), text=ANY)
def test_any_text_may_be_asked_for_as_a_source_or_an_overlay(name, data, text):
    position = data.draw(st.sampled_from([one for one in samples(name) if one.to_act]))
    for ask in (position.actions_from, lambda key, seat: position.overlay(key, seat)):
        try:
            ask(text, position.to_act[0])
        except sandtable.SandtableError as error:
            assert_sentence(error)


@each
@given(data=st.data())
def test_any_text_may_be_read_as_a_position(name, data):
    """And what is read can be written, read again and played."""
    game = find(name)
    text = data.draw(st.one_of(ANY, spoilt([position.text() for position in samples(name)])))
    try:
        position = game.read(text, seed=1)
    except sandtable.SandtableError as error:
        assert_sentence(error, "line ")
        return
    chance = random.Random(text)
    for _ in range(8 if IS_INTERPRETED else 40):
        again = game.read(position.text())
        assert again.record.tobytes() == position.record.tobytes(), text
        for viewer in (None, *range(position.seats)):
            assert position.view(viewer)["ask"]["text"]
        if not position.to_act:
            assert position.outcome is not None
            break
        seat = chance.choice(position.to_act)
        position.play(chance.choice(position.actions(seat)), seat=seat)
    assert read_match(position.match().text(), find).position() == position


@each
@given(data=st.data())
def test_any_text_may_be_read_as_a_match(name, data):
    """With its sum made right half the time, so that what lies behind is reached."""
    whole = [past[len(past) // 3].match().text() for past in games_of(name)]
    whole.append(find(name).read(samples(name)[1].text(), seed=2).match().text())
    text = data.draw(st.one_of(ANY, spoilt(whole)))
    if data.draw(st.booleans()):
        body = re.sub(r"sum [0-9a-f]*\n?$", "", text)
        text = f"{body}sum {checksum(body) if body.isascii() else '00000000'}\n"
    try:
        match = read_match(text, find)
    except sandtable.SandtableError as error:
        assert_sentence(error, "line " if text else "")
        return
    assert match.text().rstrip("\n") == text.rstrip("\n")


# ---------------------------------------------------------------- books


VALUES = st.recursive(
    st.one_of(
        st.integers(-(2**70), 2**70),
        st.booleans(),
        st.floats(),
        st.text(max_size=5),
        st.none(),
        st.dates(),
        st.datetimes(),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=9), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=12,
)


@each
@given(data=st.data(), text=ANY)
@example(data=None, text="\x00")
@example(data=None, text="a" * 300)
@example(data=None, text="a" * 300 + ".toml")
@example(data=None, text=".")
@example(data=None, text="/")
@example(data=None, text="x.toml")
@example(data=None, text="../tactics/book.toml")
def test_any_text_may_be_asked_for_as_book_scenario_language_and_game(name, data, text):
    game = find(name)
    for ask in (
        game.find_book,
        game.scenario,
        game.words,
        game.rules_text,
        game.deal,
        sandtable.game,
        sandtable.player,
    ):
        try:
            ask(text)
        except sandtable.SandtableError as error:
            assert_sentence(error)


@each
@given(data=st.data())
def test_any_values_may_be_given_as_a_book(name, data):
    game = find(name)
    names = st.one_of(st.sampled_from(list(game.book.numbers)), st.text(max_size=5))
    changes = data.draw(st.dictionaries(names, VALUES, max_size=3))
    try:
        book = game.find_book(changes)
    except sandtable.SandtableError as error:
        assert_sentence(error)
        return
    assert set(changes) <= set(book.numbers)
    for number in book.numbers.values():
        assert number.with_value(number.value, "again") == number


@each
@given(
    raw=st.binary(max_size=60), extra=st.sampled_from(["", "[numbers]\n", "title = 3\n", "[numbers]\nnothing = 1\n"])
)
def test_any_file_may_be_given_as_a_book(name, raw, extra, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(extra.encode() + raw)
    try:
        find(name).find_book(path)
    except sandtable.SandtableError as error:
        assert_sentence(error, "mine.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[numbers]\ndraw_after = 0\n", "draw_after (T6.2) must be from 1 to 1000, found 0"),
        ("[numbers]\ndraw_after = 1.5\n", "draw_after (T6.2) must be a whole number from 1 to 1000, found 1.5"),
        ("[numbers]\ndraw_after = [1]\n", "draw_after (T6.2) must be a whole number"),
        ("[numbers]\ndraw_after = 99999999999999999999999\n", "from 1 to 1000"),
        ("[numbers]\narmy = [[1, 2], [3]]\n", "army (T1.2) must be 8 whole numbers"),
        ("[numbers]\narmy = [2, 2, 2, 2, 2, 2, 2]\n", "army (T1.2) must be 8 whole numbers"),
        ("[numbers]\ntakes = 1\n", "takes (T4.2) must be 8 × 8 whole numbers"),
        ("[numbers]\nquiet = 3\n", "no number 'quiet'; there are: army"),
        ("numbers = 3\n", "expected title, says and a table [numbers]"),
        ("[number]\ndraw_after = 3\n", "expected title, says and a table [numbers], found"),
        ("title = \n", "not TOML"),
    ],
)
def test_what_is_wrong_with_a_book_is_said_with_its_place(tmp_path, text, said):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(sandtable.BadBook) as caught:
        find("tactics").find_book(path)
    assert said in str(caught.value)
    assert "mine.toml" in str(caught.value)
