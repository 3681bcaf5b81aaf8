"""The server's own rules: interpreted from the first second on, compiled as soon as the machine code is on the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from sandtable.protocol.engine import Engine, compile_policy, has_compiler
from sandtable.serve.logs import log

FIRST_S, LOOK_S = 1.0, 2.0  # the first page goes before; then between two looks


async def warm_up(engines: Iterable[Engine]) -> None:
    """Take over each game's slots when all of them are stored. A move then costs the loop a tenth."""
    if compile_policy() == "0" or not has_compiler():
        return
    waiting = list(engines)
    await asyncio.sleep(FIRST_S)
    while waiting:
        for engine in list(waiting):
            try:
                if await asyncio.to_thread(_take, engine):
                    waiting.remove(engine)
            except Exception as error:  # no machine code for this machine: the twin plays on
                log("not_compiled", error=error, is_warning=True)
                waiting.remove(engine)
        await asyncio.sleep(LOOK_S)


def _take(engine: Engine) -> bool:
    if not engine.is_all_stored:
        return False
    engine.take_stored()
    return True
