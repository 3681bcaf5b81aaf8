"""One worker process. Pebble starts it and kills it by the clock; this file says when, and what became of it.

Each process is a pool of its own: what happens to one, holding a lock or not, never reaches the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

import pebble

from sandtable.serve import worker
from sandtable.serve.confine import Limits

Value = TypeVar("Value")

START = 60.0  # seconds for a process to be there; the first one on a slow machine reads everything from the disk
GRACE = 1.0  # seconds after which a job that its own clock should have ended counts as stuck
pebble.CONSTS.term_timeout = 0.3  # seconds between asking a process to end and ending it


class Lost(Exception):
    """The process is gone, or was ended because it took too long: a word and a sentence about which."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Slot:
    """A place for one worker process at a time."""

    def __init__(self, limits: Limits, threads: Executor) -> None:
        self._limits = limits
        # The system ends a worker together with the thread that started it, so these threads must last.
        self._threads = threads
        self._pool: pebble.ProcessPool | None = None
        self.is_ready = False  # it has started; being lost since shows at the next job
        self.failures = 0  # starts in a row that came to nothing
        self.refresh_at = 0.0  # when to look for new machine code
        self.compiled: dict[str, tuple[int, int]] = {}

    @property
    def is_up(self) -> bool:
        return self._pool is not None and self._pool.active

    @property
    def is_compiled(self) -> bool:
        return bool(self.compiled) and all(done == slots for done, slots in self.compiled.values())

    async def start(self) -> None:
        """Until a process is there and waits for jobs."""
        self.is_ready = False
        try:
            if not self.is_up:
                await self.retire()
                self._pool = self._made()  # known before it starts anything: what is cancelled here is still ended
                await self._wait(await self._begun(self._pool), START)
            else:  # pebble has put a new process in the place of one that was lost
                await self.run(worker.ready, seconds=START)
        except Lost:
            self.failures += 1
            await self.retire()
            raise
        self.is_ready, self.failures, self.refresh_at, self.compiled = True, 0, time.monotonic(), {}

    async def _begun(self, pool: pebble.ProcessPool) -> Future[None]:
        """The first job starts the process, which takes a moment."""
        in_thread = asyncio.get_running_loop().run_in_executor
        try:
            return await in_thread(self._threads, pool.schedule, worker.ready)
        except (RuntimeError, OSError) as error:  # no room for another process
            raise Lost("failed", f"No process can be started ({error}).") from None

    def _made(self) -> pebble.ProcessPool:
        return pebble.ProcessPool(
            max_workers=1, initializer=worker.begin, initargs=(self._limits, os.getpid()),
            context=multiprocessing.get_context("spawn"),
        )  # fmt: skip

    async def run(self, function: Callable[..., Value], *args: Any, seconds: float) -> Value:
        """What the function gives in the process; Lost if the process does not live to tell."""
        try:
            if self._pool is None:
                raise RuntimeError("no process")
            future: Future[Value] = self._pool.schedule(function, args=args, timeout=seconds)
        except RuntimeError as error:
            raise Lost("gone", f"There is no process ({error}).") from None
        return await self._wait(future, seconds)

    async def _wait(self, future: Future[Value], seconds: float) -> Value:
        """A cancelled wait ends the process too."""
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), seconds + GRACE)
        except TimeoutError:
            if future.cancelled():  # pebble's own clock did not get hold of it
                await self.retire()
            raise Lost("late", f"No answer within {seconds:g} s.") from None
        except pebble.ProcessExpired as error:
            raise Lost("died", f"The process died (code {error.exitcode}).") from None
        except Exception as error:
            raise Lost("failed", f"The process failed ({type(error).__name__}: {error}).") from None

    async def retire(self) -> None:
        """End the process, whatever it is doing."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._threads, _end, pool))


def _end(pool: pebble.ProcessPool) -> None:
    with contextlib.suppress(RuntimeError):  # a process that not even the system can end now
        pool.stop()
        pool.join()
