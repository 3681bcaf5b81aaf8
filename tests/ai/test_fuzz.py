"""The fuzzer finds what it looks for: games with one thing broken on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import sandtable
from sandtable.ai.fuzz import fuzz
from sandtable.games.tactics import rules, view
from sandtable.games.tactics.layout import CAPTURE, DEPLOY, END, R_POINTS
from sandtable.protocol.game import Game
from sandtable.protocol.match import read_match
from sandtable.protocol.position import Position, Row
from sandtable.protocol.words import Words
from tests.conformance.pebbles import GAME as PEBBLES


@pytest.fixture
def game() -> Game:
    """Tactics once more, to be broken, with games of a few dozen plies."""
    found = sandtable.game("tactics")
    game = Game(
        found.name, found.title, found.rules_version, found.letter, found.traits, found.layout, found.notation,
        [rules], found.folder, found.view,
    )  # fmt: skip
    game.scenarios = ["brief", "opening"]
    return game


def found(game: Game, games: int = 3, **more: object) -> set[str]:
    return {failure.oracle for failure in fuzz(game, games, 1, **more).failures}  # type: ignore[arg-type]


def test_sound_games_pass(game: Game, tmp_path):
    for sound in (game, PEBBLES):
        report = fuzz(sound, 2, 1, tmp_path)
        assert (report.games, report.failures) == (2, [])
        assert report.plies > 10
    assert list(tmp_path.iterdir()) == []


def test_the_same_seed_is_the_same_games():
    plies = [fuzz(PEBBLES, 20, seed).plies for seed in (1, 1, 2)]
    assert plies[0] == plies[1] != plies[2]


def test_progress_is_told_after_every_game():
    told: list[tuple[int, int]] = []
    fuzz(PEBBLES, 3, 1, None, lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_crash(game: Game, monkeypatch):
    def apply(book, positions, i, work, seat, given, k):
        if given[k].kind == CAPTURE:
            raise IndexError("out of the board")
        return rules.apply(book, positions, i, work, seat, given, k)

    monkeypatch.setattr(game.engine, "apply", apply)
    (failure, *_) = fuzz(game, 3, 1).failures
    assert failure.oracle == "crash"
    assert "IndexError: out of the board" in failure.sentence
    assert "x" in failure.sentence, "the action that did it is named"


def test_a_seat_that_must_act_and_cannot(game: Game, monkeypatch):
    def actions(book, positions, i, work, seat, at, out):
        n = rules.actions(book, positions, i, work, seat, at, out)
        return 0 if positions[i].phase == DEPLOY and n == 1 else n

    monkeypatch.setattr(game.engine, "actions", actions)
    game.scenarios = ["opening"]
    assert found(game, 1) == {"no_action"}


def test_nobody_to_act_and_no_end(game: Game, monkeypatch):
    monkeypatch.setattr(game.engine, "who", lambda book, positions, i, work: 0)
    assert found(game) == {"stuck"}


def test_an_endless_game(game: Game):
    game.traits = replace(game.traits, longest=10)
    assert found(game) == {"endless"}


def test_an_empty_ask(game: Game, monkeypatch):
    original = view.ask
    monkeypatch.setattr(view, "ask", lambda position, seat, words: original(position, seat, words) | {"text": " "})
    assert found(game) == {"ask"}


def test_an_ask_of_the_wrong_seat(game: Game, monkeypatch):
    original = view.ask
    monkeypatch.setattr(view, "ask", lambda position, seat, words: original(position, 0, words))
    assert found(game) == {"ask"}


def test_a_takeback_across_a_roll_or_another_seat(game: Game, monkeypatch):
    monkeypatch.setattr(Position, "undo", lambda self, seat=None, row=None: self.rows.append(Row(seat, "takeback 0")))
    assert found(game) == {"undo"}
    assert found(PEBBLES, 20) == {"undo"}


def test_a_listed_action_that_is_refused(game: Game, monkeypatch):
    def check(book, positions, i, work, seat, given, k):
        code = rules.check(book, positions, i, work, seat, given, k)
        return R_POINTS if given[k].kind == CAPTURE else code

    monkeypatch.setattr(game.engine, "check", check)
    assert found(game) <= {"refused", "crash"}
    assert "refused" in found(game)


def test_a_pick_that_is_not_listed(game: Game, monkeypatch):
    def pick(book, positions, i, work, seat, draw, out):
        rules.pick(book, positions, i, work, seat, draw, out)
        out[0].kind = END
        return 1

    monkeypatch.setattr(game.engine, "pick", pick)
    assert found(game) == {"pick"}


def test_a_match_that_is_not_the_same_when_played_again(game: Game, monkeypatch):
    """Something outside the position decides."""
    calls: Iterator[int] = iter(range(10**9))

    def apply(book, positions, i, work, seat, given, k):
        rules.apply(book, positions, i, work, seat, given, k)
        if next(calls) % 50 == 49:
            positions[i].points = max(0, int(positions[i].points) - 1)
        return 0

    monkeypatch.setattr(game.engine, "apply", apply)
    assert found(game) & {"replay", "crash", "refused"}


def test_a_text_that_does_not_say_all(game: Game, monkeypatch):
    original = game.notation.write_position

    def write_position(position, book):
        return "".join(line + "\n" for line in original(position, book).splitlines() if not line.startswith("quiet"))

    monkeypatch.setattr(game.notation, "write_position", write_position)
    assert found(game) == {"text"}


def test_a_secret_that_is_not_hidden(game: Game, monkeypatch):
    monkeypatch.setattr(game.engine, "hide", lambda book, positions, i, work, seat: 0)
    game.scenarios = ["opening"]
    assert "secret" in found(game)


def test_a_sentence_that_asks_for_what_is_not_there(game: Game, monkeypatch):
    words = Words(game.folder / "words" / "en.toml")
    words.tables()["event"]["captured"] = "{nobody} takes something."
    monkeypatch.setitem(game._words, "en", words)
    assert found(game) == {"crash"}


# ---- what is kept


def test_each_failure_is_kept_as_a_match_that_opens_on_its_row(game: Game, monkeypatch, tmp_path):
    def check(book, positions, i, work, seat, given, k):
        code = rules.check(book, positions, i, work, seat, given, k)
        return R_POINTS if given[k].kind == CAPTURE and positions[i].turn > 2 else code

    folder = tmp_path / "new" / "folder"
    with monkeypatch.context() as broken:
        broken.setattr(game.engine, "check", check)
        failures = fuzz(game, 4, 7, folder).failures
    assert failures
    for failure in failures:
        assert failure.file.name == f"tactics-seed-7-game-{failure.game}-{failure.oracle}.match"
        match = read_match(failure.file.read_text("utf-8"), lambda name: game)
        assert len(match.rows) == failure.row
        assert match.position().to_act
        said = failure.file.with_suffix(".txt").read_text("utf-8")
        assert said.startswith(f"seed 7, game {failure.game}, row {failure.row}: {failure.oracle}: ")
        assert "Traceback" in said


def test_a_failure_is_kept_even_where_the_outcome_cannot_be_asked(game: Game, monkeypatch, tmp_path):
    def outcome(book, positions, i, work, places):
        if positions[i].turn > 3:
            raise ZeroDivisionError("no places")
        return rules.outcome(book, positions, i, work, places)

    monkeypatch.setattr(game.engine, "outcome", outcome)
    (failure, *_) = fuzz(game, 2, 1, tmp_path).failures
    assert failure.oracle == "crash"
    assert failure.file.read_text("utf-8").startswith("sandtable match 1\n")


def test_a_deal_that_crashes_is_a_failure_too(game: Game, monkeypatch, tmp_path):
    def deal(*_):
        raise ValueError("no squares left")

    monkeypatch.setattr(game.engine, "deal", deal)
    (failure,) = fuzz(game, 1, 1, tmp_path).failures
    assert (failure.oracle, failure.row, failure.file) == ("crash", 0, None)
    assert [path.suffix for path in tmp_path.iterdir()] == [".txt"]
