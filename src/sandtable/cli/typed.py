"""The words a person may type beside actions: what each says in `help`, and which word was meant."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

# {source}, {action} and {letter} are taken from the game as it stands, so that every line can be typed as it is.
WORDS = {
    "moves": "all you may do; the board shows how many actions each piece has",
    "moves {source}": "what may be done from there; the board shows where, and the cost",
    "odds {action}": "what may come of an action over all rolls",
    "why {action}": "whether an action is allowed, and which rule forbids it",
    "last": "what happened since your last turn",
    "board": "the board again",
    "list": "while you set up: what is left to place",
    "random": "while you set up: place what is left by chance",
    "undo": "take back your last action, as far as no dice fell since",
    "rules": "the rule book's sections; `rules {letter}1` reads one",
    "save FILE": "keep the match, to go on, to show or to verify",
    "load FILE": "go on with a match from a file",
    "draw": "offer a draw, or accept one",
    "resign": "give up",
    "help": "this list",
    "quit": "leave the table",
}
COMMANDS = tuple(dict.fromkeys(word.split()[0] for word in WORDS))


def help_lines(source: str, action: str, letter: str, overlays: Sequence[str]) -> list[str]:
    """Every word with what it does; the game's overlays stand among them."""
    told = {word.format(source=source, action=action): says.format(letter=letter) for word, says in WORDS.items()}
    shown = {name: f"{name} on the board, and in words" for name in overlays}
    width = max(map(len, told)) + 2
    return [f"  {word:<{width}}{says}" for word, says in (told | shown).items()]


def nearest(word: str, actions: Sequence[str], overlays: Sequence[str]) -> list[str]:
    """Commands and actions that look like what was typed, the likeliest first."""
    return get_close_matches(word, [*COMMANDS, *overlays, *actions], 3, 0.6)
