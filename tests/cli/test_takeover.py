"""Compiled entries are taken over while people play."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import sandtable
from sandtable.cli import background
from sandtable.cli.background import Takeover
from sandtable.protocol.engine import Engine, compile_policy


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "FIRST_LOOK", 0.01)
    monkeypatch.setattr(background, "LOOK_EVERY", 0.01)


class SlowEngine:
    """An engine whose child finishes one entry at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.taken, self.is_compiling = folder, 0, False

    def compile_in_background(self) -> None:
        self.is_compiling = True

    @property
    def is_compiled(self) -> bool:
        return self.taken == 3

    def take_stored(self) -> int:
        self.taken = len(list(self.folder.glob("*.done")))
        return self.taken


def wait_for(engine: SlowEngine | Engine, taken: int) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        kinds = engine.kind.values() if isinstance(engine, Engine) else ["compiled"] * engine.taken
        if sum(kind == "compiled" for kind in kinds) >= taken:
            return
        time.sleep(0.01)
    raise AssertionError("nothing was taken over")


def test_entries_are_taken_as_they_come(tmp_path: Path) -> None:
    engine = SlowEngine(tmp_path)
    with Takeover(engine) as takeover:  # type: ignore[arg-type]
        for number in range(3):
            (tmp_path / f"{number}.done").touch()
            wait_for(engine, number + 1)
        takeover._thread.join(5)
        assert not takeover._thread.is_alive()


def test_leaving_early_ends_the_thread(tmp_path: Path) -> None:
    with Takeover(SlowEngine(tmp_path)) as takeover:  # type: ignore[arg-type]
        pass
    assert not takeover._thread.is_alive()


def test_without_a_compiler_the_game_goes_on(tmp_path: Path) -> None:
    engine = SlowEngine(tmp_path / "missing")
    engine.compile_in_background = lambda: 1 / 0  # type: ignore[method-assign,assignment,return-value]
    with Takeover(engine) as takeover:  # type: ignore[arg-type]
        takeover._thread.join(5)
        assert not takeover._thread.is_alive()


def test_a_real_engine_turns_compiled_under_a_running_game() -> None:
    if compile_policy() == "0":
        pytest.skip("the compiler is off")
    game = sandtable.game("tactics")
    game.engine.compile()  # on disk from here on
    engine = Engine(game.name, game.layout, game._slot_modules)
    assert engine.is_all_stored
    position = game.deal("classic", seed=7)
    with Takeover(engine):
        wait_for(engine, len(engine.kind))
    assert engine.is_compiled
    assert engine.who(position.book.record, position.record, 0, game.blank_work()) == 1
