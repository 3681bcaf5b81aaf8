"""A server in this process, and guests who use it as browsers do: they rebuild their scene from frames alone.

`house` opens the real application over a folder without a network; `Process` starts the real server. A `Person` asks
by HTTP and opens sockets at either. A `Player` checks every frame: gapless counts, and the hash after each change.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import secrets
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Protocol

from starlette.applications import Starlette
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from sandtable.protocol.scene import patched, scene_hash
from sandtable.serve.app import make_app
from sandtable.serve.config import Config
from sandtable.serve.figures import Figures
from sandtable.serve.hall import Hall
from sandtable.serve.machines import Machines
from sandtable.serve.table import Table
from sandtable.store.folder import DataFolder

Message = dict[str, Any]
ROOT = Path(__file__).parents[2]
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # where syncs cost nothing, for data folders
PORT = 8844
PATIENCE_S = 5.0  # P4: an answer comes within so long, or the line is closed
OVER = ("won", "lost", "drew")


class Ended(Exception):
    """The line is closed, with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(str(code))
        self.code = code


@dataclass
class Reply:
    status: int
    body: bytes
    headers: list[tuple[str, str]]

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Wire(Protocol):
    """One open socket."""

    async def send(self, text: str | bytes) -> None: ...
    async def receive(self) -> str: ...
    async def close(self) -> None: ...


class Door(Protocol):
    """Where a server is reached."""

    async def request(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Reply: ...
    async def socket(self, headers: dict[str, str]) -> Wire: ...


# ---------------------------------------------------------------- in this process


class NoWorkers(Machines):
    """Machine seats that play some legal action, found in a thread: no processes to start."""

    def __init__(self) -> None:
        super().__init__(0)

    async def close(self) -> None:
        self._is_closed = True
        self._threads.shutdown(wait=True, cancel_futures=True)


class _Pipe:
    """A socket handed to the application; `is_stuck` plays a reader who never reads."""

    def __init__(self, app: Starlette, scope: Message) -> None:
        self._in: asyncio.Queue[Message] = asyncio.Queue()
        self.out: asyncio.Queue[Message] = asyncio.Queue()
        self.is_stuck = False
        self._in.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(self._run(app, scope))
        self._code: int | None = None

    async def _run(self, app: Starlette, scope: Message) -> None:
        try:
            await app(scope, self._in.get, self._send)
        except Exception as error:
            logging.getLogger("sandtable.serve").error("socket_failed", exc_info=error)
        self.out.put_nowait({"type": "websocket.close", "code": 1006})

    async def _send(self, message: Any) -> None:
        while self.is_stuck:
            await asyncio.sleep(0.01)
        self.out.put_nowait(message)

    async def accepted(self) -> None:
        message = await asyncio.wait_for(self.out.get(), PATIENCE_S)
        if message["type"] == "websocket.http.response.start":
            raise Ended(message["status"])
        if message["type"] != "websocket.accept":
            raise Ended(403 if message.get("code", 0) else 1006)

    async def send(self, text: str | bytes) -> None:
        kind = "text" if isinstance(text, str) else "bytes"
        self._in.put_nowait({"type": "websocket.receive", kind: text})
        await asyncio.sleep(0)

    async def receive(self) -> str:
        if self._code is not None:
            raise Ended(self._code)
        message = await self.out.get()
        if message["type"] == "websocket.send":
            return str(message["text"])
        self._code = int(message.get("code", 1006))
        raise Ended(self._code)

    async def close(self) -> None:
        """As if the network were gone."""
        self.is_stuck = False
        if not self._task.done():
            self._in.put_nowait({"type": "websocket.disconnect", "code": 1006})
            await asyncio.wait({self._task}, timeout=PATIENCE_S)
        self._code = self._code or 1006


@dataclass
class House:
    """An open server in this process. What it logged as its own fault is in `faults`."""

    app: Starlette
    faults: list[str] = field(default_factory=list)
    pipes: list[_Pipe] = field(default_factory=list)

    @property
    def hall(self) -> Hall:
        hall: Hall = self.app.state.hall
        return hall

    async def table(self, table_id: str) -> Table:
        return await self.hall.table(table_id)

    def _scope(self, kind: str, path: str, headers: dict[str, str]) -> Message:
        plain, _, query = path.partition("?")
        named = {"host": f"127.0.0.1:{PORT}", **headers}
        return {
            "type": kind, "path": plain, "raw_path": plain.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in named.items()], "http_version": "1.1",
            "client": ("127.0.0.1", 40_000), "server": ("127.0.0.1", PORT), "scheme": "http", "state": {},
            "subprotocols": ["sandtable.v1"], "extensions": {"websocket.http.response": {}}, "asgi": {"version": "3.0"},
        }  # fmt: skip

    async def request(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Reply:
        reply = Reply(0, b"", [])
        coming = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            return coming.pop() if coming else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                reply.status = message["status"]
                reply.headers = [(key.decode(), value.decode("latin-1")) for key, value in message["headers"]]
            else:
                reply.body += message.get("body", b"")

        await self.app(self._scope("http", path, headers) | {"method": method}, receive, send)
        return reply

    async def socket(self, headers: dict[str, str]) -> _Pipe:
        pipe = _Pipe(self.app, self._scope("websocket", "/ws", headers))
        await pipe.accepted()
        self.pipes.append(pipe)
        return pipe


class _Faults(logging.Handler):
    def __init__(self, into: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._into = into

    def emit(self, record: logging.LogRecord) -> None:
        self._into.append(self.format(record))


@asynccontextmanager
async def house(data: Path, *, machines: Machines | None = None, **config: Any) -> AsyncIterator[House]:
    """A server over this folder, with wide limits unless told otherwise. Leaving it, nothing may have gone wrong."""
    wide: dict[str, Any] = {"port": PORT, "limits": Figures.wide()}
    settings = Config(data, **wide | config)
    with DataFolder.take(data) as folder:
        app = make_app(settings, folder, machines or NoWorkers())
        opened = House(app)
        handler, logger = _Faults(opened.faults), logging.getLogger("sandtable.serve")
        logger.addHandler(handler)
        try:
            async with app.router.lifespan_context(app):
                yield opened
                await asyncio.gather(*(pipe.close() for pipe in opened.pipes))
        finally:
            logger.removeHandler(handler)
    assert not opened.faults, "\n".join(opened.faults)


# ---------------------------------------------------------------- as a process


class _Socket:
    def __init__(self, line: ClientConnection) -> None:
        self.line = line

    async def send(self, text: str | bytes) -> None:
        try:
            await self.line.send(text)
        except ConnectionClosed as closed:
            raise Ended(closed.rcvd.code if closed.rcvd else 1006) from None

    async def receive(self) -> str:
        try:
            return str(await self.line.recv())
        except ConnectionClosed as closed:
            raise Ended(closed.rcvd.code if closed.rcvd else 1006) from None

    async def close(self) -> None:
        self.line.transport.abort()
        with suppress(Exception):
            await self.line.wait_closed()


class Process:
    """The server as a process of its own, on a free port of this machine. `words`: as wide.py takes them."""

    def __init__(self, data: Path, *words: str) -> None:
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        line = [sys.executable, str(ROOT / "tests" / "serve" / "wide.py"), str(data), *words]
        variables = {**os.environ, "PYTHONPATH": paths, "CI": "1"}
        self.data = data
        self.lines: list[asyncio.BaseTransport] = []
        self.process = subprocess.Popen(
            line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=variables
        )
        said, output = [], self.process.stdout
        assert output is not None
        for told in output:
            said.append(told)
            if told.startswith("Sandtable is at "):
                self.port = int(told.split()[-1].rpartition(":")[2])
            if told.startswith("Matches are kept in "):
                break
        else:
            raise AssertionError("".join(said))

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def serve(self, scene: Callable[[Process], Coroutine[Any, Any, None]]) -> None:
        """Play a scene; afterwards every line is hung up."""

        async def played() -> None:
            try:
                await scene(self)
            finally:
                for line in self.lines:
                    line.abort()  # type: ignore[attr-defined]
                await asyncio.sleep(0.05)

        asyncio.run(played())

    def stop(self) -> str:
        self.process.terminate()
        return self.process.communicate(timeout=10)[0]

    async def request(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Reply:
        def ask() -> Reply:
            asked = HTTPConnection("127.0.0.1", self.port, timeout=20)
            try:
                asked.request(method, path, body, headers)
                answer = asked.getresponse()
                return Reply(answer.status, answer.read(), [(k.lower(), v) for k, v in answer.getheaders()])
            finally:
                asked.close()

        return await asyncio.to_thread(ask)

    async def socket(self, headers: dict[str, str]) -> _Socket:
        line = await connect(
            f"ws://127.0.0.1:{self.port}/ws", subprotocols=[Subprotocol("sandtable.v1")], proxy=None,
            additional_headers=headers, compression=None, max_size=None, ping_interval=None,
        )  # fmt: skip
        self.lines.append(line.transport)
        return _Socket(line)


async def closing(wire: Wire) -> int:
    """Read to the end: the code it is closed with."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await wire.receive()
            except Ended as ended:
                return ended.code


# ---------------------------------------------------------------- people


class Person:
    """A guest with a cookie of his own. `heard` is every byte he was sent."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.cookie = ""
        self.heard: list[bytes] = []

    @property
    def headers(self) -> dict[str, str]:
        cookie = {"cookie": self.cookie} if self.cookie else {}
        return {"x-sandtable": "1", "content-type": "application/json", **cookie}

    async def ask(self, path: str, body: Any = None, **headers: str) -> Reply:
        """A POST where there is a body, else a GET."""
        given = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        method = "GET" if body is None else "POST"
        reply = await self.door.request(method, path, self.headers | headers, given)
        for name, value in reply.headers:
            if name == "set-cookie":
                self.cookie = value.partition(";")[0]
        self.heard.append(reply.body)
        return reply

    async def get(self, path: str, body: Any = None) -> Any:
        """The same where nothing is expected to be refused."""
        reply = await self.ask(path, body)
        assert reply.status == 200, (path, reply.status, reply.body)
        return reply.json

    async def named(self, name: str) -> Person:
        await self.get("/api/me", {"name": name})
        return self

    async def host(self, *seats: str, **more: Any) -> str:
        return str((await self.get("/api/tables", {"game": "tactics", "seats": list(seats), **more}))["id"])

    async def ticket(self, table: str, seat: int | None) -> str:
        return str((await self.get(f"/api/tables/{table}/ticket", {"seat": seat}))["ticket"])

    async def sit(self, table: str, seat: int | None) -> Player:
        """A socket at the table, up to date."""
        player = Player(self, table, seat)
        await player.open()
        return player


class Player:
    """One line to a table. It keeps scene and count as frames tell them, and complains when they do not fit."""

    def __init__(self, person: Person, table: str, seat: int | None) -> None:
        self.person, self.table, self.seat = person, table, seat
        self.scene: dict[str, Any] = {}
        self.ver, self.hash, self.actions = 0, "", 0
        self.welcome: Message = {}
        self.presence: Message = {}
        self.frames: list[Message] = []
        self.log: list[Message] = []
        self.resumed: list[str] = []  # kinds of the frames that followed the last hello
        self.asked, self.told = Counter[str](), Counter[str]()  # commands by id, and answers to them, on this line
        self.wire: Wire | None = None

    async def open(self) -> None:
        self.asked, self.told = Counter(), Counter()
        ticket = await self.person.ticket(self.table, self.seat)
        self.wire = await self.person.door.socket(self.person.headers)
        known = {"have": self.ver, "hash": self.hash}
        await self.say({"t": "hello", "p": 1, "table": self.table, "ticket": ticket, **known})
        self.welcome, self.resumed = await self.next("welcome"), []
        while self.ver != self.welcome["ver"] or (self.welcome["state"] != "open" and not self.scene):
            await self.next()

    async def say(self, message: Message | str) -> None:
        assert self.wire is not None
        await self.wire.send(message if isinstance(message, str) else json.dumps(message))

    async def next(self, kind: str = "") -> Message:
        """The next frame (of this kind). Ended when the line is closed, TimeoutError when nothing comes."""
        assert self.wire is not None
        async with asyncio.timeout(PATIENCE_S):
            while True:
                text = await self.wire.receive()
                self.person.heard.append(text.encode())
                message: Message = json.loads(text)
                self._take(message)
                if kind in ("", message["t"]):
                    return message

    async def quiet(self) -> None:
        """Take whatever is under way: what the server said before it answers to this."""
        await self.say({"t": "ping", "n": len(self.frames)})
        await self.next("pong")

    async def until(self, is_so: Callable[[Player], bool]) -> None:
        while not is_so(self):
            await self.next()

    async def close(self) -> None:
        if self.wire is not None:
            await self.wire.close()
        self.wire = None

    def _take(self, message: Message) -> None:
        self.frames.append(message)
        self.resumed.append(message["t"])
        if message["t"] == "snap":
            self.ver, self.scene, self.log = message["ver"], message["scene"], message["log"]
            self._check(message["hash"])
        elif message["t"] == "ev":
            assert message["ver"] == self.ver + 1, (self.ver, message)
            self.ver, self.scene = message["ver"], patched(self.scene, message["ch"])
            self.log, self.actions = [*self.log, *message["log"]][-200:], message["actions"]
            self._check(message["hash"])
        elif message["t"] in ("ack", "nak") and message["id"]:
            self.told[message["id"]] += 1
        elif message["t"] == "presence":
            self.presence = message

    def _check(self, told: str) -> None:
        self.hash = f"{scene_hash(self.scene):08x}"
        assert self.hash == told, (self.table, self.seat, self.ver)

    # ---- playing

    @property
    def state(self) -> str:
        return str(self.scene.get(f"seat/{self.seat or 0}", {}).get("state", ""))

    @property
    def is_over(self) -> bool:
        return self.state in OVER

    @property
    def may_act(self) -> bool:
        return bool(self.scene.get("ask", {}).get("act"))

    def wish(self, act: str, **more: Any) -> Message:
        salt = secrets.token_hex(16)
        return {"t": "cmd", "id": secrets.token_hex(8), "base": self.ver, "act": act, "salt": salt} | more

    async def command(self, act: str, **more: Any) -> Message:
        """Its answer: an ack or a nak. After an ack the scene is what came of it."""
        answer = await self.deliver(self.wish(act, **more))
        if answer["t"] == "ack":
            await self.until(lambda player: player.ver >= answer["ver"])
        return answer

    async def deliver(self, wish: Message) -> Message:
        self.asked[wish["id"]] += 1
        await self.say(wish)
        while True:
            message = await self.next()
            if message["t"] in ("ack", "nak") and message["id"] == wish["id"]:
                return message

    async def options(self) -> list[str]:
        """Every action there is, as a browser would find them."""
        await self.say({"t": "options"})
        found: list[str] = []
        for source in (await self.next("options")).get("sources", {}):
            await self.say({"t": "options", "at": source})
            found += [option["text"] for option in (await self.next("options"))["list"]]
        return found

    async def choose(self, chance: random.Random) -> str:
        """One action, by source first."""
        await self.say({"t": "options"})
        sources = list((await self.next("options")).get("sources", {}))
        if not sources:
            return ""
        await self.say({"t": "options", "at": chance.choice(sources)})
        listed = (await self.next("options")).get("list", [])
        return str(chance.choice(listed)["text"]) if listed else ""

    async def play(self, chance: random.Random, most: int = 10_000) -> int:
        """To the end, or so many commands; how many were acked."""
        done = 0
        while not self.is_over and done < most:
            if not self.may_act:
                await self.next()
            elif act := await self.choose(chance):
                done += (await self.command(act))["t"] == "ack"
        return done


async def turns(chance: random.Random, count: int, *players: Player) -> int:
    """So many commands of whoever may act, one after the other, until it is over; how many were acked."""
    done = 0
    for _ in range(count):
        for player in players:
            await player.quiet()
        acting = [player for player in players if player.may_act and not player.is_over]
        if not acting:
            break
        player = chance.choice(acting)
        if act := await player.choose(chance):
            done += (await player.command(act))["t"] == "ack"
    return done


async def pair(door: Door, **more: Any) -> tuple[Player, Player]:
    """Two people at a new table that has begun."""
    ada, bo = await Person(door).named("Ada"), await Person(door).named("Bo")
    table = await ada.host("me", "open", **{"scenario": "brief"} | more)
    await bo.get(f"/api/tables/{table}/join", {})
    return await ada.sit(table, 0), await bo.sit(table, 1)
