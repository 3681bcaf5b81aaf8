"""Scenes: what somebody sees, as a flat map from key to small value. A change is a list of (key, value or None)."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec

Scene = dict[str, Any]

_canonical = msgspec.json.Encoder(order="sorted").encode  # no blanks, keys in order, every sign as itself


def line(key: str, value: Any) -> str:
    """One line of the scene as it is hashed: key, tab, value in canonical JSON."""
    return f"{key}\t{_canonical(value).decode()}"


def line_sum(key: str, value: Any) -> int:
    """What a line adds to the scene's hash."""
    return zlib.crc32(line(key, value).encode())


def scene_hash(scene: Scene) -> int:
    """The sum of the lines' CRC-32 modulo 2³²: kept up to date line by line. It finds drift, not fraud."""
    return sum(line_sum(key, value) for key, value in scene.items()) % 2**32


def changes(before: Scene, after: Scene) -> list[tuple[str, Any]]:
    """What to send to somebody who has `before`: new values, and None for what is gone."""
    changed: list[tuple[str, Any]] = [(key, None) for key in before if key not in after]
    for key, value in after.items():
        old = before.get(key)
        if old is not value and (old is None or old != value):  # the same object is the same value: no need to compare
            changed.append((key, value))
    return changed


def patched(scene: Scene, changed: list[tuple[str, Any]]) -> Scene:
    """The scene after a change."""
    after = dict(scene)
    for key, value in changed:
        if value is None:
            after.pop(key, None)
        else:
            after[key] = value
    return after
