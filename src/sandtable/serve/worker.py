"""What runs in a worker process: a player's choice, made from nothing but what its seat may see.

The server imports this file too, for the records that travel, so it loads nothing by itself.
"""

from __future__ import annotations

import contextlib
import random
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from sandtable.serve import confine
from sandtable.serve.confine import LIMITS, Limits

if TYPE_CHECKING:
    from pathlib import Path

    from sandtable.protocol.book import Book
    from sandtable.protocol.engine import Engine
    from sandtable.protocol.position import Position

LONGEST_ANSWER = 1000  # characters; no action of any game comes near
LONGEST_FAULT = 200
FALLBACK = "random"  # plays `pick`: some legal action, whatever the player does


@dataclass(frozen=True)
class Task:
    """One choice to make: what the seat may see and a seed of its own. No dice, no secret, nobody's name."""

    game: str
    book: str  # as a table keeps it: "NAME DIGEST", then a line "set NUMBER VALUE" for each other number
    seats: int
    record: bytes  # `hide`'s copy of the position
    seat: int
    player: str  # as find_player takes it
    seed: int
    is_last: bool  # if the player fails once more, FALLBACK answers for it


@dataclass(frozen=True)
class Thought:
    """What came of it: an action text, or why there is none."""

    text: str = ""
    fault: str = ""  # what the player did wrong
    bad: str = ""  # what is wrong with the task itself
    is_fallback: bool = False
    is_spent: bool = False  # this process has had its share


@dataclass
class _Share:
    """What this process has had of its share."""

    limits: Limits = LIMITS
    jobs: int = 0
    memory_before: int = 0
    is_out_of_memory: bool = False

    @property
    def is_spent(self) -> bool:
        grown = confine.memory() - self.memory_before
        return self.is_out_of_memory or self.jobs >= self.limits.jobs or grown > self.limits.growth


_share = _Share()


# ---------------------------------------------------------------- getting ready


def begin(limits: Limits, server: int) -> None:
    """The first thing a worker does."""
    confine.confine(limits, server)
    import sandtable
    from sandtable.ai import players  # noqa: F401 (loaded now, not while somebody waits)
    from sandtable.store import matches  # noqa: F401

    for name in sandtable.games():
        _engine(name)
    confine.silence()
    _share.limits, _share.memory_before = limits, confine.memory()


def ready() -> None:
    """The first job of a process: it is there."""


@cache
def _engine(name: str) -> Engine | None:
    """A game's engine; None for one that cannot be loaded, which is that game's trouble alone."""
    import sandtable

    try:
        return sandtable.game(name).engine
    except Exception:
        return None


@cache
def _stored(folder: Path) -> set[str]:
    """Which of the machine code there has been tried."""
    return set()


def warm() -> dict[str, tuple[int, int]]:
    """Take over the machine code that is there by now: game → slots that run compiled, and slots there are."""
    import sandtable

    before = confine.memory()
    found = {name: _warm(engine) for name in sandtable.games() if (engine := _engine(name)) is not None}
    _share.memory_before += confine.memory() - before  # the compiler is no player's growth
    return found


def _warm(engine: Engine) -> tuple[int, int]:
    from sandtable.protocol.engine import COMPILED, compile_policy

    slots = len(engine.kind)
    if compile_policy() == "0":
        return slots, slots  # there will be no more
    folder = _folder(engine)
    marks = {mark.name for mark in folder.glob("*.done")}
    if marks - _stored(folder):
        _stored(folder).update(marks)
        with contextlib.suppress(Exception):  # no compiler on this machine: the twin plays
            engine.take_stored()
    return sum(kind == COMPILED for kind in engine.kind.values()), slots


@cache
def _folder(engine: Engine) -> Path:
    """Asked once: its name is a digest of every source."""
    return engine.folder


# ---------------------------------------------------------------- thinking


def think(task: Task) -> Thought:
    """One player, made anew for one choice: same task, same answer, whichever process it comes to."""
    _share.jobs += 1
    try:
        position = position_of(task)
    except Exception as error:
        return Thought(bad=_told(error))
    if task.seat not in position.to_act:
        return Thought(bad=f"Seat {task.seat} cannot act in this position.")
    text, fault = _choice(position, task)
    is_fallback = bool(fault) and task.is_last
    if is_fallback:
        text = legal(position, task)
    return Thought(text, fault, is_fallback=is_fallback, is_spent=_share.is_spent)


def _choice(position: Position, task: Task) -> tuple[str, str]:
    """The player's answer if it is a legal action, else what it did wrong."""
    from sandtable.ai.players import find_player

    random.seed(task.seed)  # a player that draws from Python's own source repeats itself too
    try:
        answer = find_player(task.player, task.seed).choose(position.seen(task.seat), task.seat)
    except MemoryError:
        _share.is_out_of_memory = True
        return "", "MemoryError: a player does not get more."
    except BaseException as error:  # sys.exit too: nothing a player raises ends the worker
        return "", _told(error)
    if not isinstance(answer, str) or len(answer) > LONGEST_ANSWER:
        return "", f"It answered with a long text or a {type(answer).__name__}, which is no action."
    text = str.__str__(answer)  # a plain string, whatever class the player made of it
    try:
        refusal = position.why_not(text, task.seat)
    except Exception as error:
        return "", _told(error)
    return (text, "") if refusal is None else ("", _one_line(f"It answered {text[:40]!r}: {refusal}"))


def _told(error: BaseException) -> str:
    try:
        return _one_line(f"{type(error).__name__}: {error}")
    except Exception:  # a player's own class, whose text fails as well
        return type(error).__name__


def _one_line(text: str) -> str:
    """For a log: whatever a player says stays in its line."""
    return "".join(sign if sign.isprintable() else " " for sign in text[:LONGEST_FAULT])


def position_of(task: Task) -> Position:
    """The position as its seat may see it. How it was dealt is not in it: a map's seed may be a secret."""
    import numpy as np

    import sandtable
    from sandtable.protocol.game import Start
    from sandtable.protocol.position import Position

    game = sandtable.game(task.game)
    size = game.layout.POSITION.itemsize
    if len(task.record) != size:
        raise ValueError(f"a position of {task.game} has {size} bytes, not {len(task.record)}")
    record = np.frombuffer(task.record, dtype=game.layout.POSITION).copy()
    return Position(game, _book(task.game, task.book), Start(Start.OWN, task.seats, 0), dice=None, record=record)


@lru_cache(64)
def _book(game: str, text: str) -> Book:
    import sandtable
    from sandtable.store.matches import read_book

    return read_book(text, sandtable.game(game))


def legal(position: Position, task: Task) -> str:
    """Some legal action, when the player gives none."""
    from sandtable.ai.players import find_player

    return find_player(FALLBACK, task.seed).choose(position.seen(task.seat), task.seat)
