"""Few moves beside many idle sockets, while machines burn their cores: does anybody wait for them? (promise P10)"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from bench.pair import Tally, waits
from bench.serving import Served, sandtable_server
from bench.tactics_pair import Chair, TacticsPair
from bench.wire import Wire, ask
from sandtable.protocol.errors import SandtableError

IDLE, PER_S, PAIRS, BURNING = 500, 100, 50, 2
STARTING_S = 20.0


class PacedPair(TacticsPair):
    """Plays one move when it is told to, instead of as many as it can."""

    may_move = False

    def go(self) -> None:
        if self.may_move:
            super().go()

    def _send(self, chair: Chair) -> None:
        if self.may_move:
            self.may_move = False
            super()._send(chair)


def quiet(seconds: float) -> dict[str, Any]:
    """The same load twice: with the machines at rest, then with every worker burning."""
    with sandtable_server(workers=BURNING) as served:
        return asyncio.run(_quiet(served, seconds))


async def _quiet(served: Served, seconds: float) -> dict[str, Any]:
    idle = [await _idler(served.port) for _ in range(IDLE)]
    tally = Tally()
    pairs = [PacedPair(served.port, tally, 77_000 + n) for n in range(PAIRS)]
    for pair in pairs:
        await pair.sit()
        pair.is_running = True
    result: dict[str, Any] = {"idle_sockets": len(idle), "at_rest": await _paced(pairs, tally, served, seconds)}
    burning = await ask(served.port, "/api/me", {"name": "Burner"})
    seats = ["machine:burner", "machine:burner"]
    for _ in range(2 * BURNING):
        wish = {"game": "tactics", "scenario": "classic", "seats": seats, "listed": False}
        await ask(served.port, "/api/tables", wish, burning[1])
    await _until_they_burn(served)
    before = served.workers_cpu_s()
    result["burning"] = await _paced(pairs, tally, served, seconds)
    result["burning"]["workers_cpu"] = round((served.workers_cpu_s() - before) / seconds, 2)
    for pair in pairs:
        await pair.finish()
    for wire in idle:
        if wire.closed:
            tally.fault(f"an idle socket was closed: {wire.closed}")
        wire.end()
    if tally.faults:
        raise SandtableError(f"the bench failed: {tally.faults[0]} ({len(tally.faults)} faults)")
    return result


async def _idler(port: int) -> Wire:
    """A guest who waits at a table of his own for somebody to join."""
    cookie = (await ask(port, "/api/me", {"name": "Idle"}))[1]
    wish = {"game": "tactics", "scenario": "classic", "seats": ["me", "open"], "listed": False}
    table = (await ask(port, "/api/tables", wish, cookie))[0]["id"]
    ticket = (await ask(port, f"/api/tables/{table}/ticket", {"seat": 0}, cookie))[0]["ticket"]
    headers = {"X-Sandtable": "1", "Cookie": cookie, "Sec-WebSocket-Protocol": "sandtable.v1"}
    wire = await Wire.open(port, "/ws", lambda _, body: None, headers)
    wire.send(f'{{"t":"hello","p":1,"table":"{table}","ticket":"{ticket}"}}')
    return wire


async def _paced(pairs: list[PacedPair], tally: Tally, served: Served, seconds: float) -> dict[str, Any]:
    """So many moves a second, one table after the other, whether the last ones were answered or not."""
    tally.waits, tally.is_on = [], True
    began, server = time.perf_counter(), served.cpu_s()
    for number in range(int(seconds * PER_S)):
        await asyncio.sleep(max(0.0, began + number / PER_S - time.perf_counter()))
        pair = pairs[number % len(pairs)]
        pair.may_move = True
        pair.go()
    await asyncio.sleep(0.5)
    tally.is_on = False
    wall = time.perf_counter() - began
    cpu = round((served.cpu_s() - server) / wall, 2)
    return {"moves": len(tally.waits), **waits(tally.waits), "server_cpu": cpu}


async def _until_they_burn(served: Served) -> None:
    end = time.perf_counter() + STARTING_S
    while time.perf_counter() < end:
        before = served.workers_cpu_s()
        await asyncio.sleep(1)
        if served.workers_cpu_s() - before > 0.5:
            return
    raise SandtableError("the machines do not think")
