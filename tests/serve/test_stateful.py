"""P3 and P4: whatever the network drops, repeats, holds back or cuts, and however often the server starts anew, every
command that arrives is answered once, takes effect at most once, and a repeat gets the same answer."""

from __future__ import annotations

import asyncio
import random
import tempfile
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from tests.serve.client import MEMORY, House, Message, Person, Player, house

SEATS = st.sampled_from([0, 1])
WORDS = ["resign", "draw", "takeback", "takeback turn", "end", "nonsense", "e2-e9", "draw"]


@dataclass
class Sent:
    """A command somebody once made up, and what he was told of it."""

    wish: Message
    seat: int
    ack: Message | None = None


class Network(RuleBasedStateMachine):
    """Two people with a line each that may be down, and frames the network has not delivered yet."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="sandtable-", dir=MEMORY)
        self.loop = asyncio.new_event_loop()
        self.home: House
        self._open: AbstractAsyncContextManager[House]
        self.people: list[Person] = []
        self.lines: list[Player] = []
        self.up = [False, False]
        self.sent: list[Sent] = []
        self.held: list[Sent] = []  # on their way

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    @initialize(scenario=st.sampled_from(["brief", "opening", "classic"]), seed=st.integers(0, 99))
    def begin(self, scenario: str, seed: int) -> None:
        dice = random.Random(seed)  # the same secrets in each run of an example
        self.dice = patch("secrets.token_hex", lambda count=32: dice.randbytes(count).hex())
        self.dice.start()
        self.start()
        self.people = [self.run(Person(self.home).named(name)) for name in ("Ada", "Bo")]
        self.table = self.run(self.people[0].host("me", "open", scenario=scenario, seed=seed))
        self.run(self.people[1].get(f"/api/tables/{self.table}/join", {}))
        self.lines = [Player(person, self.table, seat) for seat, person in enumerate(self.people)]

    def start(self) -> None:
        self._open = house(Path(self.folder.name) / "data")
        self.home = self.run(self._open.__aenter__())
        for person in self.people:
            person.door = self.home

    def line(self, seat: int) -> Player:
        """Back on the line if need be; whatever is under way is taken."""
        player = self.lines[seat]
        if not self.up[seat]:
            self.run(player.open())
            self.up[seat] = True
        return player

    # ---- what people do

    @rule(seat=SEATS, pick=st.integers(0, 10_000), word=st.sampled_from([*WORDS, *[""] * 24]), lag=st.integers(0, 2))
    def make(self, seat: int, pick: int, word: str, lag: int) -> None:
        """A command, legal mostly, based now and then on what is no longer so. It is not delivered yet."""
        player = self.line(seat)
        position = self.run(self.home.table(self.table)).position
        legal = position.actions(seat) if seat in position.to_act else []
        act = word if word or not legal else legal[pick % len(legal)]
        wish = player.wish(act or "end", id=f"c{len(self.sent)}")
        sent = Sent(wish | {"base": wish["base"] - (lag if word else 0)}, seat)
        self.sent.append(sent)
        self.held.append(sent)

    @precondition(lambda self: self.held)
    @rule(pick=st.integers(0, 10_000), is_lost=st.sampled_from([False] * 5 + [True]))
    def deliver(self, pick: int, is_lost: bool) -> None:
        """In any order; or never."""
        sent = self.held.pop(pick % len(self.held))
        if not is_lost:
            self.check(sent, self.run(self.line(sent.seat).deliver(sent.wish)))

    @precondition(lambda self: self.sent)
    @rule(pick=st.integers(0, 10_000), by_http=st.booleans())
    def repeat(self, pick: int, by_http: bool) -> None:
        """The same command once more, by socket or by its twin."""
        sent = self.sent[pick % len(self.sent)]
        if by_http:
            body = {"seat": sent.seat, **{key: value for key, value in sent.wish.items() if key != "t"}}
            self.check(sent, self.run(self.people[sent.seat].get(f"/api/tables/{self.table}/cmd", body)))
        else:
            self.check(sent, self.run(self.line(sent.seat).deliver(sent.wish)))

    @precondition(lambda self: self.sent)
    @rule(pick=st.integers(0, 10_000))
    def repeat_at_once(self, pick: int) -> None:
        """Three times through different doors, all at the same moment."""
        sent = self.sent[pick % len(self.sent)]
        body = {"seat": sent.seat, **{key: value for key, value in sent.wish.items() if key != "t"}}
        person, line = self.people[sent.seat], self.line(sent.seat)

        async def all_at_once() -> list[Message]:
            twin = f"/api/tables/{self.table}/cmd"
            answers = await asyncio.gather(person.get(twin, body), line.deliver(sent.wish), person.get(twin, body))
            return list(answers)

        answers: list[Message] = self.run(all_at_once())
        acks = [answer for answer in answers if answer["t"] == "ack"]
        assert all(ack == acks[0] for ack in acks)
        for answer in sorted(answers, key=lambda told: told["t"] != "ack"):
            self.check(sent, answer)

    @precondition(lambda self: self.sent)
    @rule(pick=st.integers(0, 10_000))
    def reuse(self, pick: int) -> None:
        """Its id with another act."""
        used = [sent for sent in self.sent if sent.ack]
        if not used:
            return
        sent = used[pick % len(used)]
        answer = self.run(self.line(sent.seat).deliver(sent.wish | {"act": sent.wish["act"] + "x"}))
        assert (answer["t"], answer["code"]) == ("nak", "id_reused")

    # ---- what the network and the server do

    @rule(seat=SEATS)
    def cut(self, seat: int) -> None:
        if self.up[seat]:
            self.run(self.lines[seat].quiet())
            assert self.lines[seat].told == self.lines[seat].asked  # P4: one answer to each
        self.hang_up(seat)

    def hang_up(self, seat: int) -> None:
        self.run(self.lines[seat].close())
        self.up[seat] = False

    @precondition(lambda self: self.held)
    @rule(pick=st.integers(0, 10_000))
    def cut_before_the_answer(self, pick: int) -> None:
        """It arrives, and what is said to it does not."""
        sent = self.held[pick % len(self.held)]  # still held: it will come a second time
        self.run(self.line(sent.seat).say(sent.wish))
        self.hang_up(sent.seat)

    @precondition(lambda self: self.lines)
    @rule(is_cut=st.booleans())
    def restart(self, is_cut: bool) -> None:
        for seat in (0, 1):
            if is_cut or not self.up[seat]:
                self.cut(seat)
        self.run(self._open.__aexit__(None, None, None))
        for seat in (0, 1):
            self.hang_up(seat)
        self.start()

    # ---- the model

    def check(self, sent: Sent, answer: Message) -> None:
        """`deliver` and the twin have already made sure that there is one answer, in time."""
        assert answer["id"] == sent.wish["id"]
        if sent.ack is not None:
            assert answer == sent.ack
        elif answer["t"] == "ack":
            sent.ack = answer
        else:
            assert answer["say"].endswith((".", "!")), answer
            assert answer["code"] in ("stale", "illegal", "not_your_turn", "over", "bad", "gone"), answer

    def teardown(self) -> None:
        try:
            if self.lines:
                self.run(self.settle())
                self.run(self._open.__aexit__(None, None, None))
        finally:
            self.dice.stop()
            self.loop.close()
            self.folder.cleanup()

    async def settle(self) -> None:
        """What is stored is what was acked, each command once; both scenes are the server's; one answer to each."""
        entries = (await self.home.hall.store.load(self.table))[1]
        ids = [(entry.seat, entry.command_id) for entry in entries if entry.command_id]
        assert len(ids) == len(set(ids))
        made = {(sent.seat, sent.wish["id"]): sent for sent in self.sent}
        for entry in entries:
            if entry.command_id:
                assert entry.rows[0].text.startswith(made[entry.seat or 0, entry.command_id].wish["act"].split(" ")[0])
        acked = {key for key, sent in made.items() if sent.ack}
        assert acked <= set(ids)
        for sent in self.sent:  # what was never answered is answered now, as it went
            line = self.lines[sent.seat]
            if line.wire is None:
                await line.open()
            is_stored = (sent.seat, sent.wish["id"]) in ids
            if is_stored:
                answer = await line.deliver(sent.wish)
                assert answer["t"] == "ack"
                self.check(sent, answer)
        for seat, line in enumerate(self.lines):
            if line.wire is None:
                await line.open()
            await line.quiet()
            told = await self.people[seat].get(f"/api/tables/{self.table}/view?seat={seat}")
            assert (told["ver"], told["hash"], told["scene"]) == (line.ver, line.hash, line.scene)
            assert line.told == line.asked
            await line.close()


def test_the_network_does_what_it_likes() -> None:
    run_state_machine_as_test(Network, settings=settings(max_examples=25, stateful_step_count=30))


@pytest.mark.deep
def test_the_network_does_what_it_likes_for_long() -> None:
    run_state_machine_as_test(Network, settings=settings(max_examples=400, stateful_step_count=60, derandomize=False))
