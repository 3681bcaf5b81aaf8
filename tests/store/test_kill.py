"""kill -9 at any moment: whatever was answered is there afterwards, without a gap, and the file is whole."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from pathlib import Path

import pytest

from sandtable.store.folder import DataFolder
from sandtable.store.sqlite import SqliteStore
from tests.store import child
from tests.store.suite import entry

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")


def kill_once(place: Path, after_s: float, how: str = "honest") -> list[tuple[str, int]]:
    """What a child said was stored before it was killed, so many seconds after its first answer."""
    with child.start(Path(child.__file__), place, how) as killed:
        assert killed.stdout is not None
        first = killed.stdout.readline()
        time.sleep(after_s)
        killed.kill()
        lines = (first + killed.stdout.read()).decode().split("\n")
    return [(line.split(" ")[0], int(line.split(" ")[1])) for line in lines[:-1]]  # the last line was cut by the kill


async def check(place: Path, answered: list[tuple[str, int]]) -> int:
    """How many answered entries are missing. Gaps, damage and changed entries fail at once."""
    with DataFolder.take(place) as folder:
        assert folder.was_unclean
        store = await SqliteStore.open(folder)  # checks the file, after a fall
        assert await store.faults() == []
        stored: dict[str, int] = {}
        for head in await store.index():
            entries = (await store.load(head.id))[1]
            assert entries == [entry(number) for number in range(len(entries))]
            assert head.number == len(entries)
            stored[head.id] = len(entries)
        await store.close()
    return sum(number >= stored.get(name, 0) for name, number in answered)


def kill_often(place: Path, rounds: int) -> None:
    chance = random.Random(rounds)
    answered: list[tuple[str, int]] = []
    for _ in range(rounds):
        answered += kill_once(place, chance.uniform(0.0, 0.25))
        assert asyncio.run(check(place, answered)) == 0
    assert len(answered) > 100 * rounds
    assert len(set(answered)) == len(answered)


def test_ten_kills_lose_nothing(tmp_path: Path) -> None:
    kill_often(tmp_path / "data", 10)


@pytest.mark.deep
def test_a_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    kill_often(tmp_path / "data", 100)


def test_a_store_that_answered_too_early_would_be_caught(tmp_path: Path) -> None:
    """The test of the test."""
    answered = kill_once(tmp_path / "data", 0.1, "lying")
    assert asyncio.run(check(tmp_path / "data", answered)) > 0
