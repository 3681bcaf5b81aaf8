"""Machine code that comes while people play: a niced child compiles, a thread here takes over what is finished."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandtable.protocol.engine import Engine

LOOK_EVERY = 1.0  # seconds
FIRST_LOOK = 0.5  # the first board comes first: loading the compiler keeps a core busy for half a second


class Takeover:
    """While this is open, the engine's slots turn from interpreted to compiled as the child finishes them.

    Both give the same bytes, so it does not matter when. The child is left to finish when the game ends: it is niced,
    and the next start finds everything there.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Takeover:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()  # a thread inside the compiler must not meet the end of the program

    def _look(self) -> None:
        try:
            self._engine.compile_in_background()
            taken, wait, compiling = 0, FIRST_LOOK, True
            while compiling and not self._engine.is_compiled and not self._ended.wait(wait):
                compiling = self._engine.is_compiling
                if sum(1 for _ in self._engine.folder.glob("*.done")) > taken:
                    taken = self._engine.take_stored()
                wait = LOOK_EVERY
        except Exception:  # no compiler on this machine, no room on the disk: the game goes on interpreted
            return
