"""The environment in .venv: made once, repaired when it is not right, and left alone afterwards."""

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.commands.conftest import Project, script
from tools import environment

PLAYED = "played with 1 ['play', 'tactics']\n"
SETTING_UP = "Setting up Sandtable"


def assert_repaired(project: Project, says: str = PLAYED) -> None:
    ended = project.run("play")
    assert (ended.code, ended.out, ended.err.count("\n")) == (0, says, 1), ended.err
    assert SETTING_UP in ended.err
    again = project.run("play")
    assert (again.code, again.out, again.err) == (0, says, "")


def test_the_second_start_is_quiet_and_needs_no_network(ready: Project) -> None:
    ended = ready.run("play")
    assert (ended.code, ended.out, ended.err) == (0, PLAYED, "")


def test_no_network_is_one_sentence_and_the_next_start_repairs_it(bare: Project) -> None:
    (bare.root / "wheels").rename(bare.root / "gone")
    ended = bare.run("play")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 2)
    assert "is there a network?" in ended.err
    (bare.root / "gone").rename(bare.root / "wheels")
    assert_repaired(bare)


def break_in_the_middle(venv: Path) -> None:
    (venv / "play.stamp").unlink()
    for module in venv.glob("lib/*/site-packages/numpy.py"):
        module.unlink()  # its dist-info stands, so that pip believes it is there


def lose_the_interpreter(venv: Path) -> None:
    for python in venv.glob("bin/python*"):
        python.unlink()
        python.symlink_to("/nowhere/python3")


def be_a_stray_file(venv: Path) -> None:
    shutil.rmtree(venv)
    venv.write_text("")


@pytest.mark.parametrize("harm", [break_in_the_middle, lose_the_interpreter, be_a_stray_file])
def test_a_broken_environment_is_made_anew(online: Project, harm: object) -> None:
    assert callable(harm)
    harm(online.root / ".venv")
    assert_repaired(online)


def test_a_new_lock_replaces_the_packages(online: Project) -> None:
    online.lock("requirements.lock", online.wheel("numpy", "2", "VERSION = 2\n"))
    activated = Project(online.root, online.root / ".venv/bin")  # its only Python is the one to be replaced
    assert_repaired(activated, says=PLAYED.replace("1", "2"))


@pytest.mark.deep
def test_a_wrong_hash_is_refused(online: Project) -> None:
    lock = online.root / "requirements.lock"
    lock.write_text(lock.read_text("utf-8").replace("sha256:", "sha256:0000")[:-5] + "\n", "utf-8")
    assert online.run("play").code == 2


def test_adding_the_tools_is_repaired_too(online: Project) -> None:
    (online.root / ".venv/test.stamp").write_text(environment.ADDING, "utf-8")
    assert online.run("play").err == ""  # what playing needs was there before and still is
    ended = online.run("test", "-k", "dice")
    assert (ended.code, SETTING_UP in ended.err) == (0, True)


def test_two_starts_at_once_set_up_once(bare: Project) -> None:
    starts = [bare.start("play"), bare.start("play")]
    ends = [start.communicate(timeout=120) for start in starts]
    assert [out for out, _ in ends] == [PLAYED, PLAYED]
    assert sum(SETTING_UP in err for _, err in ends) == 1
    assert sum("waiting for it" in err for _, err in ends) == 1


@pytest.mark.parametrize("kill", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_start_is_repaired_by_the_next(bare: Project, kill: signal.Signals) -> None:
    (bare.path / "uv").rename(bare.path / "good uv")
    script(bare.path / "uv", f"{shutil.which('touch')} '{bare.root}/begun'; exec {shutil.which('sleep')} 1\n")
    first = bare.start("play")
    while not (bare.root / "begun").exists():
        time.sleep(0.01)
    (bare.path / "good uv").replace(bare.path / "uv")
    os.kill(first.pid, kill)  # its installer lives on for a moment, as an orphan
    _, err = first.communicate(timeout=60)
    if kill == signal.SIGINT:
        assert (first.returncode, err.splitlines()[1:]) == (130, ["Stopped; the next start sets up again."])
    ended = bare.run("play")
    assert (ended.code, ended.out) == (0, PLAYED), ended.err


def test_pip_does_it_without_uv(bare: Project) -> None:
    (bare.path / "uv").unlink()
    assert_repaired(bare)


def test_pip_steps_in_where_uv_fails(bare: Project) -> None:
    """An old uv, or one without a folder for its cache: it makes the environment, without pip, and no more."""
    script(
        bare.path / "uv", '[ "$1" = venv ] || exit 2; for last; do :; done; exec python3 -m venv --without-pip "$last"'
    )
    assert_repaired(bare)


@pytest.mark.skipif(not shutil.which("uv"), reason="no uv on this machine")
def test_uv_does_it_alone(bare: Project, tmp_path: Path) -> None:
    (bare.path / "uv").unlink()
    (bare.path / "uv").symlink_to(Path(str(shutil.which("uv"))).resolve())
    here = {"UV_OFFLINE": "1", "UV_FIND_LINKS": str(bare.root / "wheels"), "UV_CACHE_DIR": str(tmp_path / "cache")}
    ended = bare.run("play", **here, PIP_FIND_LINKS="/nowhere")
    assert (ended.code, ended.out) == (0, PLAYED), ended.err
    assert not list((bare.root / ".venv").glob("lib/*/site-packages/pip"))


def test_without_ensurepip_the_sentence_names_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "ensurepip" else name)
    with pytest.raises(environment.Trouble, match=r"apt install python3\.\d+-venv"):
        environment.create()


def test_a_colon_in_the_path_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ROOT", tmp_path / f"a{os.pathsep}b")
    with pytest.raises(environment.Trouble, match="in its path"):
        environment.create()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ROOT", tmp_path / "missing")
    with pytest.raises(environment.Trouble, match="must be able to write"), environment.only_one():
        pass


@pytest.mark.alone
def test_the_second_start_adds_little(ready: Project) -> None:
    def seconds(*command: str | Path) -> float:
        begun = time.perf_counter()
        assert ready.run(*command).code == 0
        return time.perf_counter() - begun

    through = min(seconds("play") for _ in range(5))
    straight = min(seconds(".venv/bin/python", "-P", ready.root / "src/sandtable/__main__.py") for _ in range(5))
    assert through - straight <= 0.3
