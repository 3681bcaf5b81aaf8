"""Whole games as text, made anew by `python -m tests.conformance.transcripts` and compared line by line by the tests.

Each game's tests/games/<game>/transcripts.py says which: RECIPES, a function for each that plays one. Two files come of
it, both in the folder transcripts: NAME.match, the match file, and NAME.txt to be read, with sentences and boards.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from sandtable.kit.dice import draw_at
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.match import Match
from sandtable.protocol.position import Position

Recipe = Callable[[], Position]
BOARD_EVERY = 16  # rows between two boards


def folder(game_name: str) -> Path:
    return Path(__file__).parents[1] / "games" / game_name / "transcripts"


def recipes(game_name: str) -> dict[str, Recipe]:
    found: dict[str, Recipe] = import_module(f"tests.games.{game_name}.transcripts").RECIPES
    return found


# ---------------------------------------------------------------- playing


def play_on(position: Position, style: str, seed: int, plies: int | None = None) -> Position:
    """Let a scripted slot (pick, greedy) play for whoever may act first: to the end, or so many plies."""
    out = blank_actions(1)
    count = 0
    while position.to_act and (plies is None or count < plies):
        seat = position.to_act[count % len(position.to_act)]
        seen = position.seen(seat)
        slot = getattr(position.game.engine, style)
        slot(position.book.record, seen.record, 0, position.game.blank_work(), seat, draw_at(seed, count), out)
        position.play(position.game.notation.write_action(out[0]), seat=seat)
        count += 1
    return position


# ---------------------------------------------------------------- writing


def transcript(match: Match) -> str:
    """The match to be read: every row with what happened, and now and then the board and what may be played."""
    return "\n".join(_lines(match)) + "\n"


def _lines(match: Match) -> Iterator[str]:
    game, start = match.game, match.start
    yield f"{game.title} {game.rules_version}, scenario {start.scenario}, book {match.book.name}, dice {match.dice}"
    positions = match.positions()
    replayed = Position(game, match.book, start, dice=match.source())
    since = BOARD_EVERY
    for number, row in enumerate(match.rows):
        before = positions[number]
        if since >= BOARD_EVERY and before.to_act:
            yield from _board(before)
            since = 0
        who = "-" if row.seat is None else game.view.seat_name(row.seat, game.words())
        yield f"{number:3} {who}: {row.text}"
        yield from (
            f"      {event} {event.clause and f'({event.clause})'}".rstrip() for event in replayed.replay_row(row)
        )
        since += 1
    yield from _board(positions[-1])
    if match.outcome:
        yield f"{positions[-1].outcome.sentence} Places: {' '.join(map(str, match.outcome[0]))}."  # type: ignore[union-attr]


def _board(position: Position) -> Iterator[str]:
    yield ""
    yield from textwrap.indent(position.text().rstrip("\n"), "    ").split("\n")
    for seat in position.to_act:
        name = position.game.view.seat_name(seat, position.game.words())
        texts = position.actions(seat)
        said = f"{len(texts)} actions of {name}: {', '.join(texts)}"
        yield from textwrap.wrap(said, 116, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    yield ""


def files(game_name: str) -> dict[str, str]:
    """What should lie in the folder: names and texts."""
    made = {}
    for name, recipe in recipes(game_name).items():
        match = recipe().match()
        made |= {f"{name}.match": match.text(), f"{name}.txt": transcript(match)}
    return made


def write() -> None:
    from tests.conformance.games import REGISTERED

    for game_name in REGISTERED:
        place = folder(game_name)
        place.mkdir(exist_ok=True)
        made = files(game_name)
        for old in place.iterdir():
            if old.name not in made:
                old.unlink()
        for name, text in made.items():
            (place / name).write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    write()
