"""`show` and `verify`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import sandtable
from sandtable.cli.screen import Screen
from sandtable.kit.digest import checksum
from tests.cli.conftest import Command


def test_show_tells_all_plies_and_the_last_board(command: Command, match_file: Path) -> None:
    out = command("show", match_file).out
    rows = sandtable.read_match(match_file.read_text("utf-8")).rows
    numbers = [int(line.split()[0]) for line in out.splitlines() if line[:4].strip().isdigit() and line[4:6] == "  "]
    assert set(numbers) >= set(range(1, len(rows) + 1))
    assert " takes back " in out
    assert out.count("┌───┬") == 1
    assert "has given up." in out.splitlines()[-1]


def test_show_one_ply(command: Command, match_file: Path) -> None:
    out = command("show", match_file, "--ply", "1").out
    assert out.startswith("Ply 1 of ")
    assert "Opening roll" in out
    assert out.count("┌───┬") == 1
    assert "there is no ply 99" in command("show", match_file, "--ply", "99").err


def test_show_draws_a_picture(command: Command, match_file: Path, tmp_path: Path) -> None:
    first, last = tmp_path / "first.svg", tmp_path / "last.svg"
    assert command("show", match_file, "--svg", first, "--ply", "0").code == 0
    assert command("show", match_file, "--svg", last).code == 0
    assert first.read_text("utf-8").startswith("<svg")
    assert first.read_bytes() != last.read_bytes()


def test_show_steps(command: Command, match_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.cli.screen.is_terminal", lambda stream: True)
    monkeypatch.setattr("sandtable.cli.screen._understands_colour", lambda: False)
    out = command("show", match_file, typed=["", "n", "p", "99", "3", "what", "p", "p", "p", "p", "q", "n"]).out
    shown = [line.split()[1] for line in out.replace("> ", "\n").splitlines() if line.startswith("Ply ")]
    assert shown == ["0", "1", "2", "1", "3", "2", "1", "0"]
    assert "has given up." in out
    assert "This is the beginning." in out
    assert out.count("Enter or n") == 2


def test_show_a_secret_placement_as_its_seat_saw_it(command: Command, tmp_path: Path) -> None:
    position = sandtable.game("tactics").deal(seed=3)
    position.play("defend")
    position.play("place e1 R", 0)
    path = tmp_path / "match.txt"
    path.write_text(position.match().text(), "utf-8")
    assert "│◇R │" in command("show", path).out


def test_verify(command: Command, match_file: Path) -> None:
    ended = command("verify", match_file)
    assert ended.code == 0
    assert "right. All " in ended.out
    told = json.loads(command("verify", match_file, "--json").out)
    assert told["ok"] is True
    assert told["rolls"] > 0


def test_verify_finds_a_loaded_die(command: Command, match_file: Path) -> None:
    """Two dice lie the other way round: the same points, every row still stands, and yet the seed gives others."""
    body = match_file.read_text("utf-8").rpartition("sum ")[0]
    first, second = re.findall(r"roll (\d) (\d)", body)[-1]
    assert first != second
    changed = body.replace(f"roll {first} {second}", f"roll {second} {first}")
    match_file.write_text(f"{changed}sum {checksum(changed)}\n", "utf-8")
    ended = command("verify", match_file)
    assert ended.code == 1
    assert f"WRONG. Row 2 says roll {second} {first}, the seed gives roll {first} {second}." in ended.out
    assert json.loads(command("verify", match_file, "--json").out)["ok"] is False


def test_verify_says_what_is_wrong_with_a_file_in_json_too(command: Command, match_file: Path) -> None:
    match_file.write_text(match_file.read_text("utf-8")[:-3], "utf-8")
    ended = command("verify", match_file, "--json")
    assert ended.code == 2
    assert json.loads(ended.out)["ok"] is False
    assert "line " in json.loads(ended.out)["sentence"]


def test_a_closed_screen_takes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    screen = Screen()
    screen.say("a")
    screen.clear()
