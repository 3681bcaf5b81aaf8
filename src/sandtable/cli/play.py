"""`sandtable play`: a game in the terminal, or a short one aloud where no terminal is there."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from sandtable.cli.parser import Commands, add_command, add_start, number

if TYPE_CHECKING:
    from sandtable.cli.table import Table
    from sandtable.protocol.match import Match
    from sandtable.protocol.position import Position

GAME = "tactics"
ALOUD_SCENARIO, ALOUD_SEED = "brief", 1
PAUSE = 0.15  # seconds between the sentences of a machine's turn
INVITATION = (
    "That was a short match between machines, because there is no terminal to type in. To play yourself, start this "
    "in a terminal: ./play in the project's folder, or `sandtable play`. `sandtable --help` lists what else there is."
)
MORE = "You sit in the first seat, a machine in the other. At the table `help` lists what you may type."
EXAMPLES = """\
  sandtable play                                  you against the machine
  sandtable play tactics --scenario brief         five pieces a side
  sandtable play tactics --seat me --seat me      two people at one keyboard
  sandtable play tactics --seat greedy --seat me  the machine is White
  sandtable play tactics --seat me --seat bot.py:Bot
  sandtable play tactics --book guard-squares --set draw_after=40 --seed 7
  sandtable play --load match.txt                 go on with a saved match
"""


def add(commands: Commands) -> None:
    parser = add_command(commands, "play", play, "play a game in the terminal", MORE, EXAMPLES)
    parser.add_argument("game", metavar="GAME", nargs="?", help=f"name of the game (default: {GAME})")
    add_start(parser)
    parser.add_argument(
        "--seat", metavar="WHO", action="append", default=[],
        help="who sits down, seat by seat: me, greedy, random or FILE.py:CLASS (default: me, then greedy)",
    )  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=number, help="the dice (default: others every time)")
    parser.add_argument("--load", metavar="FILE", help="go on with this match")


def play(wanted: argparse.Namespace) -> int:
    from sandtable.cli.players import ME, seat_names
    from sandtable.cli.screen import is_terminal

    position, seed = _begin(wanted)
    names = seat_names(wanted.seat, position.seats)
    if ME not in names:
        return _watch(position, names, seed)
    if not is_terminal(sys.stdin):
        return _aloud(wanted)
    return _at_terminal(position, names, seed)


def _begin(wanted: argparse.Namespace) -> tuple[Position, int]:
    """The first position, or the last of a file, and the seed behind everything that is drawn."""
    import sandtable
    from sandtable.cli.files import read_match
    from sandtable.cli.start import book_of
    from sandtable.protocol.errors import SandtableError

    seed = _fresh_seed() if wanted.seed is None else int(wanted.seed)
    if wanted.load is None:
        game = sandtable.game(wanted.game or GAME)
        return game.deal(wanted.scenario, seed=seed, book=book_of(game, wanted)), seed
    if wanted.scenario or wanted.book or wanted.set:
        raise SandtableError("--load brings its own scenario and book: leave out --scenario, --book and --set")
    match = read_match(wanted.load)
    if wanted.game not in (None, match.game.name):
        raise SandtableError(f"{wanted.load} is a match of {match.game.name}, not of {wanted.game}")
    return resumed(match, seed if wanted.seed is not None else None), seed


def resumed(match: Match, seed: int | None = None) -> Position:
    """A match ready to go on: its own dice where the file names them, else (or with a seed) new ones."""
    position = match.position()
    if seed is not None or position.dice is None:
        position = position.copy(seed=_fresh_seed() if seed is None else seed)
    position.roll_due()
    return position


def _fresh_seed() -> int:
    from secrets import randbits

    return randbits(32)


# ---------------------------------------------------------------- three ways to play


def _at_terminal(position: Position, names: list[str], seed: int) -> int:
    from sandtable.cli.background import Takeover
    from sandtable.cli.person import act, linger
    from sandtable.cli.screen import Screen
    from sandtable.cli.table import Table

    screen = Screen()
    table = Table(position, names, screen, seed, pause=PAUSE)
    screen.say(_title(table), "`help` lists what you may type, `rules` the rule book.")
    with Takeover(position.game.engine):
        if table.play(act):
            linger(table)
    return 0


def _watch(position: Position, names: list[str], seed: int) -> int:
    """Only machines: nothing is typed."""
    from sandtable.cli.screen import Screen
    from sandtable.cli.table import Table

    table = Table(position, names, Screen(), seed)
    table.screen.say(_title(table))
    table.play(lambda table, seat: False)
    return 0


def _aloud(wanted: argparse.Namespace) -> int:
    """No terminal to type in: a short match between machines, as sentences."""
    from sandtable.cli.players import FOE
    from sandtable.cli.screen import Screen
    from sandtable.cli.table import Table

    if wanted.load is None and wanted.scenario is None:
        wanted.scenario = ALOUD_SCENARIO
    if wanted.seed is None:
        wanted.seed = ALOUD_SEED
    position, seed = _begin(wanted)
    table = Table(position, [FOE] * position.seats, Screen(), seed, is_watched=False)
    table.screen.say(_title(table))
    table.play(lambda table, seat: False)
    table.screen.say(INVITATION)
    return 0


def _title(table: Table) -> str:
    position = table.position
    sides = [f"{table.seat_name(n)} is {'you' if name == 'me' else name}" for n, name in enumerate(table.names)]
    return f"{position.game.title}, scenario {position.start.scenario}, seed {table.seed}: {', '.join(sides)}."
