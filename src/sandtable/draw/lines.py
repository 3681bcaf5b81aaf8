"""Terminal text as lines of styled pieces, so that colour is laid on last and never counts as width."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

Span = tuple[str, str]  # a piece of text and its style, "" for none
Line = list[Span]

# A block states ink and ground together, so that it reads on dark and on pale terminals.
STYLES = {
    "side 0": "1;38;5;234;48;5;223",  # boxwood
    "side 1": "1;38;5;230;48;5;237",  # ebony
    "rule": "2",
    "mark": "1;31",
    "strong": "1",
    "quiet": "2",
}


def width(line: Line) -> int:
    return sum(len(text) for text, _ in line)


def padded(line: Line, columns: int) -> Line:
    return [*line, (" " * (columns - width(line)), "")]


def beside(left: list[Line], right: list[Line], gap: int) -> list[Line]:
    """Two blocks of lines side by side, the shorter one ending in blanks."""
    columns = max(map(width, left), default=0) + gap
    height = max(len(left), len(right))
    left, right = left + [[]] * (height - len(left)), right + [[]] * (height - len(right))
    return [padded(one, columns) + other for one, other in zip(left, right, strict=True)]


def painted(lines: Iterable[Line], colour: bool) -> str:
    """The lines as text. No line ends in blanks, so that a terminal of just that width does not wrap."""
    return "".join(_painted(line, colour).rstrip(" ") + "\n" for line in lines)


def _painted(line: Line, colour: bool) -> str:
    if not colour:
        return "".join(text for text, _ in line)
    runs = ((style, "".join(text for text, _ in run)) for style, run in groupby(line, key=itemgetter(1)))
    return "".join(f"\x1b[{STYLES[style]}m{text}\x1b[0m" if style in STYLES and text else text for style, text in runs)
