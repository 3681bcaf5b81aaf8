"""`python -m bench.table`: moves a second through the real server, beside boardgame.io's own, and the wait under load.

100 matches at once, 200 sockets, every move answered only when it is on the disk. Both players of a match afterwards
build its scene from the frames they were sent and compare it with the server's. The rounds alternate in one run: ours,
ours with a disk that takes 5 ms to sync, boardgame.io in memory with tic-tac-toe. Each has a fresh server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

import sandtable
from bench.pair import Pair, Tally, waits
from bench.quiet import quiet
from bench.rival_pair import RivalPair
from bench.serving import Served, rival_server, sandtable_server
from bench.tactics_pair import TacticsPair
from sandtable.protocol.errors import SandtableError

MATCHES, ROUNDS, SECONDS = 100, 3, 8.0
WARM_S = 1.0
SLOW_SYNC_MS = 5.0
OURS, SLOW = "sandtable", "sandtable, 5 ms sync"
RIVAL, PLAIN = "boardgame.io", "boardgame.io, plain"  # ten rounds a match, which costs it less; one, as the game goes

RATIOS = (("ratio", OURS, RIVAL), ("ratio_5ms", SLOW, RIVAL), ("ratio_plain", OURS, PLAIN))


async def load(pairs: Sequence[Pair], tally: Tally, served: Served, seconds: float) -> dict[str, Any]:
    """One round: everybody plays as fast as the answers come."""
    try:
        for start in range(0, len(pairs), 10):
            await asyncio.gather(*(pair.sit() for pair in pairs[start : start + 10]))
        for pair in pairs:
            pair.is_running = True
            pair.go()
        await asyncio.sleep(WARM_S)
        began, own, server = time.perf_counter(), time.process_time(), served.cpu_s()
        tally.is_on = True
        await asyncio.sleep(seconds)
        tally.is_on = False
        wall = time.perf_counter() - began
        own, server = time.process_time() - own, served.cpu_s() - server
        matches = tally.matches
        await asyncio.gather(*(pair.finish() for pair in pairs))
    except BaseException:
        for pair in pairs:
            pair.is_running = False
            pair.stand_up()
        raise
    if tally.faults:
        raise SandtableError(f"the bench failed: {tally.faults[0]} ({len(tally.faults)} faults)")
    moves = len(tally.waits)
    return {
        "moves": moves, "moves_per_s": round(moves / wall), **waits(tally.waits), "matches_over": matches,
        "sent_again": tally.stale,
        "frames_checked": sum(pair.frames for pair in pairs), "server_cpu": round(server / wall, 2),
        "server_us_a_move": round(server / max(1, moves) * 1e6), "client_cpu": round(own / wall, 2),
    }  # fmt: skip


def one_round(kind: str, number: int, seconds: float, matches: int) -> dict[str, Any]:
    """A round with a server of its own."""

    async def ours(served: Served) -> dict[str, Any]:
        tally = Tally()
        pairs = [TacticsPair(served.port, tally, 1_000 * number + n) for n in range(matches)]
        return await load(pairs, tally, served, seconds)

    async def rival(served: Served) -> dict[str, Any]:
        tally = Tally()
        return await load([RivalPair(served.port, tally, n) for n in range(matches)], tally, served, seconds)

    if kind in (RIVAL, PLAIN):
        with rival_server(10 if kind == RIVAL else 1) as served:
            return asyncio.run(rival(served))
    with sandtable_server(SLOW_SYNC_MS if kind == SLOW else 0.0) as served:
        return asyncio.run(ours(served))


def measure(rounds: int, seconds: float, matches: int, with_rival: bool = True) -> dict[str, Any]:
    """Rounds of each kind in turn, and the medians of their ratios to boardgame.io's round before them."""
    sandtable.game("tactics").engine.compile()
    kinds = (RIVAL, PLAIN, OURS, SLOW) if with_rival else (OURS, SLOW)
    found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
    for number in range(rounds):
        for kind, its_rounds in found.items():
            its_rounds.append(one_round(kind, number, seconds, matches))
            print(f"{kind:22} {shown(its_rounds[-1])}", file=sys.stderr, flush=True)
    result: dict[str, Any] = {"matches": matches, "seconds": seconds, "rounds": found}
    for name, kind, other in RATIOS if with_rival else ():
        rows = zip(found[kind], found[other], strict=True)
        ratios = [ours["moves_per_s"] / max(1, its["moves_per_s"]) for ours, its in rows]
        result[name] = round(statistics.median(ratios), 2)
    return result


def shown(row: dict[str, Any]) -> str:
    return (
        f"{row['moves_per_s']:6,} moves/s   p50 {row['p50_ms']:6.2f}   p99 {row['p99_ms']:6.2f} ms   "
        f"server {row['server_us_a_move']:4} µs a move, {row['server_cpu']:.0%}   client {row['client_cpu']:.0%}   "
        f"{row['matches_over']} matches over, {row['frames_checked']:,} frames checked"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.table", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="measured in each round")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--alone", action="store_true", help="without boardgame.io")
    parser.add_argument("--part", choices=("load", "quiet", "all"), default="all")
    wanted = parser.parse_args(arguments)
    result: dict[str, Any] = {}
    try:
        if wanted.part != "quiet":
            result |= measure(wanted.rounds, wanted.seconds, wanted.matches, not wanted.alone)
        if wanted.part != "load":
            result["quiet"] = quiet(wanted.seconds)
    except SandtableError as error:
        print(f"{error}.", file=sys.stderr)
        return 1
    if wanted.json:
        print(json.dumps(result))
        return 0
    if "ratio" in result:
        names = ", ".join(f"{name} {result[name]}" for name, _, _ in RATIOS)
        print(f"moves/s beside boardgame.io's, medians: {names}")
    for name, row in result.get("quiet", {}).items():
        print(f"{name}: {row}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
