"""The engine: interpreted at once, compiled when there is time, and its machine code known by its sources."""

from __future__ import annotations

import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

from sandtable.protocol import engine as module
from sandtable.protocol import slots
from sandtable.protocol.engine import COMPILED, INTERPRETED, Engine, cache_root, writable
from tests.conformance.pebbles import layout, rules


@pytest.fixture
def engine(monkeypatch, tmp_path) -> Engine:
    """A fresh one with a cache of its own."""
    monkeypatch.setenv("SANDTABLE_CACHE", str(tmp_path))
    monkeypatch.delenv("SANDTABLE_COMPILE", raising=False)
    return Engine("pebbles", layout, [rules])


def test_it_begins_interpreted_with_every_slot(engine):
    assert set(engine.kind) == set(slots.SLOTS)
    assert set(engine.kind.values()) == {INTERPRETED}
    for slot in slots.SLOTS:
        assert isinstance(getattr(engine, slot), types.FunctionType)
    assert engine.apply is rules.apply


def test_a_game_without_a_slot_it_needs_is_told_which():
    half = types.ModuleType("half")
    half.deal, half.who = rules.deal, rules.who
    with pytest.raises(TypeError, match="the game half lacks the slots actions, apply, outcome, concede"):
        Engine("half", layout, [half])


def test_what_is_no_slot_is_no_attribute(engine):
    with pytest.raises(AttributeError):
        _ = engine.aply


def test_entries_are_taken_over_one_by_one_as_they_appear_on_disk(engine):
    other = Engine("pebbles", layout, [rules])
    other._take("apply")
    assert engine.is_stored("apply")
    assert not engine.is_stored("actions")
    assert engine.take_stored() == 1
    assert (engine.kind["apply"], engine.kind["actions"]) == (COMPILED, INTERPRETED)
    assert not engine.is_compiled


def test_compiling_tells_of_each_slot_and_fills_the_cache(engine):
    told: list[tuple[str, int, int]] = []
    engine.compile(lambda slot, done, total: told.append((slot, done, total)))
    assert [slot for slot, _, _ in told] == [*slots.SLOTS, ""]
    assert told[-1] == ("", len(slots.SLOTS), len(slots.SLOTS))
    assert engine.is_compiled
    assert engine.is_all_stored
    again = Engine("pebbles", layout, [rules])
    assert again.take_stored() == len(slots.SLOTS)
    assert not [name for name in again.compiler.seconds if name in ("doubled", "write_action", "emit")], "no helper"


def test_told_never_to_compile_it_does_not(engine, monkeypatch):
    monkeypatch.setenv("SANDTABLE_COMPILE", "0")
    engine.compile()
    assert engine.take_stored() == 0
    engine.compile_in_background()
    assert not engine.is_compiling
    assert set(engine.kind.values()) == {INTERPRETED}


def test_the_cache_folder_is_that_of_exactly_these_sources(engine, monkeypatch, tmp_path):
    folder = engine.folder
    assert folder.parent == tmp_path
    assert folder.name.startswith("pebbles-")
    assert Engine("pebbles", layout, [rules]).folder == folder
    monkeypatch.setenv("SANDTABLE_BOUNDS", "1")
    assert engine.folder != folder, "with bounds checks it is other machine code"


def test_a_changed_rule_has_another_folder(engine, tmp_path):
    """One edited file of the rules is enough: stale machine code is never met."""
    source = Path(rules.__file__)
    copied = tmp_path / "rules.py"
    shutil.copy(source, copied)
    folders = set()
    for change in ("", "# a remark\n"):
        copied.write_text(copied.read_text("utf-8") + change, "utf-8")
        changed = types.ModuleType("changed")
        exec(compile(copied.read_text("utf-8"), str(copied), "exec"), changed.__dict__)
        folders.add(Engine("pebbles", layout, [changed]).folder)
    assert len(folders) == 2


def test_a_cache_that_cannot_be_written_is_replaced_by_one_that_can(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("no folder", "utf-8")
    (tmp_path / "spare").mkdir()
    monkeypatch.setattr(module.tempfile, "gettempdir", lambda: str(tmp_path / "spare"))
    folder = writable(blocked / "pebbles-1")
    assert folder.is_dir()
    assert str(folder).startswith(str(tmp_path / "spare"))


def test_the_cache_is_the_users_unless_named(monkeypatch, tmp_path):
    monkeypatch.delenv("SANDTABLE_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_root() == tmp_path / "sandtable"
    monkeypatch.setenv("SANDTABLE_CACHE", str(tmp_path / "named"))
    assert cache_root() == tmp_path / "named"


def test_two_processes_may_fill_one_cache_at_once(tmp_path):
    """Started together on an empty cache, both end with working code."""
    program = (
        "from tests.conformance.pebbles import GAME\n"
        "[GAME.engine._take(slot) for slot in ('who', 'actions', 'apply')]\n"
        "position = GAME.deal()\n"
        "position.play('take 3')\n"
        "print(position, GAME.engine.kind['apply'])\n"
    )
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {[root, root + '/src']!r}\n{program}"]
    variables = {"SANDTABLE_CACHE": str(tmp_path), "PATH": "/usr/bin:/bin"}
    running = [subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert said == ["pebbles 1: 18 left, 2 seats, to take: green\n compiled\n"] * 2
