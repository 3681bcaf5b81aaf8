"""A real server as a process of its own, and guests: a browser window each, whose every complaint fails the test."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
STARTS_S, ENDS_S = 30.0, 8.0
# `sandtable serve`, but one address may play every guest. Not a file: workers would import it again.
SERVE = """
import sys
from pathlib import Path
from sandtable.serve.config import Config
from sandtable.serve.figures import Figures
from sandtable.serve.run import run
data, port, *origins = sys.argv[1:]
sys.exit(run(Config(Path(data), port=int(port), origins=tuple(origins), limits=Figures.wide(), workers=1)))
"""
# While a line is cut the browser itself complains; that is the test's doing and not the page's.
OUTAGE = r"WebSocket connection to .* failed|Failed to load resource: net::ERR_"
MISSING = r"Failed to load resource: the server responded with a status of (403|404|409)"
# The lines and the boards of a page, for tests to look at; what they do stays as it is.
WATCH = """
if (location.protocol.startsWith("http")) {
    window.lines = new Map();
    window.began = Math.random();
    void import("/web/net/socket.js").then(({Line}) => {
        const receive = Line.prototype.receive;
        Line.prototype.receive = function (message) { lines.set(this.seat, this); return receive.call(this, message) };
    });
    void import("/web/board/board.js").then(({Board}) => {
        const draw = Board.prototype.draw;
        Board.prototype.draw = function (...how) { window.board = this; return draw.apply(this, how) };
    });
}
"""


class Server:
    """`kill` and `start` again: the same folder at the same port, as after a power cut."""

    def __init__(self, data: Path, origins: tuple[str, ...] = (), port: int = 0) -> None:
        self.data, self.origins, self.port = data, origins, port
        self.process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def command(self) -> list[str]:
        return [sys.executable, "-P", "-c", SERVE, str(self.data), str(self.port), *self.origins]

    def start(self) -> Server:
        said = self.data.with_suffix(".said")
        with said.open("wb") as out:
            self.process = subprocess.Popen(
                self.command(),
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + STARTS_S
        while not (found := re.search(r"Sandtable is at (http://\S+:(\d+))", said.read_text("utf-8"))):
            assert self.process.poll() is None, said.read_text("utf-8")
            assert time.monotonic() < deadline, said.read_text("utf-8")
            time.sleep(0.02)
        self.url, self.port = found[1].rstrip("/"), int(found[2])
        return self

    def kill(self) -> None:
        """As when the power goes."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(ENDS_S)
        except subprocess.TimeoutExpired:
            self.kill()


class Wire:
    """A line to a server that can be cut, in the middle of a message too, or fall silent."""

    def __init__(self) -> None:
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self.server_port = 0
        self.is_up = True
        self._left = -1  # bytes to the browser until the cut; negative: no end
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            if not self.is_up:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.server_port))
            except OSError:
                near.close()
                continue
            self._ends += [near, far]
            for one, other, counts in ((near, far, False), (far, near, True)):
                threading.Thread(target=self._carry, args=(one, other, counts), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, counts: bool) -> None:
        try:
            while data := one.recv(65_536):
                if counts and self._left >= 0:
                    data, is_last = data[: self._left], len(data) >= self._left
                    self._left -= len(data)
                    other.sendall(data)
                    if is_last:
                        self.cut()
                        return
                else:
                    other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            end.close()

    def cut(self) -> None:
        """Everything that is open breaks, and nothing new comes through until `mend`."""
        self.is_up = False
        ends, self._ends = self._ends, []
        for end in ends:
            with contextlib.suppress(OSError):  # closed already
                end.shutdown(socket.SHUT_RDWR)

    def cut_after(self, count: int) -> None:
        """The server's next so many bytes arrive, then the line breaks."""
        self._left = count

    def mend(self) -> None:
        self._left, self.is_up = -1, True

    def close(self) -> None:
        self._door.close()
        self.cut()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("server") / "data").start()
    yield made
    made.end()


Guests = Callable[..., Any]


@pytest.fixture
def guests(browser: Any) -> Iterator[Guests]:
    """Makes a guest, a window with cookies of its own. `silly`: complaints of the browser that the test provokes."""
    contexts, wrong = [], list[str]()

    def listen(page: Any, silly: str) -> None:
        def told(text: str) -> None:
            if not (silly and re.search(silly, text)):
                wrong.append(text)

        page.on("pageerror", lambda error: told(str(error)))
        page.on("console", lambda message: told(message.text) if message.type == "error" else None)
        page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def guest(*, silly: str = "", watched: bool = True, still: bool = True, **how: Any) -> Any:
        settings = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce" if still else None} | how
        context = browser.new_context(**settings)
        contexts.append(context)
        context.set_default_timeout(10_000)
        if watched:
            context.add_init_script(WATCH)
        context.on("page", lambda page: listen(page, silly))
        return context.new_page()

    yield guest
    for context in contexts:
        context.close()
    assert wrong == []
