"""./test: which lanes run, what the summary says, and how it ends."""

import subprocess
import sys
import tomllib
from collections.abc import Callable

import pytest

from tests.commands.conftest import ROOT, Project
from tools import environment, lanes
from tools.lanes import Lane, Result


def pins(lock: str) -> dict[str, str]:
    lines = (ROOT / lock).read_text("utf-8").splitlines()
    return dict(line.split(" ")[0].split("==") for line in lines if "==" in line)


def test_the_locks_agree_and_are_hashed() -> None:
    play, test = pins("requirements.lock"), pins("requirements-test.lock")
    assert play.items() <= test.items()
    for lock, pinned in (("requirements.lock", play), ("requirements-test.lock", test)):
        entries = (ROOT / lock).read_text("utf-8").replace("\\\n", " ").splitlines()
        assert len(entries) == len(pinned)
        assert all("--hash=sha256:" in entry for entry in entries)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert {name.split(">")[0] for name in project["project"]["dependencies"]} <= play.keys()
    assert set(project["dependency-groups"]["test"]) <= test.keys()


def test_arguments_make_one_run_and_tools_are_added_once(online: Project) -> None:
    first, second, deep = online.run("test", "-k", "dice"), online.run("test", "-x"), online.run("test", "--deep", "-x")
    assert "Adding the test tools" in first.err
    assert first.out.startswith("pytest ['-m', 'not deep', '-k', 'dice']")
    assert (second.out.splitlines()[0], second.err) == ("pytest ['-m', 'not deep', '-x']", "")
    assert deep.out.startswith("pytest ['-x']")
    assert online.run("play").err == ""


def test_help_needs_nothing_installed(bare: Project) -> None:
    ended = bare.run("test", "--help")
    assert (ended.code, ended.out, ended.err) == (0, lanes.HELP, "")
    assert not (bare.root / ".venv").exists()


@pytest.mark.parametrize(("pytests", "ours"), [(0, 0), (1, 1), (4, 2), (5, 2)])
def test_exit_codes_of_one_run(pytests: int, ours: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "call", lambda *_, **__: pytests)
    assert lanes.once(["-x"], deep=False) == ours


@pytest.mark.parametrize(
    ("code", "said", "counts"),
    [
        (0, "...\n3 passed, 1 skipped, 2 deselected in 1.2s", {"passed": 3, "skipped": 1}),
        (1, "...\n1 failed, 3 passed, 2 errors in 1.2s", {"failed": 3, "passed": 3}),
        (5, "2 deselected in 0.1s", {}),
        (3, "INTERNALERROR", {"failed": 1}),
        (-11, "", {"failed": 1}),
    ],
)
def test_counts(code: int, said: str, counts: dict[str, int]) -> None:
    result = Result(Lane("bounds", [*lanes.PYTEST, "-q"]), code, 1.0, said)
    assert dict(result.counts) == counts
    assert result.is_ok == (not counts.get("failed"))


@pytest.fixture
def toy_lanes(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def plan(**programs: str) -> None:
        made = [Lane(name, ["-c", program], {"LANE": name}) for name, program in programs.items()]
        monkeypatch.setattr(lanes, "plan", lambda deep: (made, [("gpu", "no device")]))
        monkeypatch.setattr(environment, "PYTHON", sys.executable)

    return plan


def test_the_summary(toy_lanes: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    toy_lanes(style="import os; print('I am', os.environ['LANE'])", types="exit(1)", alone="")
    assert lanes.every(deep=False) == lanes.FAILED
    out = capsys.readouterr().out
    assert "== style ==\nI am style\n" in out
    assert "gpu           not run: no device\n" in out
    assert [line.split()[0] for line in out.splitlines() if line.endswith("FAILED")] == ["types"]
    assert out.endswith("\n2 passed, 1 failed, 0 skipped\n")
    toy_lanes(style="", alone="")
    assert lanes.every(deep=False) == lanes.OK


def test_lanes_left_out_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    planned, skipped = lanes.plan(deep=False)
    assert {"gcc", "browser", "gpu", "deep"} == {name for name, _ in skipped}
    assert all("not gcc" in " ".join(lane.command) for lane in planned if lane.command[:2] == lanes.PYTEST)
    assert "deep" not in dict(lanes.plan(deep=True)[1])
