"""Draws by agreement: an offer stands until every other seat has had a whole turn that began after it."""

from __future__ import annotations

from collections.abc import Sequence


class Offers:
    """Who offers a draw now. All seats still in: agreed."""

    def __init__(self) -> None:
        self._turns_begun: dict[int, set[int]] = {}  # offering seat → others whose turn began since

    @property
    def standing(self) -> tuple[int, ...]:
        return tuple(sorted(self._turns_begun))

    def copy(self) -> Offers:
        twin = Offers()
        twin._turns_begun = {seat: set(begun) for seat, begun in self._turns_begun.items()}
        return twin

    def offer(self, seat: int) -> None:
        self._turns_begun[seat] = set()

    def turn_begins(self, seat: int, seats: Sequence[int]) -> None:
        """Another turn: offers that every other of these seats has had a turn to answer are gone."""
        for offering, begun in list(self._turns_begun.items()):
            others = set(seats) - {offering}
            if others <= begun:
                del self._turns_begun[offering]
            elif seat != offering:
                begun.add(seat)
