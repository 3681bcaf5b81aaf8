"""What has been done in a match: its rows, and which of them can still be taken back."""

from __future__ import annotations

from dataclasses import dataclass, field

from sandtable.protocol.offers import Offers

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
    rolls: int = 0
    offers: Offers = field(default_factory=Offers)
    has_named_faces: bool = False  # some roll was named by hand

    def copy(self) -> Past:
        return Past(
            list(self.rows), set(self.dropped), self.barrier, self.rolls, self.offers.copy(), self.has_named_faces
        )

    def standing(self, until: int | None = None) -> list[int]:
        """Rows that still count, before this one: neither taken back nor words to the match."""
        rows = self.rows if until is None else self.rows[:until]
        return [
            n for n, row in enumerate(rows)
            if n not in self.dropped and not row.text.startswith(TAKEBACK) and row.text not in MATCH_WORDS
        ]  # fmt: skip

    def actions_of(self, seat: int | None) -> list[int]:
        """Rows with a seat's actions (or anybody's) that still count."""
        return [n for n in self.standing() if not self.rows[n].is_roll and seat in (None, self.rows[n].seat)]

    def close(self) -> None:
        """Nothing so far is taken back any more."""
        self.barrier = len(self.rows)
