"""P12: frames no browser sends, against a real server. Each gets its close code; honest people notice nothing."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import struct
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.serve.client import Person, Player, Process, pair, turns

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="reads /proc, stops by signal")

TEXT, BINARY, CLOSE = 1, 2, 8
MIB = 1 << 20


def frame(opcode: int, payload: bytes, *, final: bool = True, masked: bool = True, length: int | None = None) -> bytes:
    """A frame as it goes over the wire; `length` may lie."""
    size = len(payload) if length is None else length
    head = bytes([opcode | (0x80 if final else 0)])
    bit = 0x80 if masked else 0
    if size < 126:
        head += bytes([bit | size])
    elif size < 1 << 16:
        head += bytes([bit | 126]) + struct.pack("!H", size)
    else:
        head += bytes([bit | 127]) + struct.pack("!Q", size)
    return head + (bytes(4) if masked else b"") + payload  # a mask of zeros changes nothing


class Raw:
    """A connection on which any bytes may be sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @staticmethod
    async def shake(server: Process, **headers: str | None) -> tuple[int, Raw]:
        """The handshake's status. None leaves a header out."""
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        server.lines.append(writer.transport)
        given: dict[str, str | None] = {
            "Host": f"127.0.0.1:{server.port}", "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Protocol": "sandtable.v1", "Origin": f"http://127.0.0.1:{server.port}",
        }  # fmt: skip
        lines = [f"{name}: {value}" for name, value in (given | headers).items() if value is not None]
        writer.write("\r\n".join(["GET /ws HTTP/1.1", *lines, "", ""]).encode())
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
        return int(head.split()[1]), Raw(reader, writer)

    async def code(self, seconds: float = 7.0) -> int:
        """The close code; 1006 when the connection just ends."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            async with asyncio.timeout(seconds):
                while True:
                    first, second = await self.reader.readexactly(2)
                    size = second & 0x7F
                    if size >= 126:
                        size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
                    payload = await self.reader.readexactly(size)
                    if first & 15 == CLOSE:
                        return int.from_bytes(payload[:2], "big")
        return 1006

    async def send(self, data: bytes) -> None:
        with suppress(ConnectionError):
            self.writer.write(data)
            await self.writer.drain()

    def close(self) -> None:
        self.writer.transport.abort()


def text(words: str) -> bytes:
    return frame(TEXT, words.encode())


DEEP = '{"t":"ping","n":' + "[" * 3_000 + "]" * 3_000 + "}"
# What is sent, the code it ends with before the hello, and after it.
HOSTILE: dict[str, tuple[bytes, int, int]] = {
    "a mebibyte": (frame(TEXT, b"x" * MIB), 1009, 1009),
    "a header that claims a gibibyte": (frame(TEXT, b"x", length=1 << 30), 1009, 1009),
    "many fragments, too long in all": (
        frame(TEXT, b"x" * 64, final=False) + frame(0, b"x" * 64, final=False) * 500, 1009, 1009,
    ),
    "not masked": (frame(TEXT, b'{"t":"ping"}', masked=False), 1002, 1002),
    "bad UTF-8": (frame(TEXT, b'{"t":"\xff\xfe"}'), 1007, 1007),
    "a reserved opcode": (frame(5, b"x"), 1002, 1002),
    "a reserved bit": (frame(TEXT | 0x40, b"x"), 1002, 1002),
    "a ping too long": (frame(9, b"x" * 126), 1002, 1002),
    "a continuation of nothing": (frame(0, b"x"), 1002, 1002),
    "binary": (frame(BINARY, b'{"t":"ping"}'), 1003, 1003),
    "bad JSON": (text("{"), 4400, 4400),
    "unknown fields": (text('{"t":"ping","x":1}'), 4400, 4400),
    "an unknown kind": (text('{"t":"chat"}'), 4400, 4400),
    "nested deep": (text(DEEP), 4400, 4400),
    "a second hello": (text('{"t":"hello","p":1,"table":"22222","ticket":"x"}'), 4401, 4400),
    "nothing at all": (text(""), 4400, 4400),
}  # fmt: skip


async def enter(server: Process, person: Person, table: str) -> Raw:
    """A line that has said hello."""
    ticket = await person.ticket(table, None)
    status, raw = await Raw.shake(server, Cookie=person.cookie)
    assert status == 101
    await raw.send(text(json.dumps({"t": "hello", "p": 1, "table": table, "ticket": ticket})))
    return raw


@asynccontextmanager
async def honest(*players: Player) -> AsyncIterator[list[float]]:
    """Two people who play meanwhile, and how long their pings take."""
    took: list[float] = []

    async def ping() -> None:
        while True:
            begun = time.perf_counter()
            await players[0].say({"t": "ping"})
            await players[0].next("pong")
            took.append(time.perf_counter() - begun)
            await asyncio.sleep(0.01)

    task = asyncio.create_task(ping())
    try:
        yield took
    finally:
        assert not task.done() or task.result() is None
        task.cancel()


def memory_kib(server: Process) -> int:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def faults(server: Process) -> list[str]:
    """What it logged as its own. uvicorn notes bad handshakes and bad UTF-8 as errors; they are not ours."""
    lines = (server.data / "logs" / "sandtable.log").read_text().splitlines()
    return [line for line in lines if json.loads(line)["level"] == "error" and json.loads(line)["event"] != "library"]


async def warm(server: Process) -> int:
    """Its memory once the compiler is loaded."""
    before = 0
    async with asyncio.timeout(20):
        while (now := memory_kib(server)) != before or now < 100 * 1_024:
            before = now
            await asyncio.sleep(0.4)
    return now


def test_every_hostile_frame_gets_its_code_and_honest_people_play_on(data: Path) -> None:
    async def scene(server: Process) -> None:
        ada, bo = await pair(server, scenario="classic")
        eve = await Person(server).named("Eve")
        async with honest(ada) as took:
            for name, (sent, before, after) in HOSTILE.items():
                _, raw = await Raw.shake(server)
                await raw.send(sent)
                assert await raw.code() == before, name
                raw.close()
                raw = await enter(server, eve, ada.table)
                await raw.send(sent)
                assert await raw.code() == after, name
                raw.close()
            begun = await warm(server)
            mob = [(await Raw.shake(server))[1] for _ in range(40)]
            for number, raw in enumerate(mob):
                await raw.send(list(HOSTILE.values())[number % len(HOSTILE)][0])
            unfinished = [(await Raw.shake(server))[1] for _ in range(5)]
            for raw in unfinished:
                await raw.send(frame(TEXT, b"x", final=False) * 1 + frame(0, b"x", final=False) * 499)
            assert await unfinished[0].code() == 4408  # a hello that never ends comes too late
            for raw in [*mob, *unfinished]:
                raw.close()
            assert memory_kib(server) - begun < 20 * 1_024
        await bo.say({"t": "ping"})
        await bo.next("pong")
        assert sorted(took)[int(len(took) * 0.99)] < 0.25
        mover = ada if ada.may_act else bo
        await mover.quiet()
        assert (await mover.command((await mover.options())[0]))["t"] == "ack"

    with Process(data / "d") as server:
        server.serve(scene)
        assert faults(server) == []


ORIGINS: dict[str, tuple[Callable[[int], str | None], int]] = {
    "our own": (lambda port: f"http://127.0.0.1:{port}", 101),
    "our own by another name": (lambda port: f"http://localhost:{port}", 101),
    "none": (lambda port: None, 403),
    "null": (lambda port: "null", 403),
    "another site": (lambda port: "https://evil.example", 403),
    "another port": (lambda port: f"http://127.0.0.1:{port + 1}", 403),
    "https": (lambda port: f"https://127.0.0.1:{port}", 403),
    "ours with a tail": (lambda port: f"http://127.0.0.1:{port}.evil.example", 403),
    "ours in front": (lambda port: f"http://127.0.0.1:{port}@evil.example", 403),
    "with a path": (lambda port: f"http://127.0.0.1:{port}/", 403),
    "a prefix": (lambda port: "http://127.0.0.1", 403),
    "empty": (lambda port: "", 403),
}


def test_foreign_pages_are_turned_away_and_so_are_bad_handshakes(data: Path) -> None:
    async def scene(server: Process) -> None:
        for name, (origin, expected) in ORIGINS.items():
            status, raw = await Raw.shake(server, Origin=origin(server.port))
            raw.close()
            assert status == expected, name
        status, raw = await Raw.shake(server, Origin=None, **{"X-Sandtable": "1"})
        raw.close()
        assert status == 101  # a program
        for headers in ({"Sec-WebSocket-Protocol": "chat.v9"}, {"Sec-WebSocket-Protocol": None}):
            status, raw = await Raw.shake(server, **headers)
            raw.close()
            assert status in (400, 403)
        for headers in ({"Host": "evil.example"}, {"Host": None}):
            status, raw = await Raw.shake(server, **headers)
            raw.close()
            assert status in (400, 421)
        for path, status in (("/api/tables", 403), ("/api/me", 403)):
            reply = await Person(server).ask(path, {"name": "Eve"}, origin="https://evil.example")
            assert (reply.status, reply.json["code"]) == (status, "origin")

    with Process(data / "d") as server:
        server.serve(scene)
        assert faults(server) == []


def test_who_never_reads_holds_up_nobody_and_no_memory(data: Path) -> None:
    async def scene(server: Process) -> None:
        ada, bo = await pair(server, scenario="classic")
        eve = await Person(server).named("Eve")
        stuck = [await enter(server, eve, ada.table) for _ in range(5)]
        for raw in stuck:
            raw.reader._transport.pause_reading()  # type: ignore[attr-defined]
        begun, chance = await warm(server), random.Random(3)
        for raw in stuck:  # each asks for far more than it reads
            await raw.send(text('{"t":"resync"}') * 300)
        async with honest(ada) as took:
            await asyncio.gather(turns(chance, 5, bo), asyncio.sleep(0.5))
        assert sorted(took)[int(len(took) * 0.95)] < 0.5
        assert memory_kib(server) - begun < 20 * 1_024
        for raw in stuck:
            raw.close()

    with Process(data / "d") as server:
        server.serve(scene)
        assert faults(server) == []


def test_a_server_that_stops_says_so_and_hangs_up(data: Path) -> None:
    async def scene(server: Process) -> None:
        ada, bo = await pair(server)
        raws = [await enter(server, bo.person, ada.table) for _ in range(3)]
        begun = time.monotonic()
        server.process.terminate()
        assert (await ada.next("drain"))["in_s"] > 0
        assert {await raw.code() for raw in raws} <= {1001, 1012}
        server.process.wait(5)
        assert time.monotonic() - begun < 3

    with Process(data / "d") as server:
        server.serve(scene)
        assert server.process.returncode == 0
