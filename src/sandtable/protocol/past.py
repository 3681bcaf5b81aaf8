"""What has been done in a match: its rows, and which of them can still be taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sandtable.protocol.offers import Offers

Array = np.ndarray[Any, Any]

RESIGN, DRAW, TAKEBACK, ROLL = "resign", "draw", "takeback", "roll"
MATCH_WORDS = (RESIGN, DRAW)  # said to the match, not to the rules


@dataclass(frozen=True)
class Row:
    """One line of the match file: an action, a roll (nobody's), a word to the match."""

    seat: int | None
    text: str
    salt: bytes = b""

    @property
    def is_roll(self) -> bool:
        return self.seat is None


@dataclass
class Past:
    """The rows so far. Behind `barrier` lie a roll, a reveal or another seat's turn: no row before it is taken back."""

    rows: list[Row] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)  # rows taken back
    barrier: int = 0
    at_barrier: Array | None = None  # the record as it stood there; None: the match's first
    rolls: int = 0
    offers: Offers = field(default_factory=Offers)
    has_named_faces: bool = False  # some roll was named by hand

    def copy(self) -> Past:
        return Past(  # at_barrier is never written to, so it is shared
            list(self.rows),
            set(self.dropped),
            self.barrier,
            self.at_barrier,
            self.rolls,
            self.offers.copy(),
            self.has_named_faces,
        )

    def open_rows(self) -> list[int]:
        """Rows behind the barrier that still count: neither taken back nor words to the match."""
        return [
            n for n in range(self.barrier, len(self.rows))
            if n not in self.dropped and not self.rows[n].text.startswith((TAKEBACK, *MATCH_WORDS))
        ]  # fmt: skip

    def actions_of(self, seat: int | None) -> list[int]:
        """Rows with a seat's actions (or anybody's) that could be taken back."""
        return [n for n in self.open_rows() if seat in (None, self.rows[n].seat)]

    def close(self, record: Array) -> None:
        """Nothing so far is taken back any more."""
        self.barrier = len(self.rows)
        self.at_barrier = record.copy()
