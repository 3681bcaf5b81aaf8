"""Files: written whole or not at all, read with a limit, and every bad one a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import sandtable
from sandtable.cli import files
from sandtable.protocol.errors import SandtableError
from tests.cli.conftest import Command


@pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace"])
def test_control_c_while_saving_leaves_the_old_file(
    command: Command, match_file: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    before = match_file.read_bytes()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(failing, interrupt)
    ended = command("play", "--scenario", "classic", "--seed", "7", typed=["attack", f"save {match_file}", "quit"])
    assert ended.code == 130
    assert match_file.read_bytes() == before
    assert [path.name for path in match_file.parent.iterdir()] == [match_file.name]


def test_a_full_disk_leaves_the_old_file(match_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = match_file.read_bytes()

    def fill(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fill)
    with pytest.raises(OSError, match="No space left") as caught:
        files.write_text(str(match_file), "new")
    assert caught.value.filename == str(match_file)
    assert match_file.read_bytes() == before
    assert len(list(match_file.parent.iterdir())) == 1


def test_a_match_is_saved_over_a_match_and_over_nothing_else(command: Command, match_file: Path) -> None:
    note = match_file.with_name("note.txt")
    note.write_text("buy bread", "utf-8")
    before = match_file.read_bytes()
    typed = ["attack", f"save {note}", f"save {match_file}", f"save {match_file.parent}", "save /no/where", "quit"]
    ended = command("play", "--scenario", "classic", "--seed", "7", typed=typed)
    said = " ".join(ended.out.split())
    assert ended.code == 0
    assert "is no match; choose another name" in said
    assert "is no file to write to" in said
    assert "/no/where: No such file or directory" in said
    assert note.read_text("utf-8") == "buy bread"
    assert match_file.read_bytes() != before
    assert sandtable.read_match(match_file.read_text("utf-8")).start.scenario == "classic"


def test_a_link_stays_a_link(match_file: Path) -> None:
    link = match_file.with_name("link.txt")
    link.symlink_to(match_file)
    files.write_text(str(link), "new")
    assert link.is_symlink()
    assert match_file.read_text("utf-8") == "new"


def test_names_may_begin_with_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert files.write_text("~/a b.txt", "x") == (tmp_path / "a b.txt").resolve()


@pytest.fixture(
    params=["huge", "binary", "empty", "folder", "missing", "cut", "changed", "other", "nameless", "device"]
)
def bad_file(request: pytest.FixtureRequest, tmp_path: Path, match_file: Path) -> str:
    path, text = tmp_path / "bad.txt", match_file.read_text("utf-8")
    if request.param == "huge":
        path.write_text(text + "x" * files.LONGEST_MATCH, "utf-8")
    elif request.param == "folder":
        path.mkdir()
    elif request.param == "nameless":
        return "\0"
    elif request.param == "device":
        return "/dev/zero"
    elif request.param != "missing":
        content = {
            "binary": b"\x00\xff\x80" * 50,
            "empty": b"",
            "cut": text[: len(text) // 2].encode(),
            "changed": text.replace(" attack", " defend").encode(),
            "other": text.replace("tactics 1", "tactics 2").encode(),
        }
        path.write_bytes(content[request.param])
    return str(path)


@pytest.mark.parametrize("words", [("show",), ("verify",), ("play", "--load"), ("book", "tactics")])
def test_a_bad_file_is_one_sentence(command: Command, words: tuple[str, ...], bad_file: str) -> None:
    if words[0] == "book" and Path(bad_file).is_file() and not Path(bad_file).stat().st_size:
        return  # an empty book changes nothing
    ended = command(*words, bad_file)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"sandtable {words[0]}: ")
    assert ended.err.count("\n") == 1


def test_another_rules_version_is_named(command: Command, match_file: Path) -> None:
    match_file.write_text(match_file.read_text("utf-8").replace("game tactics 1", "game tactics 2"), "utf-8")
    assert "this file was played under version 2" in command("show", match_file).err


@pytest.mark.parametrize(
    "content",
    [
        "[numbers]\ndraw_after = 0",
        "[numbers]\nnothing = 1",
        "numbers = 1",
        "x = " + "[" * 9000,
        "x = " + "9" * 9000,
        "= 1",
    ],
)
def test_a_bad_book_is_one_sentence(command: Command, tmp_path: Path, content: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(content, "utf-8")
    for words in (("book", "tactics", path), ("play", "--book", path)):
        ended = command(*words)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.count("\n") == 1
        assert "mine.toml" in ended.err


def test_lines_may_end_as_windows_ends_them(match_file: Path) -> None:
    match_file.write_bytes(match_file.read_bytes().replace(b"\n", b"\r\n"))
    assert files.read_match(str(match_file)).outcome is not None


def test_errors_name_the_file(match_file: Path) -> None:
    match_file.write_text("", "utf-8")
    with pytest.raises(SandtableError, match=r"match\.txt: line 1"):
        files.read_match(str(match_file))
