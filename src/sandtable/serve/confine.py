"""A process that harms nobody: it yields, stays small and silent, and does not outlive the server."""

from __future__ import annotations

import os
import signal
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
STATM = Path("/proc/self/statm")
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What a worker process may use."""

    niceness: int = 15
    memory: int = 2048 * MEGABYTE  # of address space
    growth: int = 200 * MEGABYTE  # beyond what it had when it was ready; then a fresh process takes over
    jobs: int = 200  # likewise


LIMITS = Limits()


def confine(limits: Limits, server: int) -> None:
    """Before anything else is loaded: numpy's threads and memory are to stay within the limits too."""
    _end_with(server)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # compiled code never lets a handler of Python's run
    if hasattr(os, "nice"):
        os.nice(limits.niceness)
    _limit_memory(limits.memory)
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))


def _end_with(server: int) -> None:
    """Whatever becomes of the server, kill -9 too."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != server:  # it ended before this line
        os._exit(1)
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    """For systems that do not end a child with its parent."""
    import multiprocessing

    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _limit_memory(size: int) -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    except (ImportError, ValueError, OSError):
        return  # a system without such limits


def silence() -> None:
    """What a player prints is not for the server's terminal."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def memory() -> int:
    """What this process holds, in bytes; elsewhere than on Linux the most it ever held, 0 where nothing is told."""
    try:
        import resource

        if STATM.exists():  # Linux, whose ru_maxrss a process inherits from the one that started it
            return int(STATM.read_text("ascii").split()[1]) * resource.getpagesize()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    except (ImportError, OSError):
        return 0
