"""What a table asks of its machines, and what it is answered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from sandtable.kit.dice import MASK_63, draw_at
from sandtable.protocol.errors import Refusal
from sandtable.protocol.position import Position
from sandtable.serve.worker import Task, Thought

SECONDS = 5.0  # for one try, unless the table says otherwise


@dataclass(frozen=True)
class Job:
    """A choice a machine has to make. `job_of` makes one from a position."""

    table: str
    guest: str  # who pays for the thinking
    game: str
    book: str  # as the table keeps it
    seats: int
    record: bytes = field(repr=False)  # what the seat may see
    seat: int
    player: str
    seed: int
    choices: int  # that this seat has made so far: same seed, same number, same choice
    seconds: float = SECONDS

    def task(self, player: str, is_last: bool) -> Task:
        """What of it goes to a worker process: not whose it is, nor the seat's seed, from which it could foresee."""
        drawn = draw_at(self.seed & MASK_63, self.choices)
        return Task(self.game, self.book, self.seats, self.record, self.seat, player, drawn, is_last)


def job_of(
    position: Position, book: str, seat: int, *, player: str, seed: int, choices: int, table: str, guest: str,
    seconds: float = SECONDS,
) -> Job:  # fmt: skip
    """The job for a seat: hidden as it is for that seat's person. `book` is the text the table keeps."""
    record = position.seen(seat).record.tobytes()
    return Job(table, guest, position.game.name, book, position.seats, record, seat, player, seed, choices, seconds)


@dataclass(frozen=True)
class Answer:
    """What is played, and what it took."""

    text: str
    seconds: float  # of a worker's time, all tries together
    faults: tuple[str, ...] = ()  # what went wrong on the way, a sentence each
    is_fallback: bool = False  # the player gave no answer: some legal action


@dataclass(eq=False)
class Ticket:
    """A job on its way."""

    job: Job
    answer: asyncio.Future[Answer | Refusal]
    running: asyncio.Task[Thought] | None = None
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def settle(self, answer: Answer | Refusal) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def answered(self, text: str, is_fallback: bool) -> None:
        self.settle(Answer(text, self.seconds, tuple(self.faults), is_fallback))
