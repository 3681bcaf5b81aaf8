"""The terminal: what it can show, and the few ways of showing something on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from io import StringIO
from textwrap import wrap
from typing import TYPE_CHECKING, TextIO

from sandtable import draw

if TYPE_CHECKING:
    from sandtable.protocol.events import Event
    from sandtable.protocol.scene import Scene

COLUMNS = 79
FACES = "⚀⚁⚂⚃⚄⚅"
NEEDED = "┌─┬┐├┼┤└┴┘│╌░◇" + FACES  # what drawing uses beyond ASCII
ERASE = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what was scrolled away, and back to the corner


class Screen:
    """One terminal or file to print on. Colour only where a terminal understands it; letters that it has."""

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = out or sys.stdout or StringIO()  # None where it was closed before the start
        self.is_terminal = is_terminal(self.out)
        self.colour = self.is_terminal and _understands_colour()
        self.ascii_only = not _can_show(self.out, NEEDED)

    def say(self, *paragraphs: str) -> None:
        for text in paragraphs:
            lines = wrap(text, COLUMNS, break_on_hyphens=False)
            print("\n".join(lines) if lines else "", file=self.out, flush=True)

    def lines(self, lines: Iterable[str]) -> None:
        """Lines that are laid out already."""
        for line in lines:
            print(line, file=self.out)
        self.out.flush()

    def event(self, event: Event) -> None:
        """What happened, with the dice as they lie."""
        self.say(f"{self.dice(event.faces)}  {event.sentence}" if event.faces else event.sentence)

    def dice(self, faces: Iterable[int]) -> str:
        drawn = [FACES[n - 1] if 1 <= n <= len(FACES) and not self.ascii_only else f"[{n}]" for n in faces]
        return " ".join(drawn)

    def board(self, scene: Scene, marks: Mapping[str, str] | None = None) -> None:
        drawn = draw.text(scene, colour=self.colour, marks=marks, ascii_only=self.ascii_only)
        print(f"\n{drawn.rstrip()}\n", file=self.out, flush=True)

    def ask(self, prompt: str) -> str | None:
        """A line typed by a person, None when there is nobody any more."""
        try:
            return input(prompt).strip()
        except EOFError:
            print(file=self.out)
            return None

    def clear(self) -> None:
        """So that the next person at the keyboard sees nothing of the last one's."""
        print(ERASE if self.colour else "\n" * 120, end="", file=self.out, flush=True)


def is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def _understands_colour() -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    if os.name == "nt":
        os.system("")  # switches the console to the codes other terminals know
    return True


def _can_show(stream: TextIO, signs: str) -> bool:
    try:
        signs.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
