"""All tables: the index the lobby shows, and the tables in memory, each rebuilt from its log when first touched."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sandtable.games import find as find_game
from sandtable.kit.dice import MASK_63
from sandtable.protocol.book import STANDARD
from sandtable.protocol.errors import Refusal, SandtableError
from sandtable.protocol.game import Game, Start
from sandtable.protocol.match import read_match
from sandtable.serve.config import Config
from sandtable.serve.limits import Limits
from sandtable.serve.logs import log
from sandtable.serve.machines import Machines
from sandtable.serve.messages import Message, NewTable, write
from sandtable.serve.table import Table, now_ms
from sandtable.store.interface import Conflict, Entry, Guest, Seat, Store, TableHead, TableRecord, Unknown
from sandtable.store.matches import book_text, table_of

SIGNS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that look alike
ID_LENGTH = 5
MACHINE = "machine:"
MOST_SHOWN = 100
MOST_ENDED = 20  # matches that are over and stay in memory
MOST_LINES = 5_000  # of a file that is brought


def new_id() -> str:
    return "".join(secrets.choice(SIGNS) for _ in range(ID_LENGTH))


def read_id(text: str) -> str | None:
    """An ID however it was typed; None for what cannot be one."""
    plain = text.strip().upper().replace("-", "").replace(" ", "")
    return plain if len(plain) == ID_LENGTH and set(plain) <= set(SIGNS) else None


class Hall:
    """What the server knows of all tables. `open` reads the index only."""

    def __init__(
        self, store: Store, machines: Machines, config: Config, limits: Limits, named: Callable[[str], Any]
    ) -> None:
        self.store, self.machines, self.config, self.limits = store, machines, config, limits
        self.heads: dict[str, TableHead] = {}
        self.tables: dict[str, Table] = {}
        self.is_closing = False
        self._named = named
        self._names: dict[str, str] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._bringing = asyncio.Lock()

    async def open(self) -> None:
        for head in await self.store.index():
            self.heads[head.id] = head
        for head in list(self.heads.values()):  # machines go on where the server stopped
            if head.state == "running" and any(head.seats[seat].kind == "machine" for seat in head.to_act):
                try:
                    (await self.table(head.id)).think()
                except Exception as error:  # one that cannot be read must not keep the others from going on
                    log("table_damaged", table=head.id, error=error)

    # ---- tables

    def has(self, table_id: str) -> bool:
        return table_id in self.heads

    async def table(self, table_id: str) -> Table:
        """The table, rebuilt from its log if need be; Unknown if there is none."""
        if table_id in self.tables:
            self.tables[table_id] = table = self.tables.pop(table_id)  # to the end: used last
            return table
        if table_id not in self.heads:
            raise Unknown(f"There is no table {table_id}.")
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            if table_id not in self.tables:
                record, entries = await self.store.load(table_id)
                for seat in record.seats:
                    await self._learn(seat)
                self.tables[table_id] = await Table.load(self, find_game(record.game), record, entries)
                self._make_room()
        self._loading.pop(table_id, None)
        return self.tables[table_id]

    def _make_room(self) -> None:
        """Of those that ended, the ones nobody has looked at for longest leave the memory."""
        idle = [name for name, table in self.tables.items() if table.is_idle]
        for name in idle[:-MOST_ENDED]:
            self.tables.pop(name).drop()

    async def _learn(self, seat: Seat) -> None:
        if seat.guest and seat.guest not in self._names:
            self._names[seat.guest] = await self._named(seat.guest)

    def rename(self, guest: Guest) -> None:
        self._names[guest.token_hash] = guest.name
        for table in self.tables.values():
            if table.seats_of(guest.token_hash):
                table.tell_presence()

    def name_of(self, seat: Seat) -> str:
        if seat.kind == "machine":
            return seat.player
        return (self._names.get(seat.guest) or "Guest") if seat.kind == "guest" else ""

    async def create(self, guest: Guest, wish: NewTable) -> Table | Refusal:
        """A new table with the host seated where he asked; it begins at once if no seat is open."""
        try:
            game = find_game(wish.game)
            if wish.book is not None and wish.book not in game.books:  # first: any other name would be read as a path
                return Refusal("unknown", "", f"There is no book {wish.book[:40]!r}.")
            book = game.find_book(wish.book).changed(wish.set, "set") if wish.set else game.find_book(wish.book)
            scenario = game.scenario(wish.scenario)
            if len(wish.seats) not in game.traits.seats:
                return Refusal("bad", "", f"{game.title} is not for {len(wish.seats)} seats.")
            if wish.seed is not None and not 0 <= wish.seed <= MASK_63:
                return Refusal("bad", "", "A seed is a whole number that is not negative.")
            map_seed = secrets.randbits(63) if wish.seed is None else wish.seed
            game.start_record(Start(scenario.name, len(wish.seats), map_seed), book)
        except SandtableError as error:
            return Refusal("bad", "", f"{error}.")
        seats = []
        for text in wish.seats:
            seat = self._seat(guest, text)
            if isinstance(seat, Refusal):
                return seat
            seats.append(seat)
        record = TableRecord(
            id="", game=game.name, rules_version=game.rules_version, scenario=scenario.name,
            book=book_text(book, game), seats=tuple(seats), created_ms=now_ms(), map_seed=map_seed,
            machine_seed=secrets.randbits(62), secret=secrets.token_hex(32), host=guest.token_hash, listed=wish.listed,
        )  # fmt: skip
        await self._learn(Seat("guest", guest.token_hash))
        table = await self._store_new(game, record)
        await table.begin_if_full()
        return table

    def _seat(self, guest: Guest, text: str) -> Seat | Refusal:
        if text == "me":
            return Seat("guest", guest.token_hash, seed=secrets.token_hex(16))
        if text == "open":
            return Seat()
        player = text.removeprefix(MACHINE)
        if not text.startswith(MACHINE) or player not in self.machines.players:
            return Refusal("unknown", "", f"A seat is me, open or machine:NAME; no {text[:40]!r}.")
        return Seat("machine", "", player)

    async def _store_new(self, game: Game, record: TableRecord) -> Table:
        while True:
            record = replace(record, id=new_id())
            try:
                await self.store.create(record)
            except Conflict:
                continue
            table = Table(self, game, record, [])
            self.tables[record.id] = table
            self.heads[record.id] = head_of(table)
            self._make_room()
            return table

    async def bring(self, guest: Guest, text: str) -> str | Refusal:
        """A match from a file, to be looked at."""
        if text.count("\n") > MOST_LINES:
            return Refusal("bad", "", f"A match file brought here has at most {MOST_LINES} lines.")
        async with self._bringing:  # one at a time, beside the loop: rules take their time over thousands of rows
            try:
                match = await asyncio.to_thread(read_match, text, find_game)
            except SandtableError as error:
                return Refusal("bad", "", f"{error}.")
            while True:
                record, entries = table_of(match, new_id(), now_ms())
                record = replace(record, host=guest.token_hash)
                if record.id not in self.heads:
                    break
            await self._store_whole(record, entries)
            table = self.tables[record.id] = await Table.load(self, match.game, record, entries)
            self.heads[record.id] = head_of(table)
            self._make_room()
        return record.id

    async def _store_whole(self, record: TableRecord, entries: list[Entry]) -> None:
        """Its end is stored with its last row: a kill in between leaves a shorter match, and no broken one."""
        if not entries:
            await self.store.create(record)
            return
        await self.store.create(replace(record, state="closed", result="", opened=False))
        *most, final = entries
        await asyncio.gather(*(self.store.append(record.id, entry) for entry in most))
        await self.store.append(record.id, final, state=record.state, result=record.result, opened=record.opened)

    async def rematch(self, table: Table) -> Table | Refusal:
        """The next match of the same people with sides moved on; asked twice, or by two at once, the same one."""
        return await table.alone(lambda: self._rematch(table))  # type: ignore[no-any-return]

    async def _rematch(self, table: Table) -> Table:
        if table.record.rematch:
            return await self.table(table.record.rematch)
        old = table.record
        seats = [replace(seat, seed=secrets.token_hex(16) if seat.kind == "guest" else "") for seat in old.seats]
        record = replace(
            old, id="", seats=(*seats[1:], seats[0]), created_ms=now_ms(), map_seed=secrets.randbits(63),
            machine_seed=secrets.randbits(62), secret=secrets.token_hex(32), state="open", result="", opened=False,
            rematch="", to_act=(), listed=False, dice="",
        )  # fmt: skip
        new = await self._store_new(table.game, record)
        await self.store.update(old.id, rematch=new.record.id)
        table.record = replace(table.record, rematch=new.record.id)
        await new.begin_if_full()
        table.tell_presence()
        return new

    async def end_unbegun(self, table: Table) -> Refusal | None:
        """The host closes a table that has not begun."""
        return await table.alone(lambda: self._end_unbegun(table))  # type: ignore[no-any-return]

    async def _end_unbegun(self, table: Table) -> Refusal | None:
        if table.record.state != "open":
            return Refusal("begun", "", "A match that has begun is not closed; it can be resigned.")
        await self.store.update(table.record.id, state="closed")
        table.record = replace(table.record, state="closed")
        await self.changed(table)
        return None

    async def list_table(self, table: Table, listed: bool) -> None:
        await self.store.update(table.record.id, listed=listed)
        table.record = replace(table.record, listed=listed)
        await self.changed(table)

    async def changed(self, table: Table) -> None:
        """What the lobby shows of a table is brought up to date, and everybody at it told who is here."""
        for seat in table.record.seats:
            await self._learn(seat)
        self.heads[table.record.id] = head_of(table)
        table.tell_presence()

    # ---- the lobby

    def lobby(self, guest: str) -> Message:
        heads = sorted(self.heads.values(), key=lambda head: -head.touched_ms)
        mine = [h for h in heads if h.state in ("open", "running") and any(s.guest == guest for s in h.seats)]
        others = [h for h in heads if h not in mine and h.listed]
        return {
            "mine": [self.shown(head, guest) for head in mine[:MOST_SHOWN]],
            "open": [self.shown(head, guest) for head in others if head.state == "open"][:MOST_SHOWN],
            "running": [self.shown(head, guest) for head in others if head.state == "running"][:MOST_SHOWN],
        }

    def shown(self, head: TableHead, guest: str) -> Message:
        game = find_game(head.game)
        words = game.words()
        table = self.tables.get(head.id)
        here = {line.seat for line in table.lines} if table else set()
        seats = [
            {
                "seat": n, "side": game.view.seat_name(n, words), "kind": seat.kind, "name": self.name_of(seat),
                "you": bool(guest) and seat.guest == guest, "here": seat.kind == "machine" or n in here,
            }
            for n, seat in enumerate(head.seats)
        ]  # fmt: skip
        is_mine = any(head.seats[n].guest == guest for n in head.to_act) if guest else False
        waits = ", ".join(game.view.seat_name(n, words) for n in head.to_act)
        return {
            "id": head.id, "game": head.game, "title": game.title, "scenario": head.scenario, "book": STANDARD,
            "state": head.state, "seats": seats, "host": head.host == guest, "listed": head.listed,
            "turn": "your turn" if is_mine else waits, "number": turn_of(table),
        }  # fmt: skip

    async def close(self) -> None:
        """Everybody is told; what is under way is finished and stored."""
        self.is_closing = True
        drain = write({"t": "drain", "in_s": 3})
        for table in list(self.tables.values()):
            for line in list(table.lines):
                line.send(drain)
        await asyncio.gather(*(table.close() for table in self.tables.values()))


def turn_of(table: Table | None) -> int:
    """The number of the turn as an onlooker sees it; 0 where nobody has touched the table since the start.

    Not the number of entries: that would count what somebody does in secret.
    """
    viewer = table.viewers.get(None) if table else None
    turn = viewer.scene.get("turn") if viewer else None
    return int(turn.get("number", 0)) if isinstance(turn, dict) else 0


def head_of(table: Table) -> TableHead:
    record = table.record
    return TableHead(
        record.id, record.game, record.scenario, record.seats, record.created_ms, record.host, record.listed,
        record.state, record.result, record.rematch, record.to_act, table.number, now_ms(),
    )  # fmt: skip
