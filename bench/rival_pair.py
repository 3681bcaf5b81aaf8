"""Two players of tic-tac-toe at boardgame.io's server: its socket.io words over the same wire."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from typing import Any

import msgspec

from bench.pair import Pair, Tally
from bench.wire import Wire

GAME = "tic-tac-toe"
PATH = "/socket.io/?EIO=4&transport=websocket"
EVENT = f"42/{GAME},".encode()
numbers = itertools.count()


class Board(msgspec.Struct):
    cells: list[str | None]
    round: int


class Context(msgspec.Struct):
    currentPlayer: str  # noqa: N815
    gameover: Any = None


class State(msgspec.Struct):
    G: Board
    ctx: Context
    _stateID: int  # noqa: N815  (boardgame.io's own name)


class Synced(msgspec.Struct):
    state: State


read_update = msgspec.json.Decoder(tuple[str, str, State, msgspec.Raw]).decode
read_sync = msgspec.json.Decoder(tuple[str, str, Synced]).decode


class RivalPair(Pair):
    """There is no ack: a move is answered when its player is sent the new state."""

    def __init__(self, port: int, tally: Tally, seed: int) -> None:
        super().__init__(tally)
        self.port = port
        self._chance = random.Random(seed)
        self.wires: list[Wire] = []
        self.states: list[State | None] = [None, None]
        self._sent_at, self._sent_as = 0.0, -1  # the state that the move on its way was sent in
        self._joined: list[asyncio.Event] = []

    async def sit(self) -> None:
        """A match is made by being asked for; no credentials, which spares the server checking them."""
        self.id = f"m{next(numbers)}"
        self.is_over, self.states, self._sent_as = False, [None, None], -1
        self._joined = [asyncio.Event(), asyncio.Event()]
        if not self.wires:
            for seat in range(2):
                wire = await Wire.open(self.port, PATH, lambda _, body, seat=seat: self._hear(seat, body))
                self.wires.append(wire)
                wire.send(f"40/{GAME},")
        for seat, wire in enumerate(self.wires):
            wire.send(f'42/{GAME},["sync","{self.id}","{seat}",null,2]')
            await asyncio.wait_for(self._joined[seat].wait(), 30)

    def stand_up(self) -> None:
        """The next match is played on the same sockets."""

    @property
    def is_idle(self) -> bool:
        ids = [state._stateID if state else -1 for state in self.states]
        return ids[0] == ids[1] > self._sent_as

    def go(self) -> None:
        """The seat whose turn it is moves, once it has been told so itself."""
        for seat, state in enumerate(self.states):
            if self.is_playing and state and state.ctx.currentPlayer == str(seat) and state._stateID > self._sent_as:
                self._send(seat, state)

    def _send(self, seat: int, state: State) -> None:
        cell = self._chance.choice([n for n, sign in enumerate(state.G.cells) if sign is None])
        self._sent_as, self._sent_at = state._stateID, time.perf_counter()
        move = f'{{"type":"MAKE_MOVE","payload":{{"type":"clickCell","args":[{cell}],"playerID":"{seat}"}}}}'
        self.wires[seat].send(f'42/{GAME},["update",{move},{state._stateID},"{self.id}","{seat}"]')

    def _hear(self, seat: int, body: bytes) -> None:
        if not body.startswith(EVENT):
            if body == b"2":
                self.wires[seat].send("3")
            return
        content = body[len(EVENT) :]
        if content.startswith(b'["update"'):
            _, match, state, _ = read_update(content)
        elif content.startswith(b'["sync"'):
            _, match, synced = read_sync(content)
            state = synced.state
            if match == self.id:
                self._joined[seat].set()
        else:
            return
        if match != self.id:
            return
        before, self.states[seat] = self.states[seat], state
        if before is not None and before._stateID == self._sent_as and before.ctx.currentPlayer == str(seat):
            self.tally.note(time.perf_counter() - self._sent_at)
        if state.ctx.gameover is not None:
            self.is_over = True
            self.next_match()
        else:
            self.go()

    async def check(self) -> int:
        """There is no hash: both hold the same state."""
        if self.states[0] != self.states[1]:
            raise AssertionError(f"match {self.id}: the two players were told different things")
        return 0
