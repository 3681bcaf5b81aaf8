"""What the documents say is so: examples run, links lead somewhere, the picture is the one drawn today."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sandtable
from sandtable import draw

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("src/sandtable/games/*/RULES.md"))]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "bench").glob("*.md")]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_run(path: Path) -> None:
    text = path.read_text("utf-8")
    failed, tried = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried or ">>>" not in text


@pytest.mark.parametrize("name", ["play", "plot", "bot"])
def test_examples_folder_runs(name: str) -> None:
    path = ROOT / "examples" / f"{name}.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 4
    assert len(path.read_text("utf-8").splitlines()) <= 15


def test_readme_begins_with_the_two_commands_and_a_typed_game() -> None:
    first_screen = "\n".join((ROOT / "README.md").read_text("utf-8").splitlines()[:40])
    for wanted in ("./play", "./test", ">>> import sandtable"):
        assert wanted in first_screen


def test_the_picture_is_the_one_drawn_today() -> None:
    position = sandtable.game("tactics").read((ROOT / "docs" / "tactics.txt").read_text("utf-8"))
    assert (ROOT / "docs" / "tactics.svg").read_text("utf-8") == draw.svg(position.view(None), width=640)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8")):
        assert (path.parent / link).exists(), link
