"""A toy project with the real commands, whose packages are wheels made here: its set-up is real, quick and offline.

Most tests install with a uv in small, because making a pip takes seconds; those about pip take it away.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "import sys, numpy\nprint('played with', numpy.VERSION, sys.argv[1:], flush=True)\n"
FAKE_PYTEST = "import sys\nprint('pytest', sys.argv[1:])\nprint('3 passed, 1 skipped in 0.01s')\nsys.exit(0)\n"
UV = """\
import hashlib, pathlib, re, subprocess, sys, zipfile
python = pathlib.Path(sys.argv[sys.argv.index("--python") + 1])
if sys.argv[1] == "venv":
    sys.exit(subprocess.call([python, "-m", "venv", "--without-pip", sys.argv[-1]]))
lock = pathlib.Path(sys.argv[-1])
for name, version, digest in re.findall("(.*)==(.*) --hash=sha256:(.*)", lock.read_text()):
    wheel = lock.parent / "wheels" / f"{name}-{version}-py3-none-any.whl"
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() == digest
    zipfile.ZipFile(wheel).extractall(next(python.parents[1].glob("lib/*/site-packages")))
"""
collect_ignore_glob = ["test_*.py"] if os.name == "nt" else []  # the toy project is started through sh


@dataclass
class Project:
    """The toy project in its folder. `path` is the PATH of its commands: one Python and the small uv."""

    root: Path
    path: Path

    def variables(self, **more: str) -> dict[str, str]:
        wheels = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": (self.root / "wheels").as_uri(), "PIP_RETRIES": "0"}
        return {"PATH": str(self.path), "HOME": os.devnull, "PIP_CONFIG_FILE": os.devnull} | wheels | more

    def start(self, *command: str | Path, **more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.root / command[0], *command[1:]],
            env=self.variables(**more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def run(self, *command: str | Path, **more: str) -> Ended:
        process = self.start(*command, **more)
        out, err = process.communicate(timeout=120)
        return Ended(process.returncode, out, err)

    def lock(self, name: str, *wheels: Path) -> None:
        lines = [
            f"{wheel.name.split('-')[0]}=={wheel.name.split('-')[1]} --hash=sha256:{sha(wheel)}" for wheel in wheels
        ]
        (self.root / name).write_text("\n".join(lines) + "\n", "utf-8")

    def wheel(self, name: str, version: str, source: str) -> Path:
        """The smallest package there is: one module."""
        wheel = self.root / "wheels" / f"{name}-{version}-py3-none-any.whl"
        wheel.parent.mkdir(exist_ok=True)
        info = f"{name}-{version}.dist-info"
        files = {
            f"{name}.py": source,
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        files[f"{info}/RECORD"] = (
            "".join(f"{file},{record(text)}\n" for file, text in files.items()) + f"{info}/RECORD,,\n"
        )
        with zipfile.ZipFile(wheel, "w") as archive:
            for file, text in files.items():
                archive.writestr(zipfile.ZipInfo(file), text)
        return wheel


@dataclass
class Ended:
    code: int
    out: str
    err: str


def sha(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def record(text: str) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
    return f"sha256={digest},{len(text.encode())}"


def script(file: Path, text: str) -> Path:
    file.write_text("#!/bin/sh\n" + text, "utf-8")
    file.chmod(0o755)
    return file


def lay(folder: Path) -> Project:
    root = folder / "Übungs feld"
    root.mkdir()
    for name in ("play", "test"):
        shutil.copy(ROOT / name, root)
    shutil.copytree(ROOT / "tools", root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "src/sandtable").mkdir(parents=True)
    (root / "src/sandtable/__main__.py").write_text(SOURCE, "utf-8")
    path = folder / "path"
    path.mkdir()
    base = Path(sys.base_prefix, "bin", f"python3.{sys.version_info[1]}")  # not the tests' own environment
    script(path / "python3", f'exec "{base}" "$@"\n')
    (path / "uv").write_text(f"#!{base}\n{UV}", "utf-8")
    (path / "uv").chmod(0o755)
    project = Project(root, path)
    numpy = project.wheel("numpy", "1", "VERSION = 1\n")
    project.lock("requirements.lock", numpy)
    project.lock("requirements-test.lock", numpy, project.wheel("pytest", "1", FAKE_PYTEST))
    return project


@pytest.fixture
def bare(tmp_path: Path) -> Project:
    """Nothing is set up yet."""
    return lay(tmp_path)


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = lay(tmp_path_factory.mktemp("original"))
    ended = project.run("play")
    assert ended.code == 0, ended.err
    return project


@pytest.fixture
def ready(original: Project, tmp_path: Path) -> Project:
    """Set up for playing, moved since, and without network: its wheels are gone."""
    root = shutil.copytree(original.root, tmp_path / "moved here", symlinks=True)
    shutil.move(root / "wheels", tmp_path / "wheels")
    return Project(root, original.path)


@pytest.fixture
def online(ready: Project, tmp_path: Path) -> Project:
    """The same with its wheels."""
    shutil.move(tmp_path / "wheels", ready.root / "wheels")
    return ready
