"""Two players of tic-tac-toe at boardgame.io's server: its socket.io words over the same wire."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from functools import partial
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
        # By seat, when its move went and in which state. The other one may answer before the mover itself is told.
        self._sent: list[tuple[float, int]] = [(0.0, -1)] * 2
        self._on_way = [False, False]
        self.answered = 0
        self._joined: list[asyncio.Event] = []

    async def sit(self) -> None:
        """A match is made by being asked for; no credentials, which spares the server checking them."""
        self.id = f"m{next(numbers)}"
        self.is_over, self.states, self.answered = False, [None, None], 0
        self._sent, self._on_way = [(0.0, -1)] * 2, [False, False]
        self._joined = [asyncio.Event(), asyncio.Event()]
        if not self.wires:
            for seat in range(2):
                wire = await Wire.open(self.port, PATH, partial(self._hear, seat))
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
        return ids[0] == ids[1] and not any(self._on_way)

    def go(self) -> None:
        """The seat whose turn it is moves, once it has been told so itself."""
        for seat, state in enumerate(self.states):
            is_turn = (
                state is not None and state.ctx.currentPlayer == str(seat) and state._stateID > self._sent[seat][1]
            )
            if self.is_playing and state is not None and is_turn:
                self._send(seat, state)

    def _send(self, seat: int, state: State) -> None:
        cell = self._chance.choice([n for n, sign in enumerate(state.G.cells) if sign is None])
        self._sent[seat], self._on_way[seat] = (time.perf_counter(), state._stateID), True
        move = f'{{"type":"MAKE_MOVE","payload":{{"type":"clickCell","args":[{cell}],"playerID":"{seat}"}}}}'
        self.wires[seat].send(f'42/{GAME},["update",{move},{state._stateID},"{self.id}","{seat}"]')

    def _hear(self, seat: int, wire: Wire, body: bytes) -> None:
        if not body.startswith(EVENT):
            if body == b"2":
                wire.send("3")
            return
        content = body[len(EVENT) :]
        if content.startswith(b'["update"'):
            _, match, state, _rest = read_update(content)
        elif content.startswith(b'["sync"'):
            _, match, synced = read_sync(content)
            state = synced.state
            if match == self.id:
                self._joined[seat].set()
        else:
            return
        if match != self.id:
            return
        self.states[seat] = state
        sent_at, sent_as = self._sent[seat]
        if self._on_way[seat] and state._stateID > sent_as:
            self._on_way[seat] = False
            self.answered += 1
            self.tally.note(time.perf_counter() - sent_at)
        if state.ctx.gameover is not None:
            self.is_over = True
            self.next_match()
        else:
            self.go()

    async def check(self) -> int:
        """There is no hash: both hold the same state, and the server numbered as many moves as were counted here."""
        first, second = self.states
        if first is None or first != second:
            raise AssertionError(f"match {self.id}: the two players were told different things")
        if first._stateID != self.answered:
            raise AssertionError(f"match {self.id}: {self.answered} moves counted, the server made {first._stateID}")
        return 0
