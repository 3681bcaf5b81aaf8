"""A machine player that keeps its processor busy for as long as a choice may take, and then plays anything."""

from __future__ import annotations

import time
from typing import Any

BUSY_S = 3.0


class Burner:
    def choose(self, position: Any, seat: int) -> str:
        end = time.monotonic() + BUSY_S
        while time.monotonic() < end:
            sum(range(1_000))
        return str(position.actions(seat)[0])
