"""Reading a scene: the few questions that every drawing asks of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Scene = Mapping[str, Any]  # key → small JSON value, as a game's view makes it
Entry = Mapping[str, Any]  # such a value: one unit, one cell, one seat


def entries(scene: Scene, family: str) -> Iterator[tuple[str, Entry]]:
    """Name and value of every `family/name`, in the scene's order."""
    start = family + "/"
    for key, value in scene.items():
        if key.startswith(start):
            yield key[len(start) :], value


def marks_of(entry: Entry) -> tuple[str, ...]:
    return tuple(entry.get("marks") or ())


def plain(text: object) -> str:
    """Text as one printable line: people choose names, and a terminal would obey the control characters in one."""
    return "".join(sign if sign.isprintable() else " " for sign in str(text))


def side_names(scene: Scene) -> dict[int, str]:
    """What each side is called: the names of its seats."""
    names: dict[int, str] = {}
    for _, seat in entries(scene, "seat"):
        side, name = int(seat["side"]), plain(seat["name"])
        names[side] = f"{names[side]} and {name}" if side in names else name
    return names
