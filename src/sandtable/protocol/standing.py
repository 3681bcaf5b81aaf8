"""How things stand: a record and all that can be read off it. No past, no dice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import numpy as np

from sandtable.protocol.book import Book
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.errors import BadText, Refusal, SandtableError, Unknown
from sandtable.protocol.game import Array, Game, Start
from sandtable.protocol.outcome import Outcome
from sandtable.protocol.records import ALL, RUNNING
from sandtable.protocol.scene import Scene
from sandtable.protocol.words import Words

ONLOOKER = -1


class Standing:
    """One record of one game under one book, for people: texts, scenes, refusals as values."""

    def __init__(self, game: Game, book: Book, start: Start, record: Array | None = None) -> None:
        self.game, self.book, self.start = game, book, start
        self._record = game.start_record(start, book) if record is None else record
        self._work = game.blank_work()
        self._viewer: int | None = None  # the seat for which `seen` blanked this copy
        self.language = "en"  # of sentences and scenes

    # ---- who and what

    @property
    def seats(self) -> int:
        return self.start.seats

    @property
    def still_in(self) -> tuple[int, ...]:
        """The seats that have not gone out."""
        found = getattr(self.game.view, "still_in", None)
        return tuple(range(self.seats)) if found is None else tuple(found(self._record))

    @property
    def words(self) -> Words:
        return self.game.words(self.language)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act; () when the match is over."""
        mask = self.game.engine.who(*self._at())
        return tuple(seat for seat in range(self.seats) if mask >> seat & 1)

    @property
    def is_rolling(self) -> bool:
        """A roll is due before anybody can act."""
        return bool(self.game.engine.chance(*self._at()) != 0)

    @property
    def outcome(self) -> Outcome | None:
        """None while the match runs."""
        places = np.zeros((1, self.seats), dtype=np.uint8)
        reason = self.game.engine.outcome(*self._at(), places)
        if reason == RUNNING:
            return None
        name, fields = self.game.view.reason_fields(int(reason), places[0].tolist(), self.words)
        return Outcome(tuple(places[0].tolist()), name, self.words("reason", name, **fields))

    # ---- what may be done

    def actions(self, seat: int | None = None, at: int = ALL) -> list[str]:
        """Legal actions as texts, in a fixed order. The seat is needed only when several may act."""
        if not self.to_act:
            return []
        write = self.game.notation.write_action
        return [write(action) for action in self._listed(self.acting(seat), at)]

    def sources(self, seat: int | None = None) -> dict[str, int]:
        """Where actions start from, as scene keys, with how many each has."""
        counts: dict[str, int] = {}
        for action in self._listed(self.acting(seat), ALL) if self.to_act else ():
            key = self.game.view.source_key(self.game.view.source_of(action))
            counts[key] = counts.get(key, 0) + 1
        return counts

    def actions_from(self, key: str, seat: int | None = None) -> list[str]:
        """Legal actions of one source: `cell/e2`, `palette/R`, or `turn` for the turn's own."""
        return self.actions(seat, self.game.view.source_number(key))

    def why_not(self, text: str, seat: int | None = None) -> Refusal | None:
        """None if this may be played now, or the refusal: code, clause, sentence."""
        who = self.acting(seat, lenient=True)
        if not 0 <= who < self.seats:
            return Refusal("seat", "", self.words("refusal", "no_seat", seat=who))
        wrong: BadText | None = None
        given = blank_actions(1)
        try:
            given = self._given(text)
        except BadText as error:
            wrong = error  # kind 0: refused as notation, unless something comes before it
        refusal = self._refusal(given, who)
        if refusal is not None and wrong is not None and refusal.code == "notation":
            place = f"{str(wrong)[:1].upper()}{str(wrong)[1:]}"
            return Refusal(refusal.code, refusal.clause, f"{refusal.sentence} {place}.")
        return refusal

    def after(self, text: str, seat: int) -> Self:
        """The position an action known to be legal leads to, before any dice."""
        branch = self.branch()
        self.game.engine.apply(*branch._at(), seat, self._given(text), 0)
        return branch

    # ---- what is seen

    def view(self, seat: int | None = None) -> Scene:
        """The scene this seat may see; None: an onlooker."""
        return self._dressed(self._scene(self._hidden(seat), seat))

    def views(self, seats: Iterable[int | None]) -> dict[int | None, tuple[Scene, Scene]]:
        """The scenes of several, each in two parts that have no key in common. Those who may know the same share the
        first, the same object; the second holds the lines that are a viewer's own."""
        own_lines = getattr(self.game.view, "own_lines", None)
        shared: dict[bytes, Scene] = {}
        scenes: dict[int | None, tuple[Scene, Scene]] = {}
        for seat in seats:
            hidden = self._hidden(seat)
            viewer = ONLOOKER if seat is None else seat
            own = own_lines(self.book, hidden, viewer, self.words) if own_lines and not self._is_dressed else None
            if own is None:
                scenes[seat] = (self._dressed(self._scene(hidden, seat)), {})
                continue
            known = hidden.tobytes()
            if known not in shared:
                scene = self._scene(hidden, seat)
                shared[known] = {key: value for key, value in scene.items() if key not in own}
            scenes[seat] = (shared[known], own)
        return scenes

    def _scene(self, hidden: Array, seat: int | None) -> Scene:
        viewer = ONLOOKER if seat is None else seat
        scene: Scene = self.game.view.scene(self.book, hidden, viewer, self.words)
        return scene

    @property
    def _is_dressed(self) -> bool:
        return False

    def _dressed(self, scene: Scene) -> Scene:
        """With what is the match's and not the rules'."""
        return scene

    def overlay(self, which: str, seat: int) -> dict[str, str]:
        """An announced overlay as words by cell: {"e4": "6 in 36"}."""
        if which not in self.game.traits.overlays:
            raise Unknown("overlay", which, list(self.game.traits.overlays))
        number = list(self.game.traits.overlays).index(which)
        marks = np.zeros(self.game.layout.MARKS, dtype=np.int64)
        hidden = self._hidden(seat)
        n = self.game.engine.overlay(self.book.record, hidden, 0, self._work, seat, number, marks)
        shown: dict[str, str] = self.game.view.overlay_words(number, marks[:n].tolist())
        return shown

    # ---- as a value

    def branch(self) -> Self:
        """The same record to try things on, without past or dice."""
        return self._with(self._record.copy())

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Standing) and self.game.name == other.game.name and self.book == other.book
            and self.outcome == other.outcome and self._record.tobytes() == other._record.tobytes()
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.game.name, self.book.digest, self._record.tobytes()))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.name}, to act: {self.to_act}>"

    def text(self) -> str:
        return str(self.game.notation.write_position(self._record[0], self.book))

    @property
    def record(self) -> Array:
        """The position itself, one numpy record in an array of length one (a copy)."""
        return self._record.copy()

    # ---- inside

    def _at(self) -> tuple[Array, Array, int, Array]:
        return self.book.record, self._record, 0, self._work

    def _with(self, record: Array) -> Self:
        other = type(self)(self.game, self.book, self.start, record=record)
        other._viewer, other.language = self._viewer, self.language
        return other

    def _given(self, text: str) -> Array:
        given = blank_actions(1)
        given[0] = self.game.notation.read_action(text)
        return given

    def _refusal(self, given: Array, seat: int) -> Refusal | None:
        code = self.game.engine.check(*self._at(), seat, given, 0)
        if code == 0:
            return None
        fields = self.game.view.refusal_fields(self.book, self._record[0], seat, given[0], self.words)
        return self.game.refusal(code, fields, self.language)

    def _hidden(self, seat: int | None) -> Array:
        hidden = self._record.copy()
        viewer = ONLOOKER if seat is None else self.acting(seat)
        self.game.engine.hide(self.book.record, hidden, 0, self._work, viewer)
        return hidden

    def _listed(self, seat: int, at: int) -> Array:
        size = self.game.layout.LONGEST_LIST
        while True:
            out = blank_actions(size)
            n = self.game.engine.actions(*self._at(), seat, at, out)
            if n <= size:
                return out[:n]
            size = int(n)

    def acting(self, seat: int | None, lenient: bool = False) -> int:
        """This seat, or the one that must be meant."""
        if seat is not None:
            if not lenient and not 0 <= seat < self.seats:
                raise SandtableError(f"there is no seat {seat}")
            return seat
        acting = self.to_act
        if self._viewer in acting:
            return self._viewer
        if len(acting) > 1:
            raise SandtableError(f"seats {', '.join(map(str, acting))} may act: say which, seat=…")
        if not acting and not lenient:
            raise SandtableError("nobody can act now")
        return acting[0] if acting else 0
