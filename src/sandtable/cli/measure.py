"""`sandtable duel`, `sandtable fuzz` and `sandtable bench`: what is measured."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.cli.parser import Commands, add_command, add_game, add_json, add_start, count, number

if TYPE_CHECKING:
    from sandtable.protocol.game import Game

LIMIT = 20.0  # CPU seconds that compiling one game may take
DUEL = "Seats rotate from game to game: each deal with its dice is played from every seat. Scores have 95 % limits."
DUEL_EXAMPLES = """\
  sandtable duel tactics --seat greedy --seat random --games 200 --seed 1
  sandtable duel tactics --seat mybot.py:Bot --seat greedy --scenario classic
  sandtable duel tactics --seat greedy --seat random --json
"""
FUZZ = "Plays at random and watches for crashes, dead ends and whatever else must not happen. Exit code 1 if it does."
FUZZ_EXAMPLES = """\
  sandtable fuzz tactics --games 1000 --seed 1
  sandtable fuzz tactics --out failures  where each failure is kept
"""
BENCH = (
    "`bench compile` takes any game's compile time, function by function; the other benchmarks come with the source."
)
BENCH_EXAMPLES = """\
  sandtable bench tactics --json  playouts a second, beside the same in C
  sandtable bench compile         CPU seconds of every kernel of every game
"""


def add(commands: Commands) -> None:
    parser = add_command(commands, "duel", duel, "let two players play many games", DUEL, DUEL_EXAMPLES)
    add_game(parser)
    parser.add_argument(
        "--seat", metavar="PLAYER", action="append", default=[], help="greedy, random or FILE.py:CLASS, once a player"
    )
    parser.add_argument("--games", metavar="N", type=count, default=200, help="how many (default: 200)")
    parser.add_argument("--seed", metavar="N", type=number, default=1, help="same seed, same games (default: 1)")
    add_start(parser)
    add_json(parser)
    parser = add_command(commands, "fuzz", fuzz, "look for faults by playing at random", FUZZ, FUZZ_EXAMPLES)
    add_game(parser)
    parser.add_argument("--games", metavar="N", type=count, default=200, help="how many (default: 200)")
    parser.add_argument("--seed", metavar="N", type=number, default=1, help="same seed, same games (default: 1)")
    parser.add_argument("--out", metavar="DIR", default="fuzz", help="where failures are kept (default: fuzz)")
    add_json(parser)
    parser = add_command(commands, "bench", bench, "measure speed and compile times", BENCH, BENCH_EXAMPLES)
    parser.add_argument("what", metavar="GAME|compile", nargs="?", default="tactics", help="default: tactics")
    parser.add_argument("game", metavar="GAME", nargs="?", help="with compile: only this game")
    add_json(parser)


def duel(wanted: argparse.Namespace) -> int:
    import sandtable
    from sandtable.ai.duel import duel as run
    from sandtable.ai.players import find_player
    from sandtable.cli.compiling import make_ready
    from sandtable.cli.progress import Progress
    from sandtable.cli.start import book_of
    from sandtable.protocol.errors import SandtableError

    game = sandtable.game(wanted.game)
    book = book_of(game, wanted)
    game.scenario(wanted.scenario)  # what is wrong is said before anything is compiled
    if len(wanted.seat) not in game.traits.seats:
        raise SandtableError(
            f"give --seat once a player; {game.title} is for {' or '.join(map(str, game.traits.seats))}"
        )
    for name in wanted.seat:
        find_player(name)
    make_ready(game)
    with Progress(f"{wanted.games} games") as progress:
        result = run(
            game, *wanted.seat, games=wanted.games, seed=wanted.seed, scenario=wanted.scenario, book=book,
            progress=progress,
        )  # fmt: skip
    print(json.dumps(result.as_dict()) if wanted.json else result)
    return 1 if result.faults else 0


def fuzz(wanted: argparse.Namespace) -> int:
    import sandtable

    game = sandtable.game(wanted.game)

    from sandtable.ai.fuzz import fuzz as run
    from sandtable.cli.compiling import make_ready
    from sandtable.cli.progress import Progress

    make_ready(game)
    with Progress(f"{wanted.games} games") as progress:
        report = run(game, wanted.games, wanted.seed, Path(wanted.out), progress)
    failures = [str(failure) for failure in report.failures]
    if wanted.json:
        told = {"game": game.name, "games": report.games, "plies": report.plies, "failures": failures}
        print(json.dumps(told))
    else:
        print(f"{game.name}: {report.games} games, {report.plies} plies, {len(failures)} failures")
        for failure in failures:
            print(f"  {failure}")
    return 1 if failures else 0


def bench(wanted: argparse.Namespace) -> int:
    import sandtable
    from sandtable.protocol.errors import SandtableError

    if wanted.what != "compile" and wanted.game:
        raise SandtableError(f"bench takes one game, found {wanted.what} and {wanted.game}")
    if wanted.what == "compile":
        names = [wanted.game] if wanted.game else sandtable.games()
        return _bench_compile([sandtable.game(name) for name in names], wanted.json)
    from sandtable.cli.checkout import run_benchmark

    return run_benchmark(sandtable.game(wanted.what), wanted.json)


def _bench_compile(games: list[Game], as_json: bool) -> int:
    told = {game.name: _compile_seconds(game) for game in games}
    sums = {name: sum(seconds.values()) for name, seconds in told.items()}
    if as_json:
        print(json.dumps({name: _as_dict(seconds) for name, seconds in told.items()}))
    else:
        for name, seconds in told.items():
            for function, spent in sorted(seconds.items(), key=lambda item: -item[1]):
                print(f"{spent:8.2f} s  {function}")
            verdict = "within" if sums[name] <= LIMIT else "MORE THAN"
            print(f"{sums[name]:8.2f} s  {name}: {len(seconds)} functions, {verdict} the {LIMIT:.0f} CPU s of a game")
    return 0 if all(spent <= LIMIT for spent in sums.values()) else 1


def _compile_seconds(game: Game) -> dict[str, float]:
    """CPU seconds of every function, compiled from nothing into a folder that is thrown away."""
    from tempfile import TemporaryDirectory

    from sandtable.cli.progress import Progress
    from sandtable.kit.kernel import Compiler

    twins = list(game.engine.twins.values())
    with TemporaryDirectory() as folder, Progress(f"Compiling {game.name}") as progress:
        compiler = Compiler(game.engine.types, Path(folder), game.engine.bounds_check)
        for done, twin in enumerate(twins):
            progress(done, len(twins), twin.__name__)
            compiler.entry(twin)
    return compiler.seconds


def _as_dict(seconds: dict[str, float]) -> dict[str, Any]:
    whole = sum(seconds.values())
    functions = {name: round(spent, 3) for name, spent in seconds.items()}
    return {"cpu_seconds": round(whole, 2), "limit": LIMIT, "ok": whole <= LIMIT, "functions": functions}
