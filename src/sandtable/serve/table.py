"""One table: the match, who sits at it, and the one task through which everything that changes it goes.

The state in memory is replaced only after the store has committed: not stored means not played.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sandtable.kit.dice import SealedDice
from sandtable.protocol.errors import IllegalAction, Refusal, SandtableError
from sandtable.protocol.events import Event
from sandtable.protocol.game import Game, Start
from sandtable.protocol.past import DRAW, RESIGN, TAKEBACK, Row
from sandtable.protocol.position import Position
from sandtable.protocol.replay import begin, retell
from sandtable.serve.logs import log
from sandtable.serve.machines import job_of
from sandtable.serve.messages import Message, write
from sandtable.serve.viewers import Seen, Told, Viewer
from sandtable.store.interface import Entry, Seat, StoreError, TableRecord
from sandtable.store.matches import match_of, read_book

if TYPE_CHECKING:
    from sandtable.serve.hall import Hall
    from sandtable.serve.socket import Line

ABSENT_S = 180  # away for so long, a seat may be given to a machine
LONGEST_ACT = 200
MOST_QUEUED = 64
THINK_AGAIN_S = 1.0
ENDED = ("over", "closed")
BUSY = Refusal("busy", "", "The table is busy; try again in a moment.")
NOT_STORED = Refusal("internal", "", "That could not be stored, so it was not played; try again.")
FALLBACK = "random"  # plays where a player gives no legal answer


@dataclass(frozen=True)
class Wish:
    """A command on its way to the table: who wants what."""

    seat: int
    id: str
    act: str
    base: int | None = None  # None: not told (a machine, the server)
    salt: bytes = b""


def nak(wish_id: str, refusal: Refusal, ver: int) -> Message:
    return {
        "t": "nak", "id": wish_id, "code": refusal.code, "clause": refusal.clause, "say": refusal.sentence, "ver": ver,
    }  # fmt: skip


class Table:
    """A table in memory. `Hall` makes one when it is first touched."""

    def __init__(self, hall: Hall, game: Game, record: TableRecord, entries: list[Entry]) -> None:
        self.hall, self.game, self.record = hall, game, record
        self.book = read_book(record.book, game)
        self.number = len(entries)
        self.position: Position | None = None
        self.viewers: dict[int | None, Viewer] = {}
        self.lines: set[Line] = set()
        self.answers: dict[tuple[int, str], Message] = {}
        self.gone_since: dict[int, float] = {}
        self.held = ""  # why the table is on hold
        self._presence = ""  # as it was told last
        self._queue: asyncio.Queue[tuple[Callable[[], Coroutine[Any, Any, Any]], asyncio.Future[Any]]] = asyncio.Queue(
            MOST_QUEUED
        )
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._task = asyncio.create_task(self._work())
        self._is_working = self._is_dropped = False

    @staticmethod
    async def load(hall: Hall, game: Game, record: TableRecord, entries: list[Entry]) -> Table:
        """A table as it was left. Playing it again takes a while, so it happens beside the loop."""
        table = Table(hall, game, record, entries)
        if record.state != "open":
            try:
                await asyncio.to_thread(table._rebuild, entries)
            except BaseException:
                table.drop()
                raise
        return table

    # ---- the one task

    async def _work(self) -> None:
        while True:
            work, answer = await self._queue.get()
            self._is_working = True
            try:
                result = await work()
            except Exception as error:
                log("table_failed", table=self.record.id, error=error)
                if not answer.done():
                    answer.set_exception(error)
            else:
                if not answer.done():
                    answer.set_result(result)
            self._is_working = False

    async def _alone(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Do this when its turn has come; nothing else changes the table meanwhile."""
        if self._is_dropped:
            raise asyncio.QueueFull
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((work, answer))  # QueueFull: the caller says busy
        return await answer  # who stops waiting stops nothing: the task goes on

    async def alone(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """The same, with a refusal where too many wait already."""
        try:
            return await self._alone(work)
        except asyncio.QueueFull:
            return BUSY

    # ---- from the store

    def _rebuild(self, entries: list[Entry]) -> None:
        """The match played again from its entries, and everything every viewer was told of it."""
        match = match_of(self.record, entries, self.game, with_secret=True)
        position = begin(match)
        self._seat_viewers(position)
        for step in retell(match, position):
            seen = Seen(position, step.row, step.events, self.viewers)
            for viewer in self.viewers.values():
                if (told := viewer.look(seen, [])) is not None:
                    viewer.accept([told])
        self.position = position
        if self.record.state == "running":
            self._mark_away()
        for entry in entries:
            if entry.seat is not None and entry.command_id:
                self.answers[entry.seat, entry.command_id] = json.loads(entry.answer)

    async def _recover(self) -> None:
        """After the store failed nobody knows what it holds: what it says counts."""
        self.record, entries = await self.hall.store.load(self.record.id)
        self.number, self.answers = len(entries), {}
        await asyncio.to_thread(self._rebuild, entries)

    def _mark_away(self) -> None:
        """Nobody is here yet; who does not come back counts as away from now on."""
        here = {line.seat for line in self.lines}
        people = [n for n, seat in enumerate(self.record.seats) if seat.kind == "guest" and n not in here]
        self.gone_since = dict.fromkeys(people, time.monotonic())

    def heard(self, seat: int | None) -> None:
        """A program without a socket asked for its seat: it is not away."""
        if seat in self.gone_since:
            self.gone_since[seat] = time.monotonic()

    def _seat_viewers(self, position: Position) -> None:
        seats: list[int | None] = [None, *range(len(self.record.seats))]
        self.viewers = {seat: Viewer(seat, position.view(seat)) for seat in seats}

    # ---- who sits here

    @property
    def seal(self) -> str:
        """The digest of the secret, published before anyone sits down."""
        return hashlib.sha256(bytes.fromhex(self.record.secret)).hexdigest() if self.record.secret else ""

    @property
    def is_full(self) -> bool:
        return all(seat.kind != "open" for seat in self.record.seats)

    def seats_of(self, guest: str) -> list[int]:
        return [n for n, seat in enumerate(self.record.seats) if seat.kind == "guest" and seat.guest == guest]

    async def sit(self, guest: str, wanted: int | None) -> int | Refusal:
        """Take an open seat (this one, or the first); the table begins with the last."""
        return await self.alone(lambda: self._sit(guest, wanted))  # type: ignore[no-any-return]

    async def _sit(self, guest: str, wanted: int | None) -> int | Refusal:
        free = [n for n, seat in enumerate(self.record.seats) if seat.kind == "open"]
        if wanted is None and (own := self.seats_of(guest)):
            return own[0]
        if self.record.state != "open" or not free:
            return Refusal("full", "", "Every seat at this table is taken; you can watch.")
        if wanted is not None and wanted not in free:
            return Refusal("taken", "", "That seat is taken.")
        chosen = free[0] if wanted is None else wanted
        await self._reseat(chosen, Seat("guest", guest, seed=secrets.token_hex(16)))
        await self.begin_if_full()
        return chosen

    async def _reseat(self, number: int, seat: Seat) -> None:
        seats = tuple(seat if n == number else old for n, old in enumerate(self.record.seats))
        await self.hall.store.update(self.record.id, seats=seats)
        self.record = replace(self.record, seats=seats)

    async def begin_if_full(self) -> None:
        """Deal once every seat is taken: the seals are published, the seeds known, nobody can choose any more."""
        if self.record.state == "open" and self.is_full:
            await self._begin()
        await self.hall.changed(self)

    async def _begin(self) -> None:
        record = self.record
        seeds = tuple(bytes.fromhex(seat.seed) for seat in record.seats)
        dice = SealedDice(bytes.fromhex(record.secret), record.id, seeds)
        start = Start(record.scenario, len(record.seats), record.map_seed, record.start)
        position = Position(self.game, self.book, start, dice=dice)
        self._seat_viewers(position)
        told: dict[int | None, list[Told]] = {seat: [] for seat in self.viewers}
        while position.is_rolling:
            row, events = position.roll_once()
            self._tell(position, row, events, told)
        entry = Entry(0, None, "", tuple(position.rows), "{}", now_ms())
        await self.hall.store.append(record.id, entry, state="running", to_act=position.to_act)
        self.record = replace(self.record, state="running", to_act=position.to_act)
        self.number, self.position = 1, position
        self._mark_away()
        for seat, viewer in self.viewers.items():
            viewer.accept(told[seat])
        for line in self.lines:
            line.send(self.viewers[line.seat].snapshot())
        self.think()

    # ---- commands

    async def do(self, wish: Wish) -> Message:
        """An ack or a nak, once what it says is stored."""
        try:
            return await self._alone(lambda: self._do(wish))  # type: ignore[no-any-return]
        except asyncio.QueueFull:
            return nak(wish.id, BUSY, self._ver(wish.seat))

    def _ver(self, seat: int | None) -> int:
        return self.viewers[seat].ver if seat in self.viewers else 0

    async def _do(self, wish: Wish) -> Message:
        known = self.answers.get((wish.seat, wish.id)) if wish.id else None
        if known is not None:
            if known["act"] == wish.act:
                return {"t": "ack", "id": wish.id, "ver": known["ver"]}
            return nak(wish.id, Refusal("id_reused", "", "This command's id was used before."), self._ver(wish.seat))
        refusal = self._refusal(wish)
        if refusal is not None or self.position is None:
            return nak(wish.id, refusal or Refusal("gone", "", "The match has not begun."), self._ver(wish.seat))
        work, told = self.position.copy(), {seat: list[Told]() for seat in self.viewers}
        before = len(work.rows)
        try:
            for row, events in self._steps(work, wish):
                self._tell(work, row, events, told)
        except IllegalAction as error:
            code = error.refusal.code
            named = replace(error.refusal, code={"over": "over", "seat": "not_your_turn"}.get(code, "illegal"))
            return nak(wish.id, named, self._ver(wish.seat))
        except SandtableError as error:
            return nak(wish.id, Refusal("bad", "", f"{error}."), self._ver(wish.seat))
        ver = self._ver(wish.seat) + len(told[wish.seat])
        answer = {"act": wish.act, "ver": ver}
        ended = work.outcome
        changes: dict[str, Any] = {} if work.to_act == self.record.to_act else {"to_act": work.to_act}
        is_news = bool(ended or changes)
        if ended:
            places = " ".join(map(str, ended.places))
            changes |= {"state": "over", "result": f"{places} {ended.reason}", "opened": True}
        entry = Entry(self.number, wish.seat, wish.id, tuple(work.rows[before:]), write(answer), now_ms())
        try:
            await self.hall.store.append(self.record.id, entry, **changes)
        except StoreError as error:
            log("not_stored", table=self.record.id, code=error.code, is_warning=True)
            await self._recover()
            return nak(wish.id, NOT_STORED, self._ver(wish.seat))
        self.number += 1
        if changes:
            self.record = replace(self.record, **changes)
        self.position = work
        if wish.id:
            self.answers[wish.seat, wish.id] = answer
        ack = {"t": "ack", "id": wish.id, "ver": ver}
        self._publish(told, wish, ack)
        if is_news:
            await self.hall.changed(self)
        self.think()
        return ack

    def _refusal(self, wish: Wish) -> Refusal | None:
        """What does not depend on the rules."""
        if self.record.state in ENDED:
            return Refusal("over", "", "The match is over.")
        if self.position is None:
            return Refusal("gone", "", "The match has not begun.")
        if self.held:
            return Refusal("paused", "", self.held)
        if len(wish.act) > LONGEST_ACT:
            return Refusal("bad", "", "That is longer than any action.")
        is_order_free = len(self.position.to_act) > 1 or wish.act in (RESIGN, DRAW)
        if wish.base is not None and not is_order_free and wish.base != self._ver(wish.seat):
            return Refusal("stale", "", "Something happened meanwhile; look again.")
        return None

    def _steps(self, work: Position, wish: Wish) -> Any:
        """The rows a wish leads to. `takeback` is the seat's last action, `takeback turn` all that can be."""
        if not wish.act.startswith(TAKEBACK):
            yield from work.steps(wish.act, wish.seat, salt=wish.salt)
            return
        rest = wish.act.removeprefix(TAKEBACK).strip()
        row = int(rest) if rest.isdecimal() and len(rest) < 8 else None
        times = len(work.past.actions_of(wish.seat)) if rest == "turn" else 1
        for _ in range(max(1, times)):
            events = work.undo(wish.seat, row)
            yield work.rows[-1], events

    def _tell(self, position: Position, row: Row, events: list[Event], told: dict[int | None, list[Told]]) -> None:
        seen = Seen(position, row, events, self.viewers)
        for seat, viewer in self.viewers.items():
            if (one := viewer.look(seen, told[seat])) is not None:
                told[seat].append(one)

    def _publish(self, told: dict[int | None, list[Told]], wish: Wish, ack: Message) -> None:
        for seat, viewer in self.viewers.items():
            viewer.accept(told[seat])
        for line in list(self.lines):
            if line.seat == wish.seat and line.is_waiting_for(wish.id):
                line.send(write(ack))
            for one in told[line.seat]:
                line.send(one.text)

    # ---- machines

    def think(self) -> None:
        """Set every machine that is to act thinking, one choice each."""
        if self.position is None or self.held or self.record.state != "running":
            return
        for seat in self.position.to_act:
            if self.record.seats[seat].kind == "machine" and seat not in self._thinking:
                self._thinking[seat] = asyncio.create_task(self._think(seat))

    async def _think(self, seat: int) -> None:
        is_sound = True
        try:
            while self.position is not None and seat in self.position.to_act and not self.hall.is_closing:
                position, player = self.position, self.record.seats[seat]
                if player.kind != "machine":
                    return
                if self.hall.limits.think(self.record.host) is not None:
                    await asyncio.sleep(THINK_AGAIN_S)  # the host's hour is used up for now
                    continue
                answer = await self.hall.machines.choose(
                    self._job(position, seat, player.player if is_sound else FALLBACK)
                )
                if isinstance(answer, Refusal):
                    if answer.code == "gone":
                        return
                    is_sound = is_sound and answer.code == "busy"
                    await asyncio.sleep(THINK_AGAIN_S)
                    continue
                self.hall.limits.thought(self.record.host, answer.seconds)
                if self.position is not position and len(position.to_act) == 1:
                    continue  # something was taken back meanwhile: think again
                done = await self.do(Wish(seat, "", answer.text))
                if done["t"] == "nak":
                    log("machine_refused", table=self.record.id, code=done["code"])
                    is_sound = False  # it would answer the same again: some legal action instead
                else:
                    is_sound = True
        finally:
            self._thinking.pop(seat, None)
            if not self.hall.is_closing:
                self.tell_presence()
                asyncio.get_running_loop().call_soon(self.think)

    def _job(self, position: Position, seat: int, player: str) -> Any:
        choices = sum(row.seat == seat for row in position.rows)
        return job_of(
            position, self.record.book, seat, player=player, seed=self.record.machine_seed + seat,
            choices=choices, table=self.record.id, guest=self.record.host,
        )  # fmt: skip

    # ---- presence

    def enter(self, line: Line) -> None:
        """A socket takes its place; an older one of the same seat goes."""
        if line.seat is not None:
            for other in [old for old in self.lines if old.seat == line.seat]:
                other.leave("moved", "This seat is open in a newer tab.", 4409)
                self.lines.discard(other)
            self.gone_since.pop(line.seat, None)
        self.lines.add(line)
        self.tell_presence()

    def exit(self, line: Line) -> None:
        self.lines.discard(line)
        if line.seat is not None and all(other.seat != line.seat for other in self.lines):
            self.gone_since[line.seat] = time.monotonic()
        self.tell_presence()

    def presence(self) -> Message:
        here = {line.seat for line in self.lines}
        seats = []
        for n, seat in enumerate(self.record.seats):
            away = int(time.monotonic() - self.gone_since[n]) if n in self.gone_since else 0
            seats.append(
                {
                    "seat": n, "name": self.hall.name_of(seat), "kind": seat.kind,
                    "here": seat.kind == "machine" or n in here, "away_s": away, "thinking": n in self._thinking,
                }
            )  # fmt: skip
        offers = list(self.position.past.offers.standing) if self.position else []
        return {
            "t": "presence", "seats": seats, "watching": sum(line.seat is None for line in self.lines),
            "state": self.record.state, "offer": offers, "rematch": self.record.rematch or None,
            "paused": self.held or None,
        }  # fmt: skip

    def tell_presence(self) -> None:
        text = write(self.presence())
        if text == self._presence:
            return  # a new line has it in its welcome
        self._presence = text
        for line in list(self.lines):
            line.send(text)

    async def replace_absent(self, seat: int, do: str) -> Refusal | None:
        """Three minutes away: the others seat a machine, or end it."""
        return await self.alone(lambda: self._replace_absent(seat, do))  # type: ignore[no-any-return]

    async def _replace_absent(self, seat: int, do: str) -> Refusal | None:
        away = time.monotonic() - self.gone_since.get(seat, time.monotonic())
        if self.record.state != "running" or away < ABSENT_S:
            return Refusal("not_yet", "", "A seat may be replaced after three minutes away.")
        if do == "end":
            done = await self._do(Wish(seat, "", RESIGN))
            return None if done["t"] == "ack" else Refusal("illegal", "", done["say"])
        player = do.removeprefix("machine:")
        if player not in self.hall.machines.players:
            return Refusal("unknown", "", "No such player is offered here.")
        seed = self.record.seats[seat].seed
        await self._reseat(seat, Seat("machine", "", player, seed))
        self.gone_since.pop(seat, None)
        await self.hall.changed(self)
        self.think()
        return None

    @property
    def is_idle(self) -> bool:
        """It ended, and nobody looks at it."""
        is_quiet = self._queue.empty() and not (self.lines or self._thinking or self._is_working)
        return is_quiet and self.record.state in ENDED

    def drop(self) -> None:
        """Out of memory: it will be rebuilt when it is touched again."""
        self._is_dropped = True
        self._task.cancel()

    async def close(self) -> None:
        """Finish what is queued, then stop."""
        for task in list(self._thinking.values()):
            task.cancel()
        if not self._queue.empty():
            await asyncio.wait({asyncio.create_task(self._alone(_nothing))}, timeout=1)
        self._task.cancel()


async def _nothing() -> None:
    return None


def now_ms() -> int:
    return time.time_ns() // 1_000_000
