"""The command line as argparse sees it: help that teaches, and mistakes answered in one sentence."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from difflib import get_close_matches
from textwrap import fill
from typing import Any, NoReturn

from sandtable import __version__

COLUMNS = 79
DESCRIPTION = "Turn-based war games on one table: play, replay, measure."
EPILOG = """\
examples:
  sandtable play                                play Tactics against the machine
  sandtable rules tactics                       read the rule book first
  sandtable duel tactics --seat greedy --seat random --games 200

sandtable COMMAND --help teaches one command.
"""


class Parser(argparse.ArgumentParser):
    """One sentence instead of a usage paragraph when something is wrong, and the nearest word there is."""

    def __init__(self, **given: Any) -> None:
        super().__init__(formatter_class=_Formatter, allow_abbrev=False, **given)

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (`{self.prog} --help` teaches it)", file=sys.stderr)
        raise SystemExit(2)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(name) for name in action.choices]
            near = get_close_matches(str(value), names, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(names)}"
            raise argparse.ArgumentError(None, f"no {action.metavar or action.dest} {str(value)[:40]!r}; {hint}")


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=COLUMNS)


Commands = Any  # argparse keeps the class of its subparsers to itself


def build() -> argparse.ArgumentParser:
    """Every command with its options. Each group's file adds its own."""
    from sandtable.cli import book, compiling, data, match, measure, play, seat, serve

    parser = Parser(prog="sandtable", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"sandtable {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser, required=True)
    for group in (serve, play, seat, book, match, measure, compiling, data):
        group.add(commands)
    return parser


def add_command(
    commands: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int],
    says: str,
    more: str = "",
    examples: str = "",
) -> Parser:
    """A command with the sentence that lists it, what its help tells beyond that, and examples to copy."""
    parser: Parser = commands.add_parser(
        name,
        help=says,
        description=fill(f"{says[:1].upper()}{says[1:]}. {more}", COLUMNS),
        epilog=f"examples:\n{examples}" if examples else None,
    )
    parser.set_defaults(run=run)
    return parser


def command_of(given: list[str]) -> str:
    """What to call the command in a sentence about it."""
    return f"sandtable {given[0]}" if given and given[0].isalpha() else "sandtable"


# ---------------------------------------------------------------- options several commands share


def add_game(parser: Parser, **more: Any) -> None:
    parser.add_argument("game", metavar="GAME", help="name of the game (`sandtable games` lists them)", **more)


def add_start(parser: Parser) -> None:
    parser.add_argument("--scenario", metavar="NAME", help="how it begins (`sandtable games` lists the ways)")
    parser.add_argument("--book", metavar="NAME|FILE", help="the numbers it is played by (`sandtable book GAME`)")
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="change one number of the book; may be repeated",
    )


def add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def count(text: str) -> int:
    """A whole number from 1 up."""
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 up, found {text[:40]!r}")
    return int(text)


def number(text: str) -> int:
    """A whole number from 0 up, small enough for a seed."""
    if not text.isascii() or not text.isdigit() or len(text) > 19 or int(text) >= 1 << 63:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 up, found {text[:40]!r}")
    return int(text)
