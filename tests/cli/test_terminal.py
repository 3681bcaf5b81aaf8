"""The command as a person starts it: a process of its own, at a real terminal or at none."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandtable

pty = pytest.importorskip("pty", reason="terminals as POSIX knows them")

SRC = Path(sandtable.__file__).parents[1]
SANDTABLE = [sys.executable, "-P", "-m", "sandtable"]
BRIEF = ("play", "tactics", "--scenario", "brief", "--seed", "1")
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def variables(**more: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT", "TMPDIR") if name in os.environ}
    return kept | {"PYTHONPATH": str(SRC), "SANDTABLE_COMPILE": "0", "PYTHONUTF8": "1", "TERM": "xterm"} | more


class Terminal:
    """A person at a terminal: waits for words, types lines."""

    def __init__(self, *words: str, **more: str) -> None:
        self.screen, self._keys = "", -1
        self.pid, self._keys = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # what runs in a shell's background inherits it ignored
            os.execve(SANDTABLE[0], [*SANDTABLE, *words], variables(**more))
        self._code: int | None = None

    def see(self, wanted: str, seconds: float = 20.0) -> str:
        """Wait until the screen shows this; everything up to there, and from now on only what comes after."""
        end = time.monotonic() + seconds
        while not (found := re.search(wanted, self.screen)):
            assert time.monotonic() < end, f"no {wanted!r} in:\n{self.screen}"
            assert self._read(), f"it ended without {wanted!r}:\n{self.screen}"
        seen, self.screen = self.screen[: found.end()], self.screen[found.end() :]
        return seen

    def type(self, line: str) -> None:
        os.write(self._keys, f"{line}\n".encode())

    def press(self, key: bytes) -> None:
        """As a person would, a moment after the prompt: readline misses what comes while it sets itself up."""
        time.sleep(0.3)
        os.write(self._keys, key)

    def end(self) -> int | None:
        """What the shell is told when it is over."""
        if self._code is None:
            while self._read():
                pass
            assert self._has_ended(), f"it waits for more:\n{self.screen}"
        return self._code

    def _has_ended(self) -> bool:
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if not pid:  # the terminal may close a moment before the process is gone
            time.sleep(0.5)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid:
            self._code = os.waitstatus_to_exitcode(status)
        return bool(pid)

    def close(self) -> None:
        if self._code is None:
            os.kill(self.pid, 9)
            os.waitpid(self.pid, 0)
        os.close(self._keys)

    def _read(self) -> bool:
        if not select.select([self._keys], [], [], 5)[0]:
            return False
        try:
            content = os.read(self._keys, 65536)
        except OSError:  # how Linux says that the other end is closed
            return False
        self.screen += content.decode("utf-8", "replace").replace("\r", "")
        return bool(content)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def start(terminals: list[Terminal], *words: str, **more: str) -> Terminal:
    terminals.append(Terminal(*words, **more))
    return terminals[-1]


def test_a_whole_game(terminals: list[Terminal], tmp_path: Path) -> None:
    terminal = start(terminals, *BRIEF)
    seen = terminal.see("White> ")
    assert "\x1b[" in seen  # colour
    assert "Opening roll" in seen
    turns = 0
    while "over" not in (prompt := terminal.see("> ") if turns else seen):
        assert turns < 60, "the machine never wins"
        actions = "attack" if "choose to attack" in CODES.sub("", prompt) else "end"
        terminal.type(actions)
        turns += 1
    path = tmp_path / "match.txt"
    terminal.type(f"save {path}")
    terminal.see("Saved: ")
    terminal.type("quit")
    assert terminal.end() == 0
    match = sandtable.read_match(path.read_text("utf-8"))
    assert match.verify().ok
    assert match.outcome is not None


def test_no_colour_where_it_is_not_wanted(terminals: list[Terminal]) -> None:
    terminal = start(terminals, *BRIEF, NO_COLOR="1")
    assert "\x1b[3" not in terminal.see("White> ")


def test_control_c_at_the_prompt(terminals: list[Terminal]) -> None:
    terminal = start(terminals, *BRIEF)
    terminal.see("White> ")
    terminal.press(b"\x03")
    assert terminal.end() == 130
    assert "Traceback" not in terminal.screen


def test_control_d_leaves(terminals: list[Terminal]) -> None:
    terminal = start(terminals, *BRIEF)
    terminal.see("White> ")
    terminal.press(b"\x04")
    assert terminal.end() == 0
    assert "You leave the table." in terminal.screen


def test_the_next_person_finds_a_cleared_screen(terminals: list[Terminal]) -> None:
    terminal = start(terminals, "play", "--seed", "3", "--seat", "me", "--seat", "me")
    for prompt, line in (("Black> ", "defend"), ("Black> ", "random"), ("Black> ", "ready")):
        terminal.see(prompt)
        terminal.type(line)
    terminal.see(re.escape("\x1b[2J\x1b[3J\x1b[H"))
    terminal.see("Press Enter when you sit down. ")
    terminal.type("")
    assert "░" in terminal.see("White> ")


def test_show_at_a_terminal(terminals: list[Terminal], match_file: Path) -> None:
    terminal = start(terminals, "show", str(match_file))
    terminal.see("0/[0-9]+> ")
    terminal.type("n")
    terminal.see("1/[0-9]+> ")
    terminal.type("q")
    assert terminal.end() == 0


@pytest.mark.alone
def test_the_first_reply_ever_comes_within_three_seconds(terminals: list[Terminal], tmp_path: Path) -> None:
    """Nothing is compiled yet; a child compiles beside it, and lives on. Later starts find what it has left."""
    slots = len(sandtable.game("tactics").engine.kind)
    for limit in (3.0, 1.5):
        began = time.monotonic()
        words = ("play", "--scenario", "classic", "--seed", "7")
        terminal = start(terminals, *words, SANDTABLE_COMPILE="auto", SANDTABLE_CACHE=str(tmp_path))
        terminal.see("White> ")
        terminal.type("attack")
        terminal.see("White> ")
        terminal.type("end")
        terminal.see("Black: ")
        assert time.monotonic() - began < limit
        terminal.see("White> ")
        terminal.type("quit")
        assert terminal.end() == 0
        while len(list(tmp_path.glob("*/*.done"))) < slots:
            time.sleep(0.2)
            assert time.monotonic() - began < 90, "the child does not finish"


@pytest.mark.parametrize("stdin", ["</dev/null", "<&-", "</dev/null >&-"])
def test_without_a_terminal(stdin: str) -> None:
    command = f'exec "$@" {stdin}'
    done = subprocess.run(
        ["/bin/sh", "-c", command, "sh", *SANDTABLE, "play"],
        env=variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert ">&-" in stdin or "To play yourself" in done.stdout


def test_a_terminal_of_ascii_gets_ascii() -> None:
    done = subprocess.run(
        [*SANDTABLE, "play"],
        env=variables(PYTHONUTF8="0", PYTHONIOENCODING="ascii"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert b"+---+---+" in done.stdout


def test_a_reader_who_has_had_enough() -> None:
    process = subprocess.Popen(
        [*SANDTABLE, "rules", "tactics"],
        env=variables(PYTHONUNBUFFERED="1"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0
    process.stderr.close()
