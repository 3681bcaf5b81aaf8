"""`sandtable games`, `sandtable rules` and `sandtable book`: what there is to read."""

from __future__ import annotations

import argparse
import json
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from sandtable.cli.parser import Commands, add_command, add_game, add_json

if TYPE_CHECKING:
    from sandtable.protocol.book import Book, Number

COLUMNS = 79
BOOK = (
    "Each number stands beside its clause; what differs from the standard is marked. A file of your own (a table "
    "[numbers] with lines NAME = VALUE) is checked."
)
BOOK_EXAMPLES = """\
  sandtable book tactics                the standard numbers
  sandtable book tactics guard-squares  a variant
  sandtable book tactics mine.toml      a file of your own
"""
RULES_EXAMPLES = """\
  sandtable rules tactics
  sandtable rules tactics T3    one section
  sandtable rules tactics T3.2  one clause
  sandtable rules tactics --lang es
"""
GAMES_EXAMPLES = "  sandtable games\n"


def add(commands: Commands) -> None:
    add_command(commands, "games", games, "list the games and how each can begin", "", GAMES_EXAMPLES)
    parser = add_command(commands, "rules", rules, "read the rule book of a game", "", RULES_EXAMPLES)
    add_game(parser)
    parser.add_argument("clause", metavar="CLAUSE", nargs="?", help="only this clause or section: T3.2, T3")
    parser.add_argument("--lang", metavar="CODE", default="en", help="language: en, es (default: en)")
    parser = add_command(commands, "book", book, "read the numbers a game is played by", BOOK, BOOK_EXAMPLES)
    add_game(parser)
    parser.add_argument("book", metavar="FILE|NAME", nargs="?", help="a variant, or a file (default: standard)")
    add_json(parser)


def games(wanted: argparse.Namespace) -> int:
    import sandtable

    for name in sandtable.games():
        game = sandtable.game(name)
        print(
            f"{name}: {game.title}, for {' or '.join(map(str, game.traits.seats))}, rules version {game.rules_version}"
        )
        for scenario in map(game.scenario, game.scenarios):
            _told(f"--scenario {scenario.name}", scenario.says)
        for variant in map(game.find_book, game.books):
            _told(f"--book {variant.name}", variant.says)
    return 0


def _told(name: str, says: str) -> None:
    for n, line in enumerate(wrap(says, COLUMNS - 28)):
        print(f"  {name if n == 0 else '':<25} {line}")


def rules(wanted: argparse.Namespace) -> int:
    import sandtable
    from sandtable.cli.rulebook import clause_text

    text = sandtable.game(wanted.game).rules_text(wanted.lang)
    print(clause_text(text, wanted.clause) if wanted.clause else text, end="")
    return 0


def book(wanted: argparse.Namespace) -> int:
    import sandtable
    from sandtable.cli.start import find_book

    game = sandtable.game(wanted.game)
    found = find_book(game, wanted.book)
    if wanted.json:
        print(json.dumps(_as_dict(game.name, found)))
        return 0
    changed = found.differences(game.book)
    print(f"{game.title}, book {found.name} {found.digest}")
    if found.says:
        print("\n".join(wrap(found.says, COLUMNS)))
    print()
    for number in found.numbers.values():
        _print_number(number, game.book.numbers[number.name] if number.name in changed else None)
    if wanted.book is None:
        print(f"Other books (`sandtable book {game.name} NAME`): {', '.join(game.books[1:]) or 'none'}")
    return 0


def _print_number(number: Number, standard: Number | None) -> None:
    """The number beside its clause; a table row by row below."""
    rows = number.value if isinstance(number.value, list) else []
    is_table = bool(rows) and isinstance(rows[0], list)
    shown = "" if is_table else " ".join(map(str, rows)) if rows else str(number.value)
    mark = "" if standard is None else " (changed)" if rows else f" (standard: {standard.value})"
    mark += " (offered)" if number.offer else ""
    print(f"{number.clause:<5} {number.name} {f'= {shown}' if shown else ''}{mark}".rstrip())
    for row in rows if is_table else []:
        print(f"        {' '.join(map(str, row))}")
    limits = "" if rows else f", {number.least} to {number.most}"
    for line in wrap(f"{number.says}{limits}", COLUMNS - 6):
        print(f"      {line}")
    print()


def _as_dict(game: str, book: Book) -> dict[str, Any]:
    numbers = {
        one.name: {
            "value": one.value,
            "clause": one.clause,
            "says": one.says,
            "least": one.least,
            "most": one.most,
            "offer": one.offer,
        }
        for one in book.numbers.values()
    }
    return {"game": game, "book": book.name, "digest": book.digest, "says": book.says, "numbers": numbers}
