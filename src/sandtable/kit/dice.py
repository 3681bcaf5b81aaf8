"""Numbers drawn by chance: a fast counter-based generator, and the three sources a match can roll from.

The generator is Philox 2×32 with 10 rounds (Salmon and others, 2011). It is the one place with unsigned arithmetic:
every number in it goes through `u64`, since uint64 beside a plain literal turns signed, and a signed product that
overflows is not the same compiled and interpreted.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sandtable.kit.kernel import i64, kernel, u64

MASK_32 = 0xFFFFFFFF
MASK_63 = 0x7FFFFFFFFFFFFFFF
MULTIPLIER = 0xD256D193
WEYL = 0x9E3779B9
SEEDED = -1  # an outcome too large to list is itself a 63-bit seed


@kernel
def philox(low, high, key):
    """Philox2x32-10 of the counter (low, high): 64 unsigned bits whose upper half is the first word."""
    first = u64(low)
    second = u64(high)
    turned = u64(key)
    for _ in range(10):
        product = u64(MULTIPLIER) * first
        first = (product >> u64(32)) ^ turned ^ second
        second = product & u64(MASK_32)
        turned = (turned + u64(WEYL)) & u64(MASK_32)
    return (first << u64(32)) | second


@kernel
def draw_at(seed, n):
    """The n-th number of a 63-bit seed: 63 bits, never negative."""
    return i64(philox(n & MASK_32, (seed >> 32) & MASK_32, seed & MASK_32) >> u64(1))


@kernel
def below(draw, k):
    """A whole number from 0 to k − 1 out of a draw's upper 32 bits (k < 2³¹; uneven by less than k in 2³²)."""
    return ((draw >> 31) * k) >> 32


class DiceSource(Protocol):
    """Where a match's rolls come from: row is the roll's row in the match file, nth counts the rolls before it."""

    @property
    def name(self) -> str: ...

    def outcome(self, row: int, nth: int, k: int, salt: bytes = b"") -> int: ...


@dataclass(frozen=True)
class SeedDice:
    """Reproducible dice for tests, measurements and games at home."""

    seed: int

    @property
    def name(self) -> str:
        return f"seed {self.seed}"

    def outcome(self, row: int, nth: int, k: int, salt: bytes = b"") -> int:
        drawn = draw_at(self.seed & MASK_63, nth)
        return drawn if k == SEEDED else below(drawn, k)


@dataclass
class ScriptedDice:
    """Named outcomes first, in order; afterwards another source, or none."""

    outcomes: Sequence[int]
    after: DiceSource | None
    used: int = 0

    @property
    def name(self) -> str:
        return "faces"

    def outcome(self, row: int, nth: int, k: int, salt: bytes = b"") -> int:
        if self.used < len(self.outcomes):
            self.used += 1
            return self.outcomes[self.used - 1]
        if self.after is None:
            raise LookupError("the scripted dice are used up")
        return self.after.outcome(row, nth, k, salt)


@dataclass(frozen=True)
class SealedDice:
    """A table's dice: the digest of the secret is published before anyone sits down, the secret when all is over."""

    secret: bytes  # 16 to 64 bytes
    match: str  # up to 40 letters, digits, _ and -
    seat_seeds: Sequence[bytes]  # up to 64 bytes each

    def __post_init__(self) -> None:
        """Only what can stand in a match file."""
        if not 16 <= len(self.secret) <= 64:
            raise ValueError(f"a secret has 16 to 64 bytes, not {len(self.secret)}")
        if not re.fullmatch("[0-9A-Za-z_-]{1,40}", self.match):
            raise ValueError(f"a match is named by up to 40 letters, digits, _ and -, not {self.match!r}")
        if any(len(seed) > 64 for seed in self.seat_seeds):
            raise ValueError("a seat's seed has at most 64 bytes")

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def name(self) -> str:
        return f"seal {self.commitment}"

    def outcome(self, row: int, nth: int, k: int, salt: bytes = b"") -> int:
        index = 0
        while True:
            digest = self.digest(row, index, salt)
            if k == SEEDED:
                return int.from_bytes(digest[:8], "big") >> 1
            limit = 2**32 // k * k
            for start in range(0, 32, 4):
                word = int.from_bytes(digest[start : start + 4], "big")
                if word < limit:
                    return word % k
            index += 1

    def digest(self, row: int, index: int, salt: bytes) -> bytes:
        """HMAC-SHA256 over length-prefixed fields, so that no two lists of fields read alike."""
        fields = [self.match.encode(), str(row).encode(), str(index).encode(), *self.seat_seeds, salt]
        message = b"".join(len(part).to_bytes(4, "big") + part for part in fields)
        return hmac.new(self.secret, message, hashlib.sha256).digest()
