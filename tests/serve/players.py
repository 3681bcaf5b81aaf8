"""Players no server wants: they burn, hang, die, lie, eat memory. Loaded by the workers as FILE.py:CLASS."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any


class Honest:
    """Some action, drawn by Python's own source."""

    def choose(self, position: Any, seat: int) -> str:
        return str(random.choice(position.actions()))


class Told:
    """Tells what it was given, as an illegal answer or by raising."""

    def choose(self, position: Any, seat: int) -> str:
        raise ValueError(f"dice={position.dice} rows={len(position.rows)} map={position.start.map_seed}")


class Slow:
    """Half a second of hard work, then an action."""

    def choose(self, position: Any, seat: int) -> str:
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            pass
        return str(position.actions()[0])


class Burner:
    def choose(self, position: Any, seat: int) -> str:
        while True:
            pass


class Sleeper:
    def choose(self, position: Any, seat: int) -> str:
        while True:
            time.sleep(60)


class Deaf(Sleeper):
    """Does not listen to SIGTERM either."""

    def choose(self, position: Any, seat: int) -> str:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return super().choose(position, seat)


class Dying:
    def choose(self, position: Any, seat: int) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return "never"


class Leaver:
    def choose(self, position: Any, seat: int) -> str:
        os._exit(0)


class Quitter:
    def choose(self, position: Any, seat: int) -> str:
        sys.exit("enough")


class Raiser:
    def choose(self, position: Any, seat: int) -> str:
        raise RuntimeError("a fault of its own\nin two lines")


class Liar:
    def choose(self, position: Any, seat: int) -> str:
        return "a1-h8"


class Babbler:
    def choose(self, position: Any, seat: int) -> Any:
        return {"not": ["an", "action"]}


class Windbag:
    def choose(self, position: Any, seat: int) -> str:
        return "e" * 10_000_000


class Disguise(str):
    """A text that would be made anew, by its own rules, wherever it arrives."""

    def __reduce__(self) -> Any:
        return os.kill, (os.getppid(), signal.SIGKILL)


class Smuggler:
    def choose(self, position: Any, seat: int) -> str:
        return Disguise(position.actions()[0])


class Glutton:
    def choose(self, position: Any, seat: int) -> str:
        eaten = []
        while True:
            eaten.append(bytearray(1 << 26))


class Fat:
    """Keeps 80 MB for ever, legally."""

    eaten: list[bytes] = []  # noqa: RUF012

    def choose(self, position: Any, seat: int) -> str:
        sys.modules.setdefault("eaten", type(sys)("eaten")).__dict__.setdefault("by", []).append(b"x" * 80_000_000)
        return str(position.actions()[0])


class Once:
    """Dies the first time it is asked in this folder, plays afterwards."""

    def choose(self, position: Any, seat: int) -> str:
        mark = Path(os.environ["SANDTABLE_TEST_MARK"])
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return str(position.actions()[-1])


class Chatter:
    def choose(self, position: Any, seat: int) -> str:
        print("look at me")
        print("and me", file=sys.stderr)
        return str(position.actions()[0])


class Process:
    """Tells about its process."""

    def choose(self, position: Any, seat: int) -> str:
        import resource

        raise ValueError(f"{os.getpid()} {os.nice(0)} {resource.getrlimit(resource.RLIMIT_AS)[0]}")
