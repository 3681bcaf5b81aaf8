"""Token buckets: so many at once, and so many a second for as long as you like. Kept in memory, and bounded there."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from sandtable.serve.figures import Rate

Clock = Callable[[], float]
MOST_KEYS = 20_000  # guests or addresses one kind of bucket remembers, about 4 MB


class Bucket:
    """Tokens that come back at a steady rate."""

    __slots__ = ("_at", "_clock", "_rate", "tokens")

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._rate, self._clock = rate, clock
        self.tokens, self._at = rate.burst, clock()

    def wait(self, cost: float = 1.0) -> float:
        """Seconds until there is enough; 0 if there is."""
        now = self._clock()
        self.tokens = min(self._rate.burst, self.tokens + (now - self._at) * self._rate.per_s)
        self._at = now
        missing = cost - self.tokens
        return missing / self._rate.per_s if missing > 1e-9 else 0.0

    def take(self, cost: float = 1.0) -> None:
        """More than there is may be taken: what a thing costs is sometimes known only afterwards."""
        self.wait()
        self.tokens -= cost

    @property
    def is_full(self) -> bool:
        self.wait()
        return self.tokens >= self._rate.burst


class Buckets:
    """A bucket for every key. Full ones are forgotten, and the one used longest ago when there are too many."""

    def __init__(self, rate: Rate, clock: Clock, most: int = MOST_KEYS) -> None:
        self._rate, self._clock, self._most = rate, clock, most
        self._held: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def wait(self, key: str, cost: float = 1.0) -> float:
        bucket = self._held.get(key)
        return bucket.wait(cost) if bucket else 0.0

    def take(self, key: str, cost: float = 1.0) -> None:
        bucket = self._held.pop(key, None) or Bucket(self._rate, self._clock)
        self._held[key] = bucket
        bucket.take(cost)
        self._forget()

    def _forget(self) -> None:
        """Two at a time are enough: no more than one came."""
        for _ in range(2):
            eldest = next(iter(self._held.values()))
            if not eldest.is_full and len(self._held) <= self._most:
                return
            self._held.popitem(last=False)
            if not self._held:
                return
