"""What the two kinds of players have in common: a match is played, then the next one; what came of it is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Tally:
    """What a round counts. Only what is answered while `is_on` counts."""

    is_on: bool = False
    waits: list[float] = field(default_factory=list)  # seconds from a move to its answer
    faults: list[str] = field(default_factory=list)
    matches: int = 0
    stale: int = 0  # commands that had to be sent again

    def note(self, seconds: float) -> None:
        if self.is_on:
            self.waits.append(seconds)

    def fault(self, sentence: str) -> None:
        self.faults.append(sentence)


def waits(seconds: Sequence[float]) -> dict[str, float]:
    """From sending a move to its answer, in milliseconds."""
    ordered = sorted(seconds) or [0.0]

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 2)

    return {"p50_ms": at(0.5), "p99_ms": at(0.99)}


class Pair:
    """Two players of one match at a time."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.is_running = False  # moves may be sent
        self.is_over = False
        self.frames = 0  # checked
        self._changing: asyncio.Task[None] | None = None

    @property
    def is_playing(self) -> bool:
        return self.is_running and not self.is_over

    def next_match(self) -> None:
        """This one is over: check it, sit down to the next one."""
        if self._changing is None or self._changing.done():
            self._changing = asyncio.create_task(self._change())

    async def _change(self) -> None:
        try:
            self.tally.matches += 1
            await self._settle()
            self.frames += await self.check()
            self.stand_up()
            if self.is_running:
                await self.sit()
                self.go()
        except Exception as error:
            self.tally.fault(f"{type(error).__name__}: {error}")

    async def finish(self) -> None:
        """No more moves; what is on its way arrives, then the last match is checked too."""
        self.is_running = False
        if self._changing is not None:
            await self._changing
        if self.is_over:
            return
        await self._settle()
        self.frames += await self.check()
        self.stand_up()

    async def _settle(self) -> None:
        """The last move is answered, and both have been told of it."""
        for _ in range(5_000):
            if self.is_idle:
                break
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)

    # ---- what each kind does its own way

    @property
    def is_idle(self) -> bool:
        raise NotImplementedError

    async def sit(self) -> None:
        raise NotImplementedError

    def go(self) -> None:
        raise NotImplementedError

    async def check(self) -> int:
        raise NotImplementedError

    def stand_up(self) -> None:
        raise NotImplementedError
