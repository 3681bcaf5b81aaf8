"""A game's sentences: templates in words/<language>.toml, filled with names and numbers.

Sentences about the match itself, the same in every game, lie beside this file; a game's own come first.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


class Words:
    """One language of one game. `words("event", "moved", unit="archers", …)` is a sentence."""

    def __init__(self, path: Path) -> None:
        self.language = path.stem
        with path.open("rb") as file:
            self._tables: dict[str, dict[str, str]] = tomllib.load(file)
        house = Path(__file__).parent / "words" / path.name
        with (house if house.exists() else house.with_name("en.toml")).open("rb") as file:
            self._house: dict[str, dict[str, str]] = tomllib.load(file)

    def __call__(self, table: str, name: str, **fields: Any) -> str:
        tables = self._tables if self.has(table, name) else self._house
        sentence = tables[table][name].format_map(fields)
        return sentence[:1].upper() + sentence[1:]

    def name(self, table: str, name: str) -> str:
        """A name as it stands inside a sentence."""
        return self._tables[table][name]

    def has(self, table: str, name: str) -> bool:
        return name in self._tables.get(table, {})

    def tables(self) -> dict[str, dict[str, str]]:
        return self._tables
