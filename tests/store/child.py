"""A process to be killed: it stores entries as fast as it can and says which ones were answered."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TABLES = 20


def start(*arguments: str | Path) -> subprocess.Popen[bytes]:
    """Python, with the package and the tests at hand; its output and input are pipes."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def main(place: str, how: str) -> None:
    from sandtable.store.folder import DataFolder

    asyncio.run(_append_for_ever(DataFolder.take(Path(place)), how))


async def _append_for_ever(folder: Any, how: str) -> None:
    from sandtable.store.sqlite import SqliteStore
    from tests.store.suite import table

    # A short idle time: the log is cut now and then, so that kills also fall into that.
    store = await SqliteStore.open(folder, sync_delay_ms=20.0 if how == "lying" else 0.0, idle_s=0.002)
    known = {head.id: head.number for head in await store.index()}
    for n in range(TABLES):
        if f"T{n:04}" not in known:
            await store.create(table(f"T{n:04}"))
    await asyncio.gather(*(_append(store, f"T{n:04}", known.get(f"T{n:04}", 0), how) for n in range(TABLES)))


async def _append(store: Any, name: str, number: int, how: str) -> None:
    from tests.store.suite import entry

    while True:
        stored = asyncio.ensure_future(store.append(name, entry(number), to_act=(number % 2,)))
        if how == "lying":  # answers before the commit, as this house does not
            await asyncio.sleep(0)
            os.write(1, f"{name} {number}\n".encode())
        await stored
        if how != "lying":
            os.write(1, f"{name} {number}\n".encode())
        number += 1
        if number % 50 == 0:
            await asyncio.sleep(0.01)


if __name__ == "__main__":
    main(*sys.argv[1:])
