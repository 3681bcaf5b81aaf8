"""A game is its folder. These are the steps of "add a game" that need no running: what must lie where."""

from __future__ import annotations

import doctest
import re
import shutil
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import sandtable
from sandtable.protocol.game import Game
from tests.conformance.folder import complaints, flat, rule_files
from tests.conformance.games import REGISTERED, games_of

TESTS = Path(__file__).parents[1] / "games"
TACTICS = REGISTERED["tactics"]

each = pytest.mark.parametrize("registered", REGISTERED.values(), ids=REGISTERED)


@each
def test_step_1_the_folder_is_complete(registered: Game):
    """Rule book, book, words, scenarios; and beside it naive twin, clause tests, transcripts, view tests."""
    assert complaints(registered.folder, TESTS / registered.name, registered.letter) == []


@each
def test_step_2_it_is_found_by_its_name(registered: Game):
    assert sandtable.game(registered.name) is registered
    assert registered.folder.name == registered.name
    assert import_module(f"sandtable.games.{registered.name}").GAME is registered
    with pytest.raises(sandtable.Unknown, match=registered.name):
        sandtable.game("no such game")


def test_step_3_the_book_names_every_number_with_clause_and_range(game):
    names = {name for name in game.layout.BOOK.names if not name.startswith("pad")}
    assert set(game.book.numbers) == names
    for number in game.book.numbers.values():
        assert re.fullmatch(rf"{game.letter}\d+\.\d+", number.clause)
        assert number.says
        assert number.with_value(number.value, "book.toml") == number
        for value in (number.least, number.most):  # the record can hold whatever the range allows
            game.book.changed({number.name: value if not isinstance(number.value, list) else number.value}, "test")
    assert any(number.offer for number in game.book.numbers.values()), "nothing to choose when a table is opened"


def test_step_4_there_are_variants_and_each_is_another_book(game):
    variants = [game.find_book(name) for name in game.books if name != "standard"]
    assert variants
    for book in variants:
        assert book != game.book
        assert book.says
    digests = {book.digest for book in [game.book, *variants]}
    assert len(digests) == len(variants) + 1


def test_step_5_every_scenario_can_be_dealt_under_every_book(game):
    for name in game.scenarios:
        scenario = game.scenario(name)
        assert scenario.title
        assert scenario.says.endswith(".")
        for book in game.books:
            for seats in game.traits.seats:
                position = game.deal(name, book=book, seats=seats, seed=3)
                assert position.to_act
                assert position.seats == seats


@pytest.mark.kernels
def test_step_6_a_brief_scenario_is_over_in_about_thirty_actions():
    for game in REGISTERED.values():
        batch = game.batch(4, "brief", seed=1).play_out(*["greedy"] * game.traits.seats[0])
        assert batch.plies.mean() < 60


def test_step_7_templates_use_fields_that_are_there(game):
    """Every event of whole games in both languages; a field that is missing is a KeyError here."""
    for past in games_of(game.name):
        position = game.deal(past[0].start.scenario, seed=past[0].start.map_seed, seats=past[0].seats)
        for row in past[-1].rows[:60]:
            for event in position.play(row.text, seat=row.seat) if not row.is_roll else ():
                for language in ("en", "es"):
                    assert game.words(language)("event", event.name, **event.fields)


@each
def test_step_8_the_examples_of_the_rule_book_run(registered: Game):
    said = registered.rules_text()
    parser = doctest.DocTestParser()
    test = parser.get_doctest(said, {}, f"RULES.md of {registered.name}", str(registered.folder / "RULES.md"), 0)
    assert len(test.examples) > 5, "a rule book without examples"
    report: list[str] = []
    ran = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert ran.failed == 0, "".join(report)


def test_a_language_that_is_not_there_is_refused_with_those_that_are(game):
    with pytest.raises(sandtable.Unknown, match="en, es"):
        game.words("xx")
    with pytest.raises(sandtable.Unknown, match="en, es"):
        game.rules_text("xx")


# ---------------------------------------------------------------- the check itself


@pytest.fixture
def copied(tmp_path: Path) -> tuple[Path, Path]:
    """Tactics and its tests, to be spoilt."""
    folder, tests = tmp_path / "src" / "tactics", tmp_path / "tests" / "tactics"
    shutil.copytree(TACTICS.folder, folder)
    shutil.copytree(TESTS / "tactics", tests)
    return folder, tests


def said_of(copied: tuple[Path, Path]) -> str:
    return "\n".join(complaints(*copied, "T"))


@pytest.mark.parametrize(
    "name",
    ["RULES.md", "RULES.es.md", "words/en.toml", "words/es.toml", "book.toml", "layout.py", "notation.py",
     "scenarios/brief.toml"],
)  # fmt: skip
def test_a_folder_that_lacks_something_is_told_so_in_a_sentence(copied, name):
    (copied[0] / name).unlink()
    assert f"tactics lacks {name}" in said_of(copied)


def test_a_folder_without_rules_is_told_so_in_a_sentence(copied):
    for path in rule_files(copied[0]):
        path.unlink()
    assert "tactics lacks rules.py, or a folder rules" in said_of(copied)


@pytest.mark.parametrize("name", ["naive.py", "test_naive.py", "test_clauses.py", "test_view.py", "transcripts/*.txt"])
def test_tests_that_lack_something_are_told_so_in_a_sentence(copied, name):
    for path in copied[1].glob(name):
        path.unlink()
    assert f"tactics lacks {name}" in said_of(copied)


def spoil(paths: Path | list[Path], before: str, after: str) -> None:
    """Replace a text in the one of these files that has it."""
    for path in paths if isinstance(paths, list) else [paths]:
        text = path.read_text("utf-8")
        if before in text:
            path.write_text(text.replace(before, after), "utf-8")
            return
    raise AssertionError(f"no file has {before}")


def test_a_clause_without_a_test_is_named(copied):
    spoil(copied[1] / "test_clauses.py", "def test_T4_3_", "def untested_T4_3_")
    assert said_of(copied) == "T4.3 of tactics has no test: none is called test_T4_3_…"


def test_a_clause_that_is_not_in_the_rule_book_is_named(copied):
    for name in ("RULES.md", "RULES.es.md"):
        spoil(copied[0] / name, "**T5.1**", "T5.1")
    said = said_of(copied)
    assert "test_clauses.py of tactics tests T5.1, which is not in RULES.md" in said
    assert "layout.py of tactics speaks of T5.1, which is not in RULES.md" in said


def test_a_refusal_an_event_and_a_number_of_a_wrong_clause_are_named(copied):
    spoil(copied[0] / "layout.py", '("charge", "T5.1")', '("charge", "T5.9")')
    spoil(rule_files(copied[0]), "emit(work, i, 304,", "emit(work, i, 305,")
    spoil(copied[0] / "book.toml", 'clause = "T6.2"', 'clause = "T6.8"')
    said = [sentence for sentence in complaints(*copied, "T") if "speaks of" in sentence]
    assert len(said) == 3
    assert "layout.py of tactics speaks of T5.9, which is not in RULES.md" in said
    assert any(
        re.match(r"rules.* of tactics speaks of T3\.5, which is not in RULES\.md", sentence) for sentence in said
    )
    assert "book.toml (draw_after) of tactics speaks of T6.8, which is not in RULES.md" in said


def test_words_that_differ_between_languages_are_named(copied):
    words = tomllib.loads((copied[0] / "words" / "es.toml").read_text("utf-8"))
    text = flat(words)["refusal.points"]
    spoil(copied[0] / "words" / "es.toml", text, text.replace("{cost}", "{costs}"))
    spoil(copied[0] / "words" / "es.toml", "middle =", "midle =")
    assert said_of(copied).split("\n") == [
        "words/es.toml of tactics lacks refusal.middle, which another language has",
        "words/en.toml of tactics lacks refusal.midle, which another language has",
        "words of tactics, refusal.points: en speaks of ['cost', 'points'], es of ['costs', 'points']",
    ]


def test_the_smallest_game_is_told_what_it_still_lacks(tmp_path):
    """Pebbles has only what no game can do without: it plays, and this is its list of what is left."""
    folder = Path(__file__).parent / "pebbles"
    said = complaints(folder, tmp_path, "P")
    assert all("lacks" in sentence for sentence in said), said
    assert len(said) == 6
