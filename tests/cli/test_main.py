"""The command as a whole: help that teaches, mistakes in one sentence, exit codes, nothing loaded before its time."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

import sandtable
from sandtable.cli import main
from sandtable.cli.parser import build
from tests.cli.conftest import Command

SRC = Path(sandtable.__file__).parents[1]
SUBPARSERS = next(action for action in build()._actions if isinstance(action, argparse._SubParsersAction))
COMMANDS = list(SUBPARSERS.choices)


def test_without_arguments_it_shows_the_help(command: Command) -> None:
    ended = command()
    assert ended.code == 0
    assert all(name in ended.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_teaches(command: Command, name: str) -> None:
    ended = command(name, "--help")
    assert ended.code == 0
    assert "examples:\n  sandtable " in ended.out
    assert max(map(len, ended.out.splitlines())) <= 79


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_of_the_help_can_be_typed(name: str) -> None:
    """Every line that stands there as an example is one the parser takes."""
    epilog = SUBPARSERS.choices[name].epilog or ""
    lines = [line.strip().split("  ")[0].split(" | ")[0] for line in epilog.splitlines()[1:] if line.strip()]
    assert lines
    for line in lines:
        words = line.split()
        assert words[0] == "sandtable"
        assert build().parse_args(words[1:]).run is not None


def test_version(command: Command) -> None:
    assert command("--version").out == f"sandtable {sandtable.__version__}\n"


def test_help_loads_neither_numpy_nor_the_compiler() -> None:
    for words in (["--help"], ["--version"], ["play", "--help"], ["plya"]):
        program = (
            "import sys; from sandtable.cli import main; main(sys.argv[1:]); "
            "sys.exit(any(name in sys.modules for name in ('numpy', 'numba', 'sandtable.protocol.game')))"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, *words], env={"PYTHONPATH": str(SRC)}, capture_output=True, check=False
        )
        assert done.returncode == 0, (words, done.stderr)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["plya"], "sandtable: no COMMAND 'plya'; did you mean play?"),
        (["chess"], "there are: serve, play"),
        (["rules"], "arguments are required: GAME"),
        (["rules", "chess"], "no game 'chess'; there are: "),
        (["games", "tactics"], "unrecognized arguments: tactics"),
        (["play", "--seed", "x"], "expected a whole number from 0 up, found 'x'"),
        (["play", "--seed", "9" * 19], "expected a whole number from 0 up"),
        (["play", "--scenario", "nowhere"], "no scenario 'nowhere'; there are: opening"),
        (["play", "--seat", "nobody"], "no player 'nobody'; there are: random, greedy, FILE.py:CLASS, me"),
        (["play", "--seat", "me", "--seat", "me", "--seat", "me"], "3 times --seat"),
        (["play", "--set", "draw_after"], "expected NAME=VALUE"),
        (["play", "--set", "draw_after=soon"], "draw_after must be a whole number"),
        (["play", "--set", "draw_after=0"], "draw_after (T6.2) must be from 1 to 1000"),
        (["play", "--set", "takes=" + "[" * 20_000], "takes must be a whole number or a table"),
        (["play", "--set", "nothing=1"], "no number 'nothing'"),
        (["play", "--book", "nothing"], "no book 'nothing'; there are: standard"),
        (["play", "--book", ""], "expected the name of a book"),
        (["duel", "tactics", "--seat", "greedy"], "give --seat once a player"),
        (["duel", "tactics", "--seat", "greedy", "--seat", "no"], "no player 'no'"),
        (["duel", "tactics", "--games", "0"], "expected a whole number from 1 up"),
        (["bench", "tactics", "tactics"], "bench takes one game"),
        (["fuzz", "chess"], "no game 'chess'"),
    ],
)
def test_a_mistake_is_one_sentence(command: Command, words: list[str], sentence: str) -> None:
    ended = command(*words, typed=[])
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.err
    assert ended.err.startswith("sandtable")
    assert ended.err.count("\n") == 1


def test_a_sentence_holds_no_control_characters(command: Command) -> None:
    ended = command("rules", "\x1b[2J\r\n" + "x" * 2000)
    assert ended.code == 2
    assert ended.err[:-1].isprintable()
    assert len(ended.err) < 600


def test_control_c_is_130(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(sandtable, "games", interrupt)
    ended = command("games")
    assert (ended.code, ended.out) == (130, "")


def test_a_fault_of_ours_is_not_called_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down() -> list[str]:
        raise ZeroDivisionError

    monkeypatch.setattr(sandtable, "games", break_down)
    with pytest.raises(ZeroDivisionError):
        main(["games"])
