"""A position in play: the object people and bots hold. It asks the slots and writes down what was done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from sandtable.kit.dice import DiceSource, ScriptedDice, SeedDice
from sandtable.protocol.book import Book
from sandtable.protocol.errors import BadText, IllegalAction, NoDice, Refusal, SandtableError
from sandtable.protocol.events import Event, told
from sandtable.protocol.game import Array, Game, Start, checked_seed
from sandtable.protocol.odds import odds
from sandtable.protocol.outcome import Outcome
from sandtable.protocol.past import DRAW, MATCH_WORDS, RESIGN, ROLL, TAKEBACK, Past, Row
from sandtable.protocol.records import EVERYBODY, REVEAL, TURN
from sandtable.protocol.scene import Scene
from sandtable.protocol.standing import ONLOOKER, Standing

if TYPE_CHECKING:
    from sandtable.protocol.match import Match

__all__ = ["DRAW", "ONLOOKER", "RESIGN", "ROLL", "TAKEBACK", "Outcome", "Position", "Row"]

Faces = Sequence[Sequence[int]]
LONGEST_SALT = 32


class Position(Standing):
    """Where a match stands, with its past and its dice. Python-chess is the model: text in, text out."""

    # How a notebook shows it; the package sets this, since drawing stands above the protocol.
    painter: ClassVar[Callable[[Scene], str] | None] = None

    def __init__(
        self, game: Game, book: Book, start: Start, *, dice: DiceSource | None = None, record: Array | None = None
    ) -> None:
        super().__init__(game, book, start, record)
        self._dice = dice
        self.past = Past()

    # ---- reading: what an agreed draw changes

    @property
    def is_agreed(self) -> bool:
        """Every seat still in offers a draw."""
        offering = self.past.offers.standing
        return bool(offering and self.still_in) and set(self.still_in) <= set(offering)

    @property
    def to_act(self) -> tuple[int, ...]:
        return () if self.is_agreed else super().to_act

    @property
    def is_rolling(self) -> bool:
        return not self.is_agreed and super().is_rolling

    @property
    def outcome(self) -> Outcome | None:
        """None while the match runs."""
        if self.is_agreed:
            return Outcome((1,) * self.seats, "agreed", self.words("reason", "agreed"))
        return super().outcome

    @property
    def rows(self) -> list[Row]:
        """The match so far, row by row."""
        return self.past.rows

    def why_not(self, text: str, seat: int | None = None) -> Refusal | None:
        """None if this may be played now, or the refusal: code, clause, sentence."""
        if text in MATCH_WORDS:
            return self._why_not_word(text, seat)
        if self.is_agreed:
            return Refusal("over", "", self.words("refusal", "over"))
        return super().why_not(text, seat)

    @property
    def _is_dressed(self) -> bool:
        return bool(self.past.offers.standing)

    def _dressed(self, scene: Scene) -> Scene:
        if not self._is_dressed:
            return scene
        dressed = {**scene, "offer": {"draw": list(self.past.offers.standing)}}
        if self.is_agreed and (outcome := self.outcome):
            dressed["ask"] = {"text": outcome.sentence, "act": False}
            for place in range(self.seats):
                dressed[f"seat/{place}"] = {**scene[f"seat/{place}"], "state": "drew"}
        return dressed

    # ---- playing

    def play(self, text: str, seat: int | None = None, *, dice: Faces | None = None, salt: bytes = b"") -> list[Event]:
        """Play an action, then roll until a seat must act. Nothing is changed when it is refused."""
        before = self._save()
        try:
            return [event for _, events in self.steps(text, seat, dice=dice, salt=salt) for event in events]
        except BaseException:
            self._restore(before)
            raise

    def steps(
        self, text: str, seat: int | None = None, *, dice: Faces | None = None, salt: bytes = b""
    ) -> Iterator[tuple[Row, list[Event]]]:
        """The same row by row: the action, then each roll, the position standing after it meanwhile."""
        if len(salt) > LONGEST_SALT:
            raise BadText(f"a salt of at most {LONGEST_SALT} bytes")
        if refusal := self.why_not(text, seat):
            raise IllegalAction(refusal)
        if text in MATCH_WORDS:
            yield self._say(Row(self.acting(seat, lenient=True), text))
            return
        yield self._act(Row(self.acting(seat), text))
        yield from self._rolls(list(dice or ()), salt)

    def roll_due(self, dice: Faces | None = None, salt: bytes = b"") -> list[Event]:
        """Resolve every roll that is due, from these faces first, then from the position's own dice."""
        before = self._save()
        try:
            return [event for _, events in self._rolls(list(dice or ()), salt) for event in events]
        except BaseException:
            self._restore(before)
            raise

    def roll_once(self, salt: bytes = b"") -> tuple[Row, list[Event]]:
        """Resolve the one roll that is due."""
        return self._roll(self._next_outcome([], salt), salt)

    def replay_row(self, row: Row) -> list[Event]:
        """Play one row of a match file; the rolls after an action have rows of their own."""
        if row.seat is None:
            if not self.is_rolling:
                raise BadText("an action: no roll is due", row.text)
            return self._roll(self.game.notation.read_roll(row.text), row.salt)[1]
        if row.seat >= self.seats:
            raise BadText("a seat of this match", str(row.seat))
        if found := re.fullmatch(rf"{TAKEBACK} (0|[1-9][0-9]{{0,6}})", row.text):
            return self.undo(row.seat, int(found[1]))
        if row.text not in MATCH_WORDS and self.is_rolling:
            raise BadText("a roll", row.text)
        if refusal := self.why_not(row.text, row.seat):
            raise IllegalAction(refusal)
        return (self._say(row) if row.text in MATCH_WORDS else self._act(row))[1]

    def _act(self, row: Row) -> tuple[Row, list[Event]]:
        before = set(self.to_act)
        self.rows.append(row)
        self._begin_events()
        self.game.engine.apply(*self._at(), row.seat, self._given(row.text), 0)
        events = self._end_events()
        if not (self.to_act and before.issuperset(self.to_act)):  # another seat's turn, or the end
            self.past.close(self._record)
        return row, events

    def _rolls(self, faces: list[Sequence[int]], salt: bytes) -> Iterator[tuple[Row, list[Event]]]:
        while self.is_rolling:
            yield self._roll(self._next_outcome(faces, salt), salt)
        if faces:
            raise BadText("no more dice than the rolls due", str(faces[0]))

    def _roll(self, outcome: int, salt: bytes) -> tuple[Row, list[Event]]:
        row = Row(None, self.game.notation.write_roll(outcome), salt)
        self.rows.append(row)
        self._begin_events()
        self.game.engine.roll(*self._at(), outcome)
        self.past.rolls += 1
        self.past.close(self._record)
        return row, self._end_events()

    def _next_outcome(self, faces: list[Sequence[int]], salt: bytes) -> int:
        if faces:
            self.past.has_named_faces = True
            return int(self.game.notation.outcome_of(faces.pop(0)))
        if self._dice is None:
            raise NoDice(
                "a roll is due and this position has no dice: give seed= when reading it, or play(…, dice=[…])"
            )
        count = self.game.engine.chance(*self._at())
        return self._dice.outcome(len(self.rows), self.past.rolls, int(count), salt)

    def _begin_events(self) -> None:
        self._work["event_wanted"] = 1
        self._work["event_count"] = 0

    def _end_events(self) -> list[Event]:
        self._work["event_wanted"] = 0
        events, kinds = told(self.game, self._work, self.words)
        for kind, who in kinds:
            if kind in (TURN, REVEAL):
                self.past.close(self._record)
            if kind == TURN:
                self.past.offers.turn_begins(who, self.still_in)
        return events

    # ---- words to the match

    def _why_not_word(self, text: str, seat: int | None) -> Refusal | None:
        words = self.words
        if self.outcome is not None:
            return Refusal("over", "", words("refusal", "over"))
        if seat is None and len(self.to_act) != 1:
            return Refusal("seat", "", words("refusal", "nobody", text=text))
        if not 0 <= self.acting(seat, lenient=True) < self.seats:
            return Refusal("seat", "", words("refusal", "no_seat", seat=seat))
        if text == DRAW and self.acting(seat) in self.past.offers.standing:
            return Refusal("offered", "", words("refusal", "offered"))
        return None

    def _say(self, row: Row) -> tuple[Row, list[Event]]:
        self.rows.append(row)
        seat = 0 if row.seat is None else row.seat
        if row.text == RESIGN:
            self.past.close(self._record)
            self._begin_events()
            self.game.engine.concede(*self._at(), seat)
            return row, self._end_events()
        self.past.offers.offer(seat)
        if self.is_agreed:
            self.past.close(self._record)
        return row, [self._match_event("accepted" if self.is_agreed else "offered", seat)]

    def _match_event(self, name: str, seat: int, seats: int = EVERYBODY, **fields: Any) -> Event:
        words = self.words
        side = self.game.view.seat_name(seat, words)
        return Event(name, "", seat, words("match", name, side=side, **fields), seats=seats)

    # ---- taking back

    def undo(self, seat: int | None = None, row: int | None = None) -> list[Event]:
        """Take back a seat's last action (or, while all set up in secret, the one in this row), as the table allows:
        not past a roll, a reveal or another seat's turn, and only if everything else still stands."""
        words = self.words
        own = self.past.actions_of(seat)
        target = row if row is not None else own[-1] if own else None
        is_set_up = bool(own) and self._is_set_up()
        if target is None or target not in own or not (is_set_up or target == own[-1]):
            raise IllegalAction(Refusal("takeback", "", words("refusal", "takeback")))
        before = self._save()
        self.past.dropped.add(target)
        try:
            self._replay()
        except IllegalAction as error:
            self._restore(before)
            sentence = f"{words('refusal', 'takeback_needed')} {error}"
            raise IllegalAction(Refusal("takeback", "", sentence)) from None
        taken = self.rows[target]
        self.rows.append(Row(taken.seat, f"{TAKEBACK} {target}"))
        seat = taken.seat or 0
        return [self._match_event("taken_back", seat, 1 << seat if is_set_up else EVERYBODY, text=taken.text)]

    def _at_barrier(self) -> Array:
        at_barrier = self.past.at_barrier
        return self.game.start_record(self.start, self.book) if at_barrier is None else at_barrier.copy()

    def _is_set_up(self) -> bool:
        """Whether what can still be taken back began with several seats to act at once."""
        return len(self._with(self._at_barrier()).to_act) > 1

    def _replay(self) -> None:
        """What still stands behind the barrier, played again from there."""
        self._record = self._at_barrier()
        for n in self.past.open_rows():
            row = self.rows[n]
            given, seat = self._given(row.text), row.seat or 0
            if refusal := self._refusal(given, seat):
                raise IllegalAction(refusal)
            self.game.engine.apply(*self._at(), seat, given, 0)

    # ---- looking ahead

    def odds(
        self, text: str, seat: int | None = None, *, by: Callable[[Any], Any] | None = None,
        samples: int | None = None, seed: int = 0,
    ) -> dict[Any, Fraction]:  # fmt: skip
        """What may come of an action: exact chances by dice, or by what `by` makes of the position after the roll."""
        return odds(self, text, seat, by, samples, seed)

    def seen(self, seat: int | None) -> Position:
        """What a player is handed: what this seat may know, with neither dice nor past nor the way it was dealt."""
        seen = Position(self.game, self.book, Start("", self.seats, 0), record=self._hidden(seat))
        seen._viewer, seen.language = ONLOOKER if seat is None else seat, self.language
        seen.past.offers = self.past.offers.copy()
        return seen

    def imagine(self, seed: int, seat: int | None = None) -> Position:
        """One possibility of what is hidden from the seat (or an onlooker), filled in."""
        viewer = seat if seat is not None else self._viewer
        if viewer is None:
            viewer = self.to_act[0] if len(self.to_act) == 1 else ONLOOKER
        imagined = self._with(self._hidden(None if viewer == ONLOOKER else viewer))
        self.game.engine.imagine(*imagined._at(), viewer, checked_seed(seed))
        return imagined

    # ---- as a value

    def copy(self, seed: int | None = None) -> Position:
        """The same match, to be played on apart; with a seed, with other dice from here on."""
        twin = Position(self.game, self.book, self.start, dice=self._dice, record=self._record.copy())
        twin.past, twin._viewer, twin.language = self.past.copy(), self._viewer, self.language
        if isinstance(self._dice, ScriptedDice):
            twin._dice = ScriptedDice(self._dice.outcomes, self._dice.after, self._dice.used)
        if seed is not None:
            twin._dice = SeedDice(checked_seed(seed))
            twin.past.has_named_faces = bool(self.past.rolls)
        return twin

    def match(self) -> Match:
        """The match so far, as it goes into a file."""
        from sandtable.protocol.match import Match

        if self._viewer is not None:
            raise SandtableError("a seat's view of a position has no past")
        return Match.of(self)

    @property
    def dice(self) -> DiceSource | None:
        return self._dice

    @property
    def dice_name(self) -> str:
        """The source as the match file names it."""
        return "faces" if self._dice is None or self.past.has_named_faces else self._dice.name

    def _repr_svg_(self) -> str | None:
        return Position.painter(self.view(None)) if Position.painter else None

    def _save(self) -> tuple[Array, Past]:
        return self._record.copy(), self.past.copy()

    def _restore(self, saved: tuple[Array, Past]) -> None:
        self._record, self.past = saved
