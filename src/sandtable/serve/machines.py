"""Machine seats: players that think in worker processes, fairly, within limits, and whose turn always ends.

A choice is tried twice; after that some legal action is played instead. What comes back is an action text, which the
table checks as it checks a person's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from sandtable.ai.players import names
from sandtable.protocol.errors import Refusal
from sandtable.serve import worker
from sandtable.serve.confine import LIMITS, Limits
from sandtable.serve.fair import FairQueue
from sandtable.serve.jobs import Answer, Job, Ticket, job_of
from sandtable.serve.logs import log
from sandtable.serve.slot import Lost, Slot
from sandtable.serve.worker import FALLBACK, Task, Thought

__all__ = ["BUSY", "GONE", "Answer", "Job", "Machines", "job_of"]

TRIES = 2
LOOK = 1.0  # seconds between two looks at an idle process
REFRESH = 120.0  # seconds that loading machine code may take
REFRESH_EVERY, REFRESH_LATE = 1.0, 3.0  # seconds between two looks for it, and after which jobs wait for that
LONGEST_PAUSE = 10.0  # seconds between two starts of a process that does not come up
PATIENCE = 8.0  # seconds a job waits while every process is only starting
END = 0.9  # seconds for all processes to end

BUSY = Refusal("busy", "", "Too many machines are thinking; try again in a moment.")
GONE = Refusal("gone", "", "The server is stopping.")


class Machines:
    """The worker processes of a server and the queue before them. `start` inside a running loop, `close` at the end."""

    def __init__(
        self, workers: int = 2, *, players: Mapping[str, str] | None = None, waiting: int = 200,
        limits: Limits = LIMITS,
    ) -> None:  # fmt: skip
        """`players` are those a table may name beside the shipped ones, with what find_player makes them from."""
        self.players: dict[str, str] = {name: name for name in names()} | dict(players or {})
        self._threads = ThreadPoolExecutor(2 * workers + 1, "machines")
        self._slots = [Slot(limits, self._threads) for _ in range(workers)]
        self._queue: FairQueue[Ticket] = FairQueue(waiting)
        self._open: set[Ticket] = set()
        self._renewing = asyncio.Lock()  # one process at a time is away for its own sake
        self._runners: list[asyncio.Task[None]] = []
        self._is_closed = False

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @property
    def compiled(self) -> dict[str, tuple[int, int]]:
        """Game → slots that run compiled in every process, and slots there are."""
        known = [slot.compiled for slot in self._slots if slot.compiled]
        return {name: min(of[name] for of in known if name in of) for name in (known[0] if known else ())}

    def start(self) -> None:
        """Warm the processes in the background. A second call does nothing."""
        if not self._runners and not self._is_closed:
            self._runners = [asyncio.create_task(self._serve(slot)) for slot in self._slots]

    async def choose(self, job: Job) -> Answer | Refusal:
        """The action a machine plays; a refusal if the queue is full or the job makes no sense."""
        if self._is_closed:
            return GONE
        if job.player not in self.players:
            return Refusal("unknown", "", f"No player {job.player[:40]!r} is offered here.")
        self.start()
        ticket = Ticket(job, asyncio.get_running_loop().create_future())
        if self._is_down:
            await self._fall_back(ticket)
            return ticket.answer.result()
        if not self._queue.put(job.guest, ticket):
            return BUSY
        self._open.add(ticket)
        try:
            while not ticket.answer.done():
                await asyncio.wait([ticket.answer], timeout=PATIENCE)
                if not any(slot.is_ready for slot in self._slots) and self._queue.drop(job.guest, ticket):
                    await self._fall_back(ticket)
            return ticket.answer.result()
        finally:  # also when nobody waits for it any more
            self._open.discard(ticket)
            self._queue.drop(job.guest, ticket)
            if ticket.running is not None:
                ticket.running.cancel()

    async def close(self) -> None:
        """End every process, whatever it is doing; whoever waits is told."""
        self._is_closed = True
        for ticket in list(self._open):
            ticket.settle(GONE)
        for _ in range(2):  # a wait that ends in the moment it is cancelled can swallow that
            for runner in self._runners:
                runner.cancel()
            if self._runners:
                await asyncio.wait(self._runners, timeout=END / 3)
        ends = [asyncio.create_task(slot.retire()) for slot in self._slots]
        await asyncio.wait(ends, timeout=END)
        self._threads.shutdown(wait=False, cancel_futures=True)

    # ---- one process's life

    @property
    def _is_down(self) -> bool:
        """No process comes up on this machine."""
        return all(slot.failures for slot in self._slots)

    async def _serve(self, slot: Slot) -> None:
        while True:
            try:
                await slot.start()
            except Lost as lost:
                log("machine_down", reason=lost.reason, count=slot.failures, is_warning=slot.failures == 1)
                while self._is_down and (ticket := self._queue.take()):
                    await self._fall_back(ticket)
                await asyncio.sleep(min(0.1 * 2**slot.failures, LONGEST_PAUSE))
                continue
            while slot.is_up:
                is_idle = slot.is_compiled or self._renewing.locked()
                await self._queue.wait(LOOK if is_idle else max(0.0, slot.refresh_at - time.monotonic()))
                try:
                    if not await self._refresh(slot):
                        await self._work(slot)
                except Lost:
                    break

    async def _work(self, slot: Slot) -> None:
        """One job, if one waits. Lost goes on to the caller once the ticket is seen to."""
        ticket = self._queue.take() if slot.is_up else None
        if ticket is None:
            return
        try:
            thought = await self._thought(slot, ticket)
            await self._told(ticket, thought)
        except Lost:
            raise
        except Exception as error:  # a fault of ours: whoever waits is not left waiting
            log("machine_trouble", error=error, table=ticket.job.table)
            ticket.settle(Refusal("internal", "", "The machine cannot think; the fault is the server's."))
            raise Lost("failed", "A fault of the server.") from error
        if thought.is_spent and not self._renewing.locked():
            async with self._renewing:
                await slot.retire()
                await slot.start()
                if len(self._slots) > 1:  # the others serve meanwhile
                    await self._warm(slot)

    async def _thought(self, slot: Slot, ticket: Ticket) -> Thought:
        """One try."""
        begun = time.monotonic()
        is_last = len(ticket.faults) + 1 >= TRIES
        task = ticket.job.task(self.players[ticket.job.player], is_last)
        ticket.running = asyncio.create_task(slot.run(worker.think, task, seconds=ticket.job.seconds))
        await asyncio.wait([ticket.running])
        ticket.seconds += time.monotonic() - begun
        if ticket.running.cancelled():
            raise Lost("cancelled", "Nobody waits for it any more.")
        try:
            return ticket.running.result()
        except Lost as lost:
            await self._failed(ticket, lost.reason, str(lost))
            raise

    async def _told(self, ticket: Ticket, thought: Thought) -> None:
        if thought.bad:
            ticket.settle(Refusal("bad", "", thought.bad))
        elif thought.is_fallback:
            self._note(ticket, "player", thought.fault)
            ticket.answered(thought.text, is_fallback=True)
        elif thought.fault:
            await self._failed(ticket, "player", thought.fault)
        else:
            ticket.answered(thought.text, is_fallback=False)

    async def _failed(self, ticket: Ticket, reason: str, fault: str) -> None:
        """Once more, before everybody else; after the last try some legal action."""
        self._note(ticket, reason, fault)
        if len(ticket.faults) < TRIES:
            self._queue.put_first(ticket)
        else:
            await self._fall_back(ticket)

    def _note(self, ticket: Ticket, reason: str, fault: str) -> None:
        job = ticket.job
        ticket.faults.append(fault)
        log("machine_fault", table=job.table, game=job.game, player=job.player, seat=job.seat, reason=reason)

    async def _fall_back(self, ticket: Ticket) -> None:
        """A legal action found here, in a thread: the table goes on even where no process lives."""
        task = ticket.job.task(FALLBACK, is_last=True)
        try:
            text = await asyncio.get_running_loop().run_in_executor(self._threads, _legal, task)
        except Exception as error:
            ticket.settle(Refusal("bad", "", f"{type(error).__name__}: {error}"[: worker.LONGEST_FAULT]))
        else:
            ticket.answered(text, is_fallback=True)

    async def _refresh(self, slot: Slot) -> bool:
        """Have the process take over new machine code, when nobody waits or it is long due, one process at a time."""
        late = time.monotonic() - slot.refresh_at
        if slot.is_compiled or self._renewing.locked() or late < (REFRESH_LATE if len(self._queue) else 0):
            return False
        async with self._renewing:
            await self._warm(slot)
        return True

    async def _warm(self, slot: Slot) -> None:
        slot.compiled = await slot.run(worker.warm, seconds=REFRESH)
        slot.refresh_at = time.monotonic() + REFRESH_EVERY


def _legal(task: Task) -> str:
    position = worker.position_of(task)
    if task.seat not in position.to_act:
        raise ValueError(f"seat {task.seat} cannot act in this position")
    return worker.legal(position, task)
