"""`sandtable show` and `sandtable verify`: a match file looked at and checked."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from sandtable.cli.parser import Commands, add_command, add_json, number

if TYPE_CHECKING:
    from sandtable.cli.screen import Screen
    from sandtable.cli.story import Story

SHOW = "Enter or n goes to the next ply, p to the one before, a number to that ply, q leaves."
SHOW_EXAMPLES = """\
  sandtable show match.txt         step through it
  sandtable show match.txt | less  all as sentences
  sandtable show match.txt --ply 12 --svg board.svg
"""
VERIFY = (
    "Plays the file again, recomputes every roll from its source, and says what does not fit. Exit code 1 if anything."
)
VERIFY_EXAMPLES = """\
  sandtable verify match.txt
  sandtable verify match.txt --json
"""


def add(commands: Commands) -> None:
    parser = add_command(commands, "show", show, "step through a match", SHOW, SHOW_EXAMPLES)
    parser.add_argument("file", metavar="FILE", help="a match file")
    parser.add_argument(
        "--ply", metavar="N", type=number, help="show only the position after so many rows; 0: the first"
    )
    parser.add_argument("--svg", metavar="OUT", help="write that position (the last one without --ply) as a picture")
    parser = add_command(commands, "verify", verify, "check a match file, dice and all", VERIFY, VERIFY_EXAMPLES)
    parser.add_argument("file", metavar="FILE", help="a match file")
    add_json(parser)


def show(wanted: argparse.Namespace) -> int:
    from sandtable.cli.files import read_match
    from sandtable.cli.screen import Screen, is_terminal
    from sandtable.cli.story import Story
    from sandtable.protocol.errors import SandtableError

    screen, story = Screen(), Story(read_match(wanted.file))
    last = len(story) - 1
    if wanted.ply is not None and wanted.ply > last:
        raise SandtableError(f"{wanted.file} ends with ply {last}; there is no ply {wanted.ply}")
    if wanted.svg:
        _draw(story, last if wanted.ply is None else wanted.ply, wanted.svg, screen)
    elif wanted.ply is not None:
        _page(story, wanted.ply, screen)
    elif is_terminal(sys.stdin) and screen.is_terminal:
        _step(story, screen)
    else:
        _tell(story, screen)
    return 0


def _draw(story: Story, ply: int, name: str, screen: Screen) -> None:
    from sandtable import draw
    from sandtable.cli.files import write_text

    path = write_text(name, draw.svg(story.scene(ply)))
    screen.say(f"Ply {ply} is drawn in {path}")


def _page(story: Story, ply: int, screen: Screen) -> None:
    screen.say(f"Ply {ply} of {len(story) - 1}")
    for sentence in story.sentences(ply):
        screen.say(sentence)
    screen.board(story.scene(ply))


def _tell(story: Story, screen: Screen) -> None:
    screen.say(story.title)
    for ply in range(1, len(story)):
        for sentence in story.sentences(ply):
            screen.say(f"{ply:>4}  {sentence}")
    screen.board(story.scene(len(story) - 1))
    if story.ending:
        screen.say(story.ending)


def _step(story: Story, screen: Screen) -> None:
    screen.say(story.title, SHOW)
    ply = 0
    _page(story, ply, screen)
    while (typed := screen.ask(f"{ply}/{len(story) - 1}> ")) is not None:
        wished = ply
        if typed in ("", "n"):
            wished += 1
        elif typed == "p":
            wished -= 1
        elif typed.isascii() and typed.isdigit() and len(typed) < 10:
            wished = int(typed)
        elif typed in ("q", "quit"):
            return
        else:
            screen.say(SHOW)
            continue
        if 0 <= wished < len(story):
            ply = wished
            _page(story, ply, screen)
        else:
            screen.say(story.ending or "The match stops here." if wished > ply else "This is the beginning.")


def verify(wanted: argparse.Namespace) -> int:
    from sandtable.cli.files import read_match
    from sandtable.protocol.errors import SandtableError

    try:
        verdict = read_match(wanted.file).verify()
    except SandtableError as error:
        if wanted.json:
            print(json.dumps({"file": wanted.file, "ok": False, "rolls": 0, "sentence": str(error)}))
        raise
    if wanted.json:
        told = {"file": wanted.file, "ok": verdict.ok, "rolls": verdict.rolls, "sentence": verdict.sentence}
        print(json.dumps(told))
    else:
        print(f"{wanted.file}: {'right' if verdict.ok else 'WRONG'}. {verdict.sentence}")
    return 0 if verdict.ok else 1
