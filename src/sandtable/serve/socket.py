"""One socket: a seat's or an onlooker's line to its table. It reads, asks, and keeps its own bounded outbox."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sandtable.protocol import choices
from sandtable.protocol.errors import IllegalAction, Refusal, SandtableError
from sandtable.serve import messages
from sandtable.serve.limits import Limits, address_of
from sandtable.serve.limits import Socket as Place
from sandtable.serve.logs import log
from sandtable.serve.messages import PROTOCOL, Message, write
from sandtable.serve.table import Table, Wish, nak, now_ms

if TYPE_CHECKING:
    from sandtable.serve.hall import Hall

SUBPROTOCOL = "sandtable.v1"
HELLO_S, LAST_WORDS_S = 5.0, 1.0
MOST_WAITING, LARGEST_WAITING = 64, 256 * 1024
BAD, TICKET, NOT_ALLOWED, NO_TABLE, LATE, OVERFLOW, OLD = 4400, 4401, 4403, 4404, 4408, 4413, 4426
LONGEST_ID = 26

TakeTicket = Callable[[str, str], tuple[str, int | None] | None]  # ticket, table → guest, seat


class Line:
    """An open socket at a table. `send` never waits: who does not read is let go and comes back for a snapshot."""

    def __init__(self, socket: WebSocket, seat: int | None, guest: str) -> None:
        self.seat, self.guest = seat, guest
        self._socket = socket
        self._outbox: asyncio.Queue[str | list[str] | None] = asyncio.Queue()
        self._size = 0
        self._close = (1000, "")
        self.ending = asyncio.Event()
        self._awaited: set[str] = set()
        self._writer = asyncio.create_task(self._write())

    def send(self, text: str) -> None:
        if self.ending.is_set():
            return
        waiting = self._outbox.qsize()
        if waiting >= MOST_WAITING or (waiting and self._size + len(text) > LARGEST_WAITING):
            self.end(OVERFLOW, "too slow a reader")
            return
        self._size += len(text)
        self._outbox.put_nowait(text)

    def leave(self, code: str, sentence: str, close: int) -> None:
        self.send(write({"t": "bye", "code": code, "say": sentence}))
        self.end(close, code)

    def catch_up(self, frames: list[str]) -> None:
        """What a newcomer missed is one thing: it is bounded by itself, and none of it may be left out."""
        if not self.ending.is_set():
            self._size += sum(map(len, frames))
            self._outbox.put_nowait(frames)

    def end(self, code: int, why: str) -> None:
        if not self.ending.is_set():
            self._close = (code, why)
            self.ending.set()
            self._outbox.put_nowait(None)

    def wait_for(self, command_id: str) -> None:
        self._awaited.add(command_id)

    def is_waiting_for(self, command_id: str) -> bool:
        """Whether this line sent the command and has no answer yet."""
        if command_id in self._awaited:
            self._awaited.discard(command_id)
            return True
        return False

    async def _write(self) -> None:
        try:
            while (next_one := await self._outbox.get()) is not None:
                for text in [next_one] if isinstance(next_one, str) else next_one:
                    self._size -= len(text)
                    await self._socket.send_text(text)
            await self._socket.close(*self._close)
        except (RuntimeError, WebSocketDisconnect, OSError):
            return  # the other end is gone; the reader notices

    async def finish(self) -> None:
        """If it is we who end it, what waits goes out first, and the reason with it."""
        if self.ending.is_set():
            await asyncio.wait({self._writer}, timeout=LAST_WORDS_S)
        self._writer.cancel()


class Reception:
    """The endpoint /ws."""

    def __init__(self, hall: Hall, limits: Limits, take: TakeTicket, guest_of: Callable[[WebSocket], Awaitable[str]]):
        self.hall, self.limits, self._take, self._guest_of = hall, limits, take, guest_of

    async def __call__(self, socket: WebSocket) -> None:
        if SUBPROTOCOL not in socket.scope.get("subprotocols", []):
            await socket.close(BAD)
            return
        guest = await self._guest_of(socket)
        place = self.limits.enter(guest, address_of(socket.scope))
        if isinstance(place, Refusal):
            await socket.close(1008, place.code)
            return
        await socket.accept(SUBPROTOCOL)
        try:
            await self._serve(socket, place)
        finally:
            place.close()

    async def _serve(self, socket: WebSocket, place: Place) -> None:
        opened = await self._hello(socket)
        if opened is None:
            return
        table, line, hello = opened
        table.enter(line)
        self._welcome(table, line, hello)
        listening = asyncio.create_task(self._listen(socket, table, line, place))
        ending = asyncio.create_task(line.ending.wait())
        try:  # once we end it, nothing that still comes in is heard: who never reads must not be listened to for ever
            await asyncio.wait({listening, ending}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                listening.result()
        finally:
            listening.cancel()
            ending.cancel()
            table.exit(line)
            await line.finish()

    async def _listen(self, socket: WebSocket, table: Table, line: Line, place: Place) -> None:
        with suppress(WebSocketDisconnect):
            while socket.application_state is WebSocketState.CONNECTED and not line.ending.is_set():
                text = await self._read(socket)
                if text is None:
                    return
                if place.message() is not None:
                    line.end(1008, "too_fast")
                    return
                await self._handle(table, line, text, address_of(socket.scope))

    async def _read(self, socket: WebSocket) -> str | None:
        """A text frame; None after a binary one, which closes."""
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        if message.get("text") is None:
            await socket.close(1003, "text frames only")
            return None
        return str(message["text"])

    async def _hello(self, socket: WebSocket) -> tuple[Table, Line, messages.Hello] | None:
        try:
            async with asyncio.timeout(HELLO_S):
                text = await self._read(socket)
            hello = messages.read_frame(text or "")
        except TimeoutError:
            await socket.close(LATE, "hello")
            return None
        except WebSocketDisconnect:
            return None  # gone before a word was said
        except (ValueError, RuntimeError):
            if socket.application_state is WebSocketState.CONNECTED:
                await socket.close(BAD, "hello expected")
            return None
        if not isinstance(hello, messages.Hello):
            await socket.close(BAD, "hello expected")
            return None
        if hello.p != PROTOCOL:
            await socket.close(OLD, "reload")
            return None
        found = self._take(hello.ticket, hello.table)
        if found is None:
            await socket.close(TICKET, "ticket")
            return None
        guest, seat = found
        if not self.hall.has(hello.table):
            await socket.close(NO_TABLE, "no such table")
            return None
        try:
            table = await self.hall.table(hello.table)
        except SandtableError:
            await socket.close(1011, "the match cannot be read")
            return None
        if seat is not None and seat not in table.seats_of(guest):  # it was given away since the ticket
            await socket.close(NOT_ALLOWED, "not your seat")
            return None
        return table, Line(socket, seat, guest), hello

    def _welcome(self, table: Table, line: Line, hello: messages.Hello) -> None:
        viewer = table.viewers.get(line.seat)
        record, game = table.record, table.game
        line.send(
            write(
                {
                    "t": "welcome", "p": PROTOCOL, "you": line.seat, "ver": viewer.ver if viewer else 0,
                    "now": now_ms(),
                    "game": game.name, "title": game.title, "rules": f"{game.name}/{game.rules_version}",
                    "book": table.book.digest, "seal": table.seal, "overlays": list(game.traits.overlays),
                    "limits": {"cmd_per_s": 5, "max_bytes": 16384}, "presence": table.presence(),
                    "host": record.host == line.guest, "state": record.state, "listed": record.listed,
                }
            )
        )  # fmt: skip
        if viewer is None:
            return
        missed = viewer.missed(hello.have, hello.hash)
        line.catch_up([viewer.snapshot()] if missed is None else missed)

    async def _handle(self, table: Table, line: Line, text: str, address: str) -> None:
        try:
            message = messages.read_frame(text)
        except ValueError as error:
            line.send(write(nak("", Refusal("bad", "", f"That frame cannot be read: {error}."), 0)))
            line.end(BAD, "bad message")
            return
        if isinstance(message, messages.Ping):
            line.send(write({"t": "pong", "n": message.n, "now": now_ms()}))
        elif isinstance(message, messages.Resync):
            if (viewer := table.viewers.get(line.seat)) is not None:
                log("resync", table=table.record.id)
                line.send(viewer.snapshot())
        elif isinstance(message, messages.Command):
            await self._command(table, line, message, address)
        elif isinstance(message, messages.Hello):
            line.end(BAD, "hello again")
        else:
            line.send(write(answer(table, line.seat, message)))

    async def _command(self, table: Table, line: Line, message: messages.Command, address: str) -> None:
        ver = table.viewers[line.seat].ver if line.seat in table.viewers else 0
        if line.seat is None:
            line.send(write(nak(message.id, Refusal("not_your_turn", "", "You are watching."), ver)))
            return
        if (refusal := self.limits.command(line.guest, address)) is not None:
            line.send(write(nak(message.id, Refusal("too_fast", "", refusal.sentence), ver)))
            return
        wish = wish_of(line.seat, message.id, message.act, message.base, message.salt)
        if isinstance(wish, Refusal):
            line.send(write(nak(message.id[:LONGEST_ID], wish, ver)))
            return
        line.wait_for(message.id)
        done = await table.do(wish)
        if line.is_waiting_for(message.id):  # refused, or a repeated command: nothing was published
            line.send(write(done))


def wish_of(seat: int, command_id: str, act: str, base: int, salt: str) -> Wish | Refusal:
    """A command as the table takes it."""
    if not 0 < len(command_id) <= LONGEST_ID:
        return Refusal("bad", "", f"A command's id has 1 to {LONGEST_ID} signs.")
    if not re.fullmatch(r"(?:[0-9a-f]{2}){0,32}", salt):
        return Refusal("bad", "", "A salt is up to 32 bytes in hex.")
    return Wish(seat, command_id, act, base, bytes.fromhex(salt))


def answer(table: Table, seat: int | None, asked: messages.Request) -> Message:
    """What a seat may know before it decides. Nothing here changes anything, and no dice are drawn."""
    position = table.position
    ver = table.viewers[seat].ver if seat in table.viewers else 0
    if position is None or seat is None:
        return {"t": "nak", "id": "", "code": "gone", "clause": "", "say": "There is nothing to choose.", "ver": ver}
    try:
        if isinstance(asked, messages.AskOptions):
            if asked.at is None:
                undo = len(position.past.actions_of(seat))  # actions of this seat that can still be taken back
                return {"t": "options", "ver": ver, "sources": choices.sources(position, seat), "undo": undo}
            return {"t": "options", "ver": ver, "at": asked.at, "list": choices.options(position, seat, asked.at)}
        if isinstance(asked, messages.AskPreview):
            changed, sentence = choices.preview(position, asked.act[:200], seat)
            return {"t": "preview", "act": asked.act, "ver": ver, "ch": changed, "say": sentence}
        if isinstance(asked, messages.AskOverlay):
            return {
                "t": "overlay", "which": asked.which, "ver": ver, "marks": position.overlay(asked.which, seat),
            }  # fmt: skip
        if isinstance(asked, messages.AskWhy):
            refusal = position.why_not(asked.act[:200], seat)
            told = (refusal.code, refusal.clause, refusal.sentence) if refusal else ("", "", "")
            return {"t": "why", "act": asked.act, "code": told[0], "clause": told[1], "say": told[2]}
    except IllegalAction as error:
        return nak("", Refusal("illegal", error.refusal.clause, error.refusal.sentence), ver)
    except SandtableError as error:
        return nak("", Refusal("bad", "", f"{error}."), ver)
    return nak("", Refusal("unknown", "", "That cannot be asked."), ver)
