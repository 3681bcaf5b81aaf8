"""Who is served next: round robin by who pays, so that nobody's hundred jobs stand before another's one."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Generic, TypeVar

Item = TypeVar("Item")


class FairQueue(Generic[Item]):
    """One line for each payer, served in turn; it says so when it is full."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lines: dict[str, deque[Item]] = {}  # in the order in which they are served
        self._urgent: deque[Item] = deque()  # second tries: their turn has come before
        self._any = asyncio.Event()

    def __len__(self) -> int:
        return len(self._urgent) + sum(map(len, self._lines.values()))

    def put(self, payer: str, item: Item) -> bool:
        """False when it is full."""
        if len(self) >= self._most:
            return False
        self._lines.setdefault(payer, deque()).append(item)
        self._any.set()
        return True

    def put_first(self, item: Item) -> None:
        """What was taken and could not be done: it goes before everything else and is never turned away."""
        self._urgent.append(item)
        self._any.set()

    def take(self) -> Item | None:
        """The next one, if there is any."""
        if self._urgent:
            item = self._urgent.popleft()
        elif self._lines:
            payer = next(iter(self._lines))
            line = self._lines.pop(payer)
            item = line.popleft()
            if line:
                self._lines[payer] = line  # behind all others
        else:
            return None
        if not self._urgent and not self._lines:
            self._any.clear()
        return item

    def drop(self, payer: str, item: Item) -> bool:
        """Somebody does not wait any longer. False if it was not in here."""
        line = self._urgent if item in self._urgent else self._lines.get(payer)
        if line is None or item not in line:
            return False
        line.remove(item)
        if not self._lines.get(payer, True):
            del self._lines[payer]
        if not self._urgent and not self._lines:
            self._any.clear()
        return True

    async def wait(self, seconds: float) -> bool:
        """Until something is in it, or so long."""
        try:
            async with asyncio.timeout(seconds):
                await self._any.wait()
        except TimeoutError:
            return False
        return True
