"""The command line called from inside: what was typed, what was said, and the exit code."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import sandtable
from sandtable.cli import main, play
from sandtable.protocol.engine import Engine


@dataclass
class Ended:
    code: int
    out: str
    err: str


class Keyboard(io.StringIO):
    """Lines a person types, as a terminal hands them over."""

    def isatty(self) -> bool:
        return True


Command = Callable[..., Ended]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """`command("play", typed=["attack", "quit"])`: the command, with a person at a keyboard or, without, none."""
    monkeypatch.setattr(Engine, "compile_in_background", lambda engine: None)
    monkeypatch.setattr(play, "PAUSE", 0.0)

    def run(*arguments: str | Path, typed: list[str] | None = None) -> Ended:
        keyboard = io.StringIO() if typed is None else Keyboard("".join(f"{line}\n" for line in typed))
        monkeypatch.setattr("sys.stdin", keyboard)
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Ended(code, said.out, said.err)

    return run


@pytest.fixture
def match_file(tmp_path: Path) -> Path:
    """A short match with a takeback, given up by Black."""
    position = sandtable.game("tactics").deal("brief", seed=1)
    position.play("attack", position.to_act[0])
    seat = position.to_act[0]
    position.play(position.actions()[-1])
    position.undo()
    position.play(position.actions()[-1])
    position.play("resign", 1 - seat)
    path = tmp_path / "match.txt"
    path.write_text(position.match().text(), "utf-8")
    return path
