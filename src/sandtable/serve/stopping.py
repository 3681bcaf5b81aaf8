"""How a server ends: Ctrl-C, SIGTERM and SIGHUP ask it to, a second Ctrl-C does not ask, and time is short."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType

SIGNALS = [name for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
LONGEST_S = 2.6  # from the signal to the end, whatever hangs
FORCED, LATE = 130, 1


class Stopping:
    """While this is open, signals set `is_wanted` and call `stop` once. What was acked is stored in any case."""

    def __init__(self, longest_s: float = LONGEST_S) -> None:
        self.is_wanted = False
        self.stop: Callable[[], None] = lambda: None
        self._longest_s = longest_s
        self._asked, self._ended = threading.Event(), threading.Event()
        self._before: dict[signal.Signals, object] = {}

    def __enter__(self) -> Stopping:
        if threading.current_thread() is threading.main_thread():
            for number in (getattr(signal, name) for name in SIGNALS):
                if signal.getsignal(number) is not signal.SIG_IGN:  # `nohup sandtable serve &` means it
                    self._before[number] = signal.signal(number, self._handle)
        threading.Thread(target=self._watch, name="stopping", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        self._ended.set()
        self._asked.set()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.is_wanted:
            if number == signal.SIGINT:
                os._exit(FORCED)
            return
        self.is_wanted = True
        self._asked.set()
        self.stop()

    def _watch(self) -> None:
        """In a thread of its own: it also ends a loop that is stuck."""
        self._asked.wait()
        if not self._ended.wait(self._longest_s):
            os._exit(LATE)
