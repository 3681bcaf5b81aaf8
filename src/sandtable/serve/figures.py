"""How much is allowed, in figures; limits.py counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second for as long as you like."""

    burst: float
    per_s: float


@dataclass(frozen=True)
class Figures:
    """What is allowed. Behind one address live families and schools, so it may do about ten times what a guest may."""

    guest_commands: Rate = Rate(20, 5)
    address_commands: Rate = Rate(200, 50)
    socket_messages: Rate = Rate(60, 20)  # whatever a socket sends: a press asks for options, previews, overlays
    address_requests: Rate = Rate(200, 40)  # of /api and of handshakes
    address_guesses: Rate = Rate(10, 10 / 60)  # IDs nobody has
    address_newcomers: Rate = Rate(60, 0.5)  # guests that get a row in the database
    guest_tables: Rate = Rate(30, 0.1)
    address_tables: Rate = Rate(300, 1)
    guest_thinking: Rate = Rate(600, 600 / 3_600)  # seconds of machines
    sockets_a_guest: int = 10
    sockets_an_address: int = 50
    open_tables_a_guest: int = 20

    @staticmethod
    def wide() -> Figures:
        """No limits worth the name: for measurements, where one address plays every guest."""
        rate, count = Rate(1e9, 1e9), 1_000_000
        return Figures(rate, rate, rate, rate, rate, rate, rate, rate, rate, count, count, count)
