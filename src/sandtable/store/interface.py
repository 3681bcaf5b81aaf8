"""The storage as the rest of the house sees it: records, and what can be done with them.

A table is stored as its head, written once and changed rarely, and its entries, which are only ever added. An entry is
ONE command with every row of the match file it caused: all of them are stored, or none. Whatever is awaited here has
reached the disk when it returns. An `append` that was cancelled while it waited may have been stored all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict, Unpack

from sandtable.protocol.position import Row
from sandtable.store.errors import Closed, Conflict, Damaged, Newer, StoreError, Unfit, Unknown

__all__ = [
    "Changes", "Closed", "Conflict", "Damaged", "Entry", "Guest", "Kind", "Newer", "Row", "Seat", "State", "Store",
    "StoreError", "TableHead", "TableRecord", "Unfit", "Unknown",
]  # fmt: skip

Kind = Literal["guest", "machine", "open"]
State = Literal["open", "running", "over", "closed"]  # closed: it ended without a result


@dataclass(frozen=True)
class Seat:
    """Who sits where. A machine's `player` is the name it is found by."""

    kind: Kind = "open"
    guest: str = ""  # the guest's token hash
    player: str = ""
    seed: str = ""  # the seat's public seed for the dice, in hex


@dataclass(frozen=True)
class TableRecord:
    """A table without its entries. Only the fields of `Changes` ever change."""

    id: str
    game: str
    rules_version: int
    scenario: str
    book: str  # as in the head of a match file: "NAME DIGEST", then a line "set NUMBER VALUE" for each other number
    seats: tuple[Seat, ...]
    created_ms: int
    start: str = ""  # the position text, where the scenario does not ship with the game
    map_seed: int = 0
    machine_seed: int = 0
    secret: str = ""  # of the sealed dice, in hex; leaves the house when `opened`
    dice: str = ""  # of an imported match: its line "dice …" without that word; "" where the secret is the table's own
    host: str = ""  # the host's token hash
    listed: bool = True
    state: State = "open"
    result: str = ""  # as in a match file: "2 1 guard"
    opened: bool = False  # whether the secret was published
    rematch: str = ""  # the ID of the table that goes on with it
    to_act: tuple[int, ...] = ()  # seats that may act now


@dataclass(frozen=True)
class TableHead:
    """What the lobby knows of a table before it is first touched. No secret is in it."""

    id: str
    game: str
    scenario: str
    seats: tuple[Seat, ...]
    created_ms: int
    host: str
    listed: bool
    state: State
    result: str
    rematch: str
    to_act: tuple[int, ...]
    number: int  # how many entries there are; the next one's number
    touched_ms: int  # when the last of them came, or when the table was made


class Changes(TypedDict, total=False):
    """What may change about a table."""

    seats: tuple[Seat, ...]
    listed: bool
    state: State
    result: str
    opened: bool
    rematch: str
    to_act: tuple[int, ...]


@dataclass(frozen=True)
class Entry:
    """One command and all it caused. Entries are numbered 0, 1, 2 …; rows count on across them."""

    number: int
    seat: int | None  # None: nobody sent it (the opening roll, the clock)
    command_id: str  # once for each seat; "" where nobody can send it again
    rows: tuple[Row, ...]
    answer: str  # what was answered, in JSON: a repeated command gets it again
    at_ms: int


@dataclass(frozen=True)
class Guest:
    """A browser without account, known by a cookie of which only the hash is kept."""

    token_hash: str
    name: str
    created_ms: int


class Store(Protocol):
    """Everything a storage must do; tests/store/suite.py says how exactly."""

    async def create(self, table: TableRecord) -> None:
        """A new table, whole or not at all. Conflict if the ID is taken."""

    async def append(self, table_id: str, entry: Entry, **changes: Unpack[Changes]) -> None:
        """The next entry, with what it changed about the table, such as the result: both or neither.

        Conflict if another number is next, or if the seat's command ID is stored already.
        """

    async def update(self, table_id: str, **changes: Unpack[Changes]) -> None: ...

    async def index(self) -> list[TableHead]:
        """Every table, oldest first, without entries: all that a start reads."""

    async def load(self, table_id: str) -> tuple[TableRecord, list[Entry]]:
        """A table with its entries, as they stood at one moment. Unknown if there is none, Damaged if unreadable."""

    async def guest(self, token_hash: str) -> Guest | None: ...

    async def save_guest(self, guest: Guest) -> None:
        """A new guest, or a known one's new name."""

    async def close(self) -> None:
        """Store what was handed in, then stop. A second close does nothing."""
