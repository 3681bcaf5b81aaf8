"""`games`, `rules` and `book`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sandtable
from sandtable.cli.rulebook import clause_text, sections
from sandtable.protocol.errors import Unknown
from tests.cli.conftest import Command

GAMES = sandtable.games()


def test_games(command: Command) -> None:
    out = command("games").out
    for name in GAMES:
        game = sandtable.game(name)
        assert f"{name}: {game.title}" in out
        assert all(f"--scenario {scenario}" in out for scenario in game.scenarios)
        assert all(f"--book {book}" in out for book in game.books)
    assert max(map(len, out.splitlines())) <= 79


@pytest.mark.parametrize("name", GAMES)
def test_book_tells_every_number_with_its_clause(command: Command, name: str) -> None:
    game = sandtable.game(name)
    out = command("book", name).out
    for number in game.book.numbers.values():
        assert f"{number.clause:<5} {number.name}" in out
    assert max(map(len, out.splitlines())) <= 79
    told = json.loads(command("book", name, "--json").out)
    assert told["digest"] == game.book.digest
    assert list(told["numbers"]) == list(game.book.numbers)


def test_book_marks_what_a_variant_changes(command: Command) -> None:
    out = command("book", "tactics", "slow-start").out
    assert "T5.2  initial_charge = 0 (standard: 1)" in out
    assert out.count("(standard: ") == 1


def test_book_reads_a_file(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[numbers]\ndraw_after = 40\narmy = [1, 1, 1, 1, 1, 1, 1, 1]\n", "utf-8")
    out = command("book", "tactics", path).out
    assert "draw_after = 40 (standard: 60)" in out
    assert "army = 1 1 1 1 1 1 1 1 (changed)" in out


@pytest.mark.parametrize("name", GAMES)
def test_rules(command: Command, name: str) -> None:
    game = sandtable.game(name)
    assert command("rules", name).out == game.rules_text()
    assert command("rules", name, "--lang", "es").out == game.rules_text("es")
    assert "there are: en, es" in command("rules", name, "--lang", "tlh").err
    for number in game.book.numbers.values():
        assert command("rules", name, number.clause).out.startswith(f"**{number.clause}**")


def test_a_clause_ends_where_the_next_begins() -> None:
    text = "# Game\n\n## A1 One\n\n**A1.1** First.\nMore.\n\n**A1.2** Second.\n\n## A2 Two\n\n**A2.1** Third.\n"
    assert sections(text) == ["A1 One", "A2 Two"]
    assert clause_text(text, "a1.1") == "**A1.1** First.\nMore.\n"
    assert clause_text(text, "A1") == "## A1 One\n\n**A1.1** First.\nMore.\n\n**A1.2** Second.\n"
    assert clause_text(text, "A2.1") == "**A2.1** Third.\n"
    with pytest.raises(Unknown, match=r"no clause 'A3'; there are: A1, A2, A1.1"):
        clause_text(text, "A3")
