"""Two guests who play Tactics at a table by chance, as fast as the server lets them, and remember every frame."""

from __future__ import annotations

import asyncio
import random
import time
import zlib
from typing import Any

import msgspec

import sandtable
from bench.pair import Pair, Tally
from bench.wire import Wire, ask
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.game import Start
from sandtable.protocol.scene import line

SALT = "00112233445566778899aabbccddeeff"


class Line(msgspec.Struct):
    """A line of the log."""

    faces: list[int]


class Frame(msgspec.Struct):
    """What has to be known of a frame while the game runs; the rest is looked at afterwards."""

    t: str
    ver: int = 0
    roll: dict[str, list[int]] | None = None
    actions: int = 0
    code: str = ""
    say: str = ""
    log: list[Line] = []


read = msgspec.json.Decoder(Frame).decode


class Chair:
    """One seat's side of the socket."""

    def __init__(self, seat: int, cookie: str) -> None:
        self.seat, self.cookie = seat, cookie
        self.wire: Wire | None = None
        self.frames: list[bytes] = []
        self.ver = self.sent = self.may_act = 0
        self.sent_at, self.act = 0.0, ""
        self.answered = 0
        self.acked: int | None = None  # the count from which on the next command may follow

    def command(self) -> None:
        assert self.wire is not None
        self.wire.send(
            f'{{"t":"cmd","id":"{self.sent}","base":{self.ver},"act":"{self.act}","salt":"{SALT}"}}'
        )  # fmt: skip

    @property
    def is_free(self) -> bool:
        return self.acked is not None and self.ver >= self.acked


class TacticsPair(Pair):
    """The rules run here too, on what the frames tell, so that a legal action is known without asking for the list."""

    def __init__(self, port: int, tally: Tally, seed: int, scenario: str = "classic") -> None:
        super().__init__(tally)
        self.port, self.scenario = port, scenario
        self._chance = random.Random(seed)
        self._game = game = sandtable.game("tactics")
        self._book, self._work, self._out = game.book.record, game.blank_work(), blank_actions(1)
        self.chairs: list[Chair] = []

    # ---- sitting down

    async def sit(self) -> None:
        """A new table, both seated and connected, nothing played yet."""
        cookies = [chair.cookie for chair in self.chairs] or [await self._guest(n) for n in range(2)]
        self.chairs = [Chair(seat, cookie) for seat, cookie in enumerate(cookies)]
        wish = {"game": "tactics", "scenario": self.scenario, "seats": ["me", "open"], "listed": False}
        self.id = (await ask(self.port, "/api/tables", wish, cookies[0]))[0]["id"]
        await ask(self.port, f"/api/tables/{self.id}/join", {"seat": 1}, cookies[1])
        self._record = self._game.start_record(Start(self.scenario, 2, 0), self._game.book)
        self.is_over, self._told = False, asyncio.Event()
        for chair in self.chairs:
            await self._connect(chair)
        await asyncio.wait_for(self._told.wait(), 30)

    async def _guest(self, n: int) -> str:
        return (await ask(self.port, "/api/me", {"name": f"Guest {n}"}))[1]

    async def _connect(self, chair: Chair) -> None:
        ticket = (await ask(self.port, f"/api/tables/{self.id}/ticket", {"seat": chair.seat}, chair.cookie))[0]
        headers = {"X-Sandtable": "1", "Cookie": chair.cookie, "Sec-WebSocket-Protocol": "sandtable.v1"}
        chair.wire = await Wire.open(self.port, "/ws", lambda _, body: self._hear(chair, body), headers)
        hello = {"t": "hello", "p": 1, "table": self.id, "ticket": ticket["ticket"]}
        chair.wire.send(msgspec.json.encode(hello).decode())

    def stand_up(self) -> None:
        for chair in self.chairs:
            if chair.wire is not None:
                chair.wire.end()

    # ---- playing

    def go(self) -> None:
        """Everybody who may act and has no command on its way sends one."""
        if not self.is_playing:
            return
        mask = self._game.engine.who(self._book, self._record, 0, self._work)
        for chair in self.chairs:
            if mask >> chair.seat & 1 and chair.may_act and chair.is_free:
                self._send(chair)

    def _send(self, chair: Chair) -> None:
        draw = self._chance.getrandbits(63)
        self._game.engine.pick(self._book, self._record, 0, self._work, chair.seat, draw, self._out)
        chair.act = self._game.notation.write_action(self._out[0])
        self._game.engine.apply(self._book, self._record, 0, self._work, chair.seat, self._out, 0)
        chair.sent, chair.acked, chair.sent_at = chair.sent + 1, None, time.perf_counter()
        chair.command()

    def _hear(self, chair: Chair, body: bytes) -> None:
        frame = read(body)
        if frame.t == "ev":
            chair.frames.append(body)
            chair.ver, chair.may_act = frame.ver, frame.actions
            self._follow(chair, frame)
        elif frame.t == "ack":
            self.tally.note(time.perf_counter() - chair.sent_at)
            chair.acked = frame.ver
            chair.answered += 1
        elif frame.t == "snap":
            chair.frames.append(body)
            chair.ver = chair.acked = frame.ver
            chair.may_act = 1
            if chair.seat == 0:
                self._open(frame)
            if all(one.frames for one in self.chairs):
                self._told.set()
            return
        elif frame.t == "nak" and frame.code == "stale":
            self.tally.stale += 1  # the other seat was ready with its set-up meanwhile: the same command once more
            chair.sent += 1
            chair.command()
            return
        elif frame.t == "nak":
            self.tally.fault(f"nak: {frame.say}")
            return
        elif frame.t == "bye":
            self.tally.fault(f"bye: {frame.say}")
            return
        else:
            return
        if chair.is_free or frame.t == "ev":
            self.go()

    def _open(self, frame: Frame) -> None:
        """The rolls that came before anybody could act."""
        for faces in (said.faces for said in frame.log if said.faces):
            self._game.engine.roll(self._book, self._record, 0, self._work, self._game.notation.outcome_of(faces))

    def _follow(self, chair: Chair, frame: Frame) -> None:
        """An action was applied when it was sent, a roll is when seat 0 is told of it: that keeps the order."""
        at = (self._book, self._record, 0, self._work)
        if frame.roll is not None and chair.seat == 0:
            self._game.engine.roll(*at, self._game.notation.outcome_of(frame.roll["faces"]))
        if self._game.engine.who(*at) == 0 and self._game.engine.chance(*at) == 0:
            self.is_over = True
            self.next_match()

    @property
    def is_idle(self) -> bool:
        return all(chair.is_free for chair in self.chairs)

    # ---- afterwards

    async def check(self) -> int:
        """Rebuild both scenes from the frames alone and ask the server for its own; how many frames there were."""
        count = 0
        for chair in self.chairs:
            built, ver = rebuilt(chair.frames)
            path = f"/api/tables/{self.id}/view?seat={chair.seat}"
            seen = (await ask(self.port, path, cookie=chair.cookie))[0]
            if (seen["ver"], seen["hash"]) != (ver, built):
                raise AssertionError(f"table {self.id}, seat {chair.seat}: {built} at {ver}, there {seen['hash']}")
            played = sum(
                f["t"] == "ev" and f["act"] is not None and f["by"] == chair.seat for f in read_all(chair.frames)
            )
            if played != chair.answered:
                raise AssertionError(f"table {self.id}: {chair.answered} answers, {played} actions in the events")
            count += len(chair.frames)
        return count


def read_all(frames: list[bytes]) -> list[dict[str, Any]]:
    return [msgspec.json.decode(body) for body in frames]


def rebuilt(frames: list[bytes]) -> tuple[str, int]:
    """The hash and the count after these frames; each must follow the one before and end in the hash it names."""
    sums: dict[str, int] = {}
    total = ver = 0
    for number, frame in enumerate(read_all(frames)):
        if number and frame["ver"] != ver + 1:
            raise AssertionError(f"after {ver} came {frame['ver']}")
        ver = frame["ver"]
        for key, value in frame["scene"].items() if frame["t"] == "snap" else frame["ch"]:
            total -= sums.pop(key, 0)
            if value is not None:
                sums[key] = zlib.crc32(line(key, value).encode())
                total += sums[key]
        if frame["hash"] != f"{total % 2**32:08x}":
            raise AssertionError(f"the scene of {ver} is another one than the server's")
    return f"{total % 2**32:08x}", ver
