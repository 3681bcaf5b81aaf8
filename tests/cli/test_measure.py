"""`duel`, `fuzz`, `bench`, `compile` and the progress bar; their numbers are tested where they are made."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sandtable
from sandtable.cli import measure, progress
from sandtable.cli.progress import Progress
from sandtable.protocol.engine import Engine
from tests.cli.conftest import Command, Keyboard

TWO = ("--seat", "greedy", "--seat", "random", "--scenario", "brief", "--games", "6")


def test_duel(command: Command) -> None:
    out = command("duel", "tactics", *TWO).out
    assert out.startswith("tactics, scenario brief, 6 games")
    told = json.loads(command("duel", "tactics", *TWO, "--json").out)
    assert (told["game"], told["games"], told["scenario"]) == ("tactics", 6, "brief")
    assert [player["name"] for player in told["players"]] == ["greedy", "random"]
    for player in told["players"]:
        assert player["wins"] + player["draws"] + player["losses"] == 6
        assert 0 <= player["low"] <= player["score"] <= player["high"] <= 1


def test_duel_with_a_bot_of_ones_own(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "class Bot:\n    def choose(self, position, seat):\n        return position.actions()[0]\n", "utf-8"
    )
    words = ("--seat", f"{path}:Bot", "--seat", "random", "--scenario", "brief", "--games", "2")
    assert command("duel", "tactics", *words).code == 0
    path.write_text("class Bot:\n    def choose(self, position, seat):\n        return 'nonsense'\n", "utf-8")
    ended = command("duel", "tactics", *words)
    assert ended.code == 1
    assert "fault: game 0" in ended.out


def test_fuzz(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []

    def fuzz(game: Any, games: int, seed: int, folder: Path, tell: Callable[[int, int], None]) -> Any:
        asked.append((game.name, games, seed, folder))
        tell(1, games)
        return SimpleNamespace(games=games, plies=40, failures=failures)

    failures: list[str] = []
    monkeypatch.setitem(sys.modules, "sandtable.ai.fuzz", SimpleNamespace(fuzz=fuzz))
    ended = command("fuzz", "tactics", "--games", "3", "--seed", "5", "--out", tmp_path)
    assert (ended.code, ended.out) == (0, "tactics: 3 games, 40 plies, 0 failures\n")
    assert asked == [("tactics", 3, 5, tmp_path)]
    failures.append("game 2: no end")
    ended = command("fuzz", "tactics", "--json")
    assert ended.code == 1
    assert json.loads(ended.out) == {"game": "tactics", "games": 200, "plies": 40, "failures": failures}


def test_fuzz_finds_nothing_in_the_game_itself(command: Command, tmp_path: Path) -> None:
    ended = command("fuzz", "tactics", "--games", "2", "--out", tmp_path)
    assert ended.code == 0
    assert ended.out.endswith(" 0 failures\n")
    assert list(tmp_path.iterdir()) == []


def test_bench(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bool]] = []
    run = SimpleNamespace(main=lambda game, as_json: asked.append((game, as_json)) or 1)  # type: ignore[func-returns-value]
    monkeypatch.setattr("sandtable.cli.checkout.import_module", lambda name: run)
    monkeypatch.setattr("sys.path", list(sys.path))
    assert command("bench", "--json").code == 1
    assert asked == [("tactics", True)]


def test_bench_outside_a_checkout(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sandtable.cli.checkout.BENCH", tmp_path)
    ended = command("bench", "tactics")
    assert ended.code == 2
    assert "the benchmarks come with the source" in ended.err


def test_bench_compile(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = sandtable.game("tactics").engine
    monkeypatch.setattr(engine, "twins", {"chance": engine.twins["chance"]})
    ended = command("bench", "compile", "tactics")
    assert ended.code == 0
    assert "within the 20 CPU s" in ended.out
    monkeypatch.setattr(measure, "LIMIT", 0.0)
    ended = command("bench", "compile", "tactics", "--json")
    told = json.loads(ended.out)["tactics"]
    assert ended.code == 1
    assert told["ok"] is False
    assert told["cpu_seconds"] == pytest.approx(sum(told["functions"].values()), abs=0.02)


@pytest.mark.alone
def test_every_game_compiles_within_its_budget(command: Command) -> None:
    ended = command("bench", "compile", "--json")
    assert ended.code == 0
    assert list(json.loads(ended.out)) == sandtable.games()


def test_compile(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    niced: list[int] = []
    monkeypatch.setattr(Engine, "compile", lambda engine, tell=None: made.append(engine.name))
    monkeypatch.setattr(os, "nice", niced.append)
    assert command("compile", "tactics", "--quiet", "--nice").out == ""
    assert command("compile").code == 0
    assert made == ["tactics", *sandtable.games()]
    assert niced == [15]


# ---------------------------------------------------------------- the bar


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def drawn(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, clock: list[float], seconds: float) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    with Progress("Working") as tell:
        for done in range(10):
            tell(done, 10, "x")
            clock[0] += seconds / 10
    return stream.getvalue()


def test_what_is_quick_shows_no_bar(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    assert drawn(monkeypatch, Keyboard(), clock, 0.3) == ""


def test_a_terminal_gets_a_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    out = drawn(monkeypatch, Keyboard(), clock, 5)
    assert "Working [###...........................] 1 of 10 x" in out
    assert "\n" not in out
    assert out.endswith("\r\x1b[K")


def test_a_file_gets_two_lines(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    assert drawn(monkeypatch, io.StringIO(), clock, 5) == "Working …\nWorking: done in 5.0 s\n"
