"""A person at a table: reads what is typed, does it or says why not and what can be done instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sandtable.cli import options, typed
from sandtable.cli.answers import Answers
from sandtable.protocol.errors import SandtableError
from sandtable.protocol.position import DRAW, RESIGN

if TYPE_CHECKING:
    from sandtable.cli.table import Table

try:
    import readline  # arrow keys and earlier lines, where the system has them
except ImportError:
    readline = None  # type: ignore[assignment]

LEAVING = ("quit", "exit", "q")
LEFT = "You leave the table. Next time `save FILE` before `quit` keeps the match; `sandtable play --load FILE` goes on."
AFTERWARDS = ("save", "last", "rules", "board", "help")
ENDED = "The match is over (save FILE, last, rules, quit)> "


def act(table: Table, seat: int) -> bool:
    """Let the person at this seat do one thing; False: has left the table."""
    _mention_offers(table, seat)
    while (line := table.screen.ask(f"{table.seat_name(seat)}> ")) is not None and line not in LEAVING:
        before = (table.position, len(table.position.rows))
        _try(table, _do, line, seat)
        if before != (table.position, len(table.position.rows)):
            return True
    table.screen.say(LEFT)
    return False


def forget() -> None:
    """Another person sits down: what the last one typed is not for the arrow keys."""
    if readline is not None:
        readline.clear_history()


def linger(table: Table) -> None:
    """What can still be done when the match is over: keep it, read on."""
    while (line := table.screen.ask(ENDED)) is not None and line not in (*LEAVING, ""):
        _try(table, _answer_afterwards, line, table.seat or 0)


def _try(table: Table, do: Callable[[Table, str, int], None], line: str, seat: int) -> None:
    """Whatever is wrong with a line is a sentence, and the person may type another."""
    try:
        do(table, line, seat)
    except SandtableError as error:
        table.screen.say(str(error))
    except OSError as error:
        table.screen.say(f"{error.filename or 'the file'}: {error.strerror or error}")


def _do(table: Table, line: str, seat: int) -> None:
    position, answers = table.position, Answers(table, seat)
    word, _, rest = line.partition(" ")
    if not line:
        answers.say(f"{table.scene['ask']['text']} `help` lists what you may type.")
    elif line in (RESIGN, DRAW) or position.why_not(line, seat) is None:
        table.act(line, seat)
    elif word.lower() in typed.COMMANDS and word.lower() not in (RESIGN, DRAW):
        answers.answer(word.lower(), rest.strip())
    elif word in position.game.traits.overlays:
        answers.overlay(word)
    else:
        _refuse(table, line, seat)


def _answer_afterwards(table: Table, line: str, seat: int) -> None:
    word, _, rest = line.partition(" ")
    if word in AFTERWARDS:
        Answers(table, seat).answer(word, rest.strip())
    else:
        table.screen.say("The match is over: `save FILE` keeps it, `quit` leaves.")


def _refuse(table: Table, line: str, seat: int) -> None:
    """Why not, and what else: from the same piece, or words that look alike."""
    position, say = table.position, table.screen.say
    refusal = position.why_not(line, seat)
    say(str(refusal))
    if key := options.source_in(position, seat, line):
        say(f"From {options.name_of(key)} you may: {options.shortened(position.actions_from(key, seat))}")
        return
    near: list[str] = []
    if refusal is not None and refusal.code == "notation":
        near = typed.nearest(line, position.actions(seat), position.game.traits.overlays)
    say(
        f"Did you mean: {', '.join(near)}?" if near else "`moves` lists what you may do, `help` what else you may type."
    )


def _mention_offers(table: Table, seat: int) -> None:
    for offering in table.scene.get("offer", {}).get("draw", []):
        if offering != seat:
            table.screen.say(f"{table.seat_name(offering)} offers a draw: `draw` accepts it.")
