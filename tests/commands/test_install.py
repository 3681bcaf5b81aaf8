"""The wheel holds all that the package is made of, and plays from a folder that knows nothing of the project."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.commands.conftest import ROOT


def run(folder: Path, *command: str | Path, **more: str) -> str:
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SANDTABLE"))}
    done = subprocess.run(
        command, cwd=folder, env=variables | more, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(ROOT, sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    source = ROOT / "src"
    files = (path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert {path.relative_to(source).as_posix() for path in files} <= set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_plays_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    run(tmp_path, sys.executable, "-m", "venv", "--without-pip", "v")
    site = next(tmp_path.glob("v/lib/*/site-packages"))
    zipfile.ZipFile(wheel).extractall(site)
    (site / "numpy and numba.pth").write_text(str(Path(pytest.__file__).parents[1]), "utf-8")
    (tmp_path / "empty").mkdir()
    python = tmp_path / "v/bin/python"
    assert run(tmp_path / "empty", python, "-P", "-m", "sandtable", "play", "tactics")


@pytest.mark.deep
def test_the_wheel_installs_with_pip(wheel: Path, tmp_path: Path) -> None:
    run(tmp_path, sys.executable, "-m", "venv", "v")
    pip = (tmp_path / "v/bin/python", "-m", "pip", "install", "--quiet")
    run(tmp_path, *pip, "--require-hashes", "-r", ROOT / "requirements.lock")
    run(tmp_path, *pip, "--no-deps", wheel)
    (tmp_path / "empty").mkdir()
    assert run(tmp_path / "empty", tmp_path / "v/bin/sandtable", "play", "tactics")


@pytest.mark.deep
@pytest.mark.parametrize(
    "with_uv", [False, pytest.param(True, marks=pytest.mark.skipif(not shutil.which("uv"), reason="no uv"))]
)
def test_a_clone_sets_itself_up_and_plays(tmp_path: Path, with_uv: bool) -> None:
    """The real thing: network on the first start, none on the second."""
    clone = tmp_path / "ein Klön"
    left = shutil.ignore_patterns(".*", "__pycache__")
    shutil.copytree(ROOT, clone, ignore=left)
    path = tmp_path / "path"
    path.mkdir()
    (path / "python3").symlink_to(Path(sys.base_prefix, "bin/python3"))
    if with_uv:
        (path / "uv").symlink_to(str(shutil.which("uv")))
    home = str(tmp_path) if with_uv else os.devnull  # without uv also without a home to write in
    assert run(tmp_path, clone / "play", PATH=str(path), HOME=home)
    nowhere = {f"{kind}_proxy": "http://127.0.0.1:9" for kind in ("http", "https", "all")}
    assert run(tmp_path, clone / "play", PATH=str(path), HOME=home, **nowhere)
