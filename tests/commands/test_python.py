"""./play and ./test find a Python that fits, or say in one sentence what to install."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.conftest import ROOT, Project, script

TOO_OLD = 'printf " 3.9"; exit 1\n'
NO_SHIM = 'echo "no such version" >&2; exit 127\n'


def only(project: Project, **commands: str) -> Project:
    """A PATH of just these commands."""
    real = (project.path / "python3").read_text("utf-8").partition("\n")[2]
    folder = project.root.parent / "only"
    folder.mkdir()
    for name, text in commands.items():
        script(folder / name, text or real)
    return Project(project.root, folder)


def test_both_commands_begin_alike() -> None:
    heads = [(ROOT / name).read_text("ascii").partition("\nfrom tools")[0] for name in ("play", "test")]
    assert heads[0] == heads[1]


@pytest.mark.parametrize(
    ("commands", "found"),
    [({}, "none"), ({"python3": TOO_OLD}, "3.9"), ({"python3": NO_SHIM, "python3.12": NO_SHIM}, "none")],
    ids=["no Python", "too old", "shims of a version manager"],
)
@pytest.mark.parametrize("name", ["play", "test"])
def test_one_sentence_without_a_python(bare: Project, name: str, commands: dict[str, str], found: str) -> None:
    ended = only(bare, **commands).run(name)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert f"needs Python 3.11 to 3.14 (found: {found})" in ended.err


@pytest.mark.parametrize("first", [TOO_OLD, NO_SHIM], ids=["too old", "shim"])
def test_another_python_on_the_path_will_do(ready: Project, first: str) -> None:
    ended = only(ready, **{"python3": first, "python3.12": ""}).run("play")
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 10, 13), (3, 15, 0)])
@pytest.mark.parametrize("name", ["play", "test"])
def test_python_play_says_it_too(
    name: str, version: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    with pytest.raises(SystemExit, match="2"):
        runpy.run_path(str(ROOT / name))
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["--help"], ["show", "two words", "ñ"]])
def test_arguments_pass_through(ready: Project, arguments: list[str]) -> None:
    assert ready.run("play", *arguments).out == f"played with 1 {arguments or ['play', 'tactics']}\n"


def test_from_any_folder_through_a_link(ready: Project, tmp_path: Path) -> None:
    (tmp_path / "link to it").symlink_to(ready.root / "play")
    for command in (["./link to it"], ["sh", "link to it"], [sys.executable, "link to it"]):
        ended = subprocess.run(command, cwd=tmp_path, env=ready.variables() | {"PATH": f"{ready.path}:{os.defpath}"})
        assert ended.returncode == 0


def test_the_callers_python_variables_do_no_harm(ready: Project) -> None:
    ended = ready.run(
        "play", PYTHONHOME="/nowhere", PYTHONSAFEPATH="1", PYTHONPATH="/nowhere", LC_ALL="C", found=" 2.7"
    )
    assert (ended.code, ended.err) == (0, "")
