"""The symbols of web/art/symbols.svg, by the kind of a unit.

An id there is a game's letter and a kind: t-cavalry. Two games may have a kind of one name: the first in the file is
meant, unless the scene's board names the letter in `art`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from xml.etree import ElementTree

from sandtable.draw.ink import element

PREFIX = "sandtable-"  # ids are shared by all pictures of one page


@cache
def _drawn() -> dict[str, ElementTree.Element]:
    text = (files("sandtable") / "web" / "art" / "symbols.svg").read_text(encoding="utf-8")
    return {part.get("id", ""): part for part in ElementTree.fromstring(text).iter() if part.get("id")}


def symbol(kind: str, art: str = "") -> str | None:
    """The id of the symbol for a kind, None when there is none yet."""
    if f"{art}-{kind}" in _drawn():
        return f"{art}-{kind}"
    return next((name for name in _drawn() if name.partition("-")[2] == kind), None)


def definition(name: str) -> str:
    """A symbol or pattern as it goes into a picture of its own, its colours made plain."""
    return _plain(_drawn()[name])


def reference(name: str) -> str:
    return "#" + PREFIX + name


def _plain(part: ElementTree.Element) -> str:
    attributes = {key: value.removeprefix("var(--").removesuffix(")") for key, value in part.attrib.items()}
    if "id" in attributes:
        attributes["id"] = PREFIX + attributes["id"]
    return element(part.tag.rpartition("}")[2], *map(_plain, part), **attributes)
