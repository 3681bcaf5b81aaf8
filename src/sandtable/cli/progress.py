"""A progress bar on stderr: one line, drawn only when waiting takes long enough to be noticed."""

from __future__ import annotations

import sys
import time
from types import TracebackType

WIDTH = 30
PATIENCE = 0.3  # seconds before anything is shown
EVERY = 0.1  # seconds between two drawings


class Progress:
    """`with Progress("Compiling") as tell: tell(3, 10, "apply")`.

    On a terminal a bar that erases itself; in a file or a pipe one line at the start and one at the end.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._out = sys.stderr
        self._is_terminal = self._out is not None and self._out.isatty()
        self._begun = time.monotonic()
        self._drawn = 0.0  # when; 0: nothing is shown yet

    def __enter__(self) -> Progress:
        return self

    def __call__(self, done: int, total: int, now: str = "") -> None:
        """So much is done of so much; `now` names what is being worked on."""
        moment = time.monotonic()
        if self._out is None or moment - self._begun < PATIENCE or moment - self._drawn < EVERY:
            return
        if self._is_terminal:
            filled = WIDTH * done // max(total, 1)
            bar = "#" * filled + "." * (WIDTH - filled)
            print(f"\r\x1b[K{self.what} [{bar}] {done} of {total} {now[:20]}", end="", file=self._out, flush=True)
        elif not self._drawn:
            print(f"{self.what} …", file=self._out, flush=True)
        self._drawn = moment

    def compiling(self, slot: str, done: int, total: int) -> None:
        """The form in which an engine reports."""
        self(done, total, slot)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._drawn:
            return
        if self._is_terminal:
            print("\r\x1b[K", end="", file=self._out, flush=True)
        elif error is None:
            print(f"{self.what}: done in {time.monotonic() - self._begun:.1f} s", file=self._out, flush=True)
