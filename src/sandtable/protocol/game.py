"""A game: its slots, numbers, texts and sentences under one name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from sandtable.kit.dice import MASK_63, DiceSource, ScriptedDice, SeedDice
from sandtable.protocol.book import STANDARD, Book, find_book, standard_book, variant_names
from sandtable.protocol.engine import Engine, compile_policy
from sandtable.protocol.errors import BadBook, BadText, Refusal, SandtableError, Unknown
from sandtable.protocol.plain import REFUSALS, PlainView
from sandtable.protocol.words import Words

if TYPE_CHECKING:
    from sandtable.protocol.batch import Batch
    from sandtable.protocol.position import Position

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Traits:
    """What is always true of a game. The conformance suite asks for as much as the traits say, no more."""

    seats: Sequence[int]  # how many may sit down
    chance: bool = False
    secrets: bool = False
    overlays: Sequence[str] = ()
    longest: int = 10_000  # plies within which `pick` ends any game, set-up included
    field_ranges: Mapping[str, int] | None = None  # ACTION's fields: the largest value each may have


@dataclass(frozen=True)
class Scenario:
    """A way to begin: a position text to start from (or an empty board) and how `deal` completes it."""

    name: str
    title: str
    says: str
    setup: int
    start: str


@dataclass(frozen=True)
class Start:
    """All it takes to deal a match again."""

    scenario: str
    seats: int
    map_seed: int
    text: str = ""  # the position text itself where the scenario does not ship with the game

    OWN = "own"


def checked_seed(seed: int) -> int:
    """A seed as it can stand in a match file, or a sentence."""
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed <= MASK_63:
        raise SandtableError(f"a seed is a whole number from 0 to {MASK_63}, not {seed!r}")
    return seed


class Game:
    """One game. Its folder's __init__.py makes exactly one of these, named GAME."""

    def __init__(
        self, name: str, title: str, rules_version: int, letter: str, traits: Traits, layout: ModuleType,
        notation: ModuleType, slots: list[ModuleType], folder: Path, view: ModuleType | None = None,
    ) -> None:  # fmt: skip
        self.name, self.title, self.rules_version, self.letter = name, title, rules_version, letter
        self.traits, self.layout, self.notation, self.folder = traits, layout, notation, folder
        self.view: Any = PlainView(self) if view is None else view
        self._slot_modules = slots

    def __repr__(self) -> str:
        return f"<Game {self.name} {self.rules_version}>"

    @cached_property
    def engine(self) -> Engine:
        engine = Engine(self.name, self.layout, self._slot_modules)
        if compile_policy() == "1":
            engine.compile()
        return engine

    # ---- what lies in the folder

    @cached_property
    def book(self) -> Book:
        return standard_book(self.folder, self.layout.BOOK)

    @property
    def books(self) -> list[str]:
        return [STANDARD, *variant_names(self.folder)]

    def find_book(self, wanted: str | Path | Mapping[str, Any] | Book | None) -> Book:
        return find_book(self.book, self.folder, wanted)

    @cached_property
    def scenarios(self) -> list[str]:
        """Names of the ways to begin, the usual one first."""
        names = {
            path.stem: tomllib.loads(path.read_text("utf-8")) for path in (self.folder / "scenarios").glob("*.toml")
        }
        return sorted(names, key=lambda name: (names[name].get("place", 99), name))

    def scenario(self, name: str | None) -> Scenario:
        wanted = self.scenarios[0] if name is None else name
        if wanted not in self.scenarios:
            raise Unknown("scenario", wanted, self.scenarios)
        table = tomllib.loads((self.folder / "scenarios" / f"{wanted}.toml").read_text("utf-8"))
        return Scenario(
            wanted, table["title"], table["says"], table.get("setup", 0), table.get("start", "").lstrip("\n")
        )

    def words(self, language: str = "en") -> Words:
        if language not in self._words:
            files = {path.stem: path for path in sorted((self.folder / "words").glob("*.toml"))}
            if language not in files:
                raise Unknown("language", language, list(files))
            self._words[language] = Words(files[language])
        return self._words[language]

    @cached_property
    def _words(self) -> dict[str, Words]:
        return {}

    def rules_text(self, language: str = "en") -> str:
        """The rule book."""
        others = {path.name.split(".")[1]: path for path in sorted(self.folder.glob("RULES.*.md"))}
        files = {"en": self.folder / "RULES.md", **others}
        if language not in files:
            raise Unknown("rule book", language, list(files))
        return files[language].read_text("utf-8")

    def clause(self, number: int) -> str:
        """402 is clause 4.2 of this game."""
        return f"{self.letter}{number // 100}.{number % 100}" if number else ""

    # ---- positions

    def blank_work(self, count: int = 1) -> Array:
        return np.zeros(count, dtype=self.layout.WORK)

    def seats_in(self, positions: Array) -> int:
        """How many sit at this position. Where that may differ, POSITION has a field `seats`."""
        return int(positions["seats"][0]) if "seats" in (positions.dtype.names or ()) else self.traits.seats[0]

    def start_record(self, start: Start, book: Book) -> Array:
        """The first position of a match: the scenario's text, completed by `deal`."""
        if start.scenario == Start.OWN:
            record: Array = self.notation.read_position(start.text, book)
            if start.seats != self.seats_in(record):
                raise SandtableError(f"this position is for {self.seats_in(record)} seats, not {start.seats}")
            return record
        scenario = self.scenario(start.scenario)
        if start.seats not in self.traits.seats:
            raise SandtableError(
                f"{self.title} is for {' or '.join(map(str, self.traits.seats))} seats, not {start.seats}"
            )
        if scenario.start:
            try:
                record = self.notation.read_position(scenario.start, book)
            except BadText as error:
                raise BadBook(f"the scenario {scenario.name} does not go with this book: {error}") from None
        else:
            record = np.zeros(1, dtype=self.layout.POSITION)
        draw = start.map_seed & MASK_63
        self.engine.deal(book.record, record, 0, self.blank_work(), start.seats, scenario.setup, draw)
        return record

    def deal(
        self, scenario: str | None = None, *, seed: int = 0, seats: int | None = None,
        book: str | Path | Mapping[str, Any] | Book | None = None,
        dice: Sequence[Sequence[int]] | DiceSource | None = None,
        map_seed: int | None = None,
    ) -> Position:  # fmt: skip
        """A new match, rolled on until a seat must act. `dice` names the first faces; the rest come from the seed."""
        from sandtable.protocol.position import Position

        start = Start(
            self.scenario(scenario).name, self.traits.seats[0] if seats is None else seats,
            checked_seed(seed if map_seed is None else map_seed),
        )  # fmt: skip
        source: DiceSource = SeedDice(checked_seed(seed))
        if isinstance(dice, Sequence):
            if dice and not self.traits.chance:
                raise SandtableError(f"{self.title} has no dice")
            source = ScriptedDice([self.notation.outcome_of(faces) for faces in dice], source)
        elif dice is not None:
            source = dice
        position = Position(self, self.find_book(book), start, dice=source)
        position.roll_due()
        return position

    def read(
        self, text: str, *, seed: int | None = None, book: str | Path | Mapping[str, Any] | Book | None = None
    ) -> Position:
        """A position from its text. Without a seed it has no dice: a roll then needs `play(…, dice=…)`."""
        from sandtable.protocol.position import Position

        found = self.find_book(book)
        record: Array = self.notation.read_position(text, found)
        start = Start(Start.OWN, self.seats_in(record), 0, text)
        dice = None if seed is None else SeedDice(checked_seed(seed))
        position = Position(self, found, start, dice=dice, record=record)
        if position.is_rolling and seed is not None:
            position.roll_due()
        return position

    def batch(
        self, count: int, scenario: str | None = None, *, seed: int = 0, seats: int | None = None,
        book: str | Path | Mapping[str, Any] | Book | None = None,
    ) -> Batch:  # fmt: skip
        """Many matches dealt at once, to be played out by scripted players without Python in between."""
        from sandtable.protocol.batch import Batch

        return Batch(self, count, scenario, seed=seed, seats=seats, book=self.find_book(book))

    def refusal(self, code: int, fields: Mapping[str, Any], language: str = "en") -> Refusal:
        name, clause = getattr(self.layout, "REFUSALS", REFUSALS)[code]
        return Refusal(name, clause, self.words(language)("refusal", name, **fields))
