"""A position in play: the object people and bots hold. All it does is ask the slots and write down what was done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sandtable.kit.dice import MASK_63, DiceSource, ScriptedDice, SeedDice, draw_at
from sandtable.protocol.book import Book
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.errors import BadText, IllegalAction, NoDice, NotCountable, Refusal, SandtableError
from sandtable.protocol.events import Event, told
from sandtable.protocol.game import Array, Game, Start
from sandtable.protocol.offers import Offers
from sandtable.protocol.records import ALL, REVEAL, RUNNING, TURN
from sandtable.protocol.scene import Scene

if TYPE_CHECKING:
    from sandtable.protocol.match import Match

RESIGN, DRAW, TAKEBACK, ROLL = "resign", "draw", "takeback", "roll"
ONLOOKER = -1


@dataclass(frozen=True)
class Outcome:
    """How it ended: a place per seat (1 best, ties share), the reason's name and a sentence."""

    places: tuple[int, ...]
    reason: str
    sentence: str


@dataclass(frozen=True)
class Row:
    """One line of the match file: an action, a roll, a word to the match."""

    seat: int | None
    text: str
    salt: bytes = b""

    @property
    def is_roll(self) -> bool:
        return self.seat is None


class Position:
    """Where a match stands, with its past. Python-chess is the model: text in, text out, refusals as values."""

    # How a notebook shows it; the package sets this, since drawing stands above the protocol.
    painter: ClassVar[Callable[[Scene], str] | None] = None

    def __init__(
        self, game: Game, book: Book, start: Start, *, dice: DiceSource | None, record: Array | None = None
    ) -> None:
        self.game, self.book, self.start = game, book, start
        self._dice = dice
        self._record = game.start_record(start, book) if record is None else record
        self._work = game.blank_work()
        self.rows: list[Row] = []
        self._dropped: set[int] = set()  # rows taken back
        self._barrier = 0  # rows before this one are not taken back any more
        self._rolls = 0
        self._offers = Offers()
        self._named_faces = False
        self._viewer: int | None = None  # of a copy made by `seen`: it has neither dice nor past

    # ---- reading

    @property
    def seats(self) -> int:
        return self.start.seats

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act; () when the match is over."""
        if self.is_agreed:
            return ()
        mask = self.game.engine.who(*self._at())
        return tuple(seat for seat in range(self.seats) if mask >> seat & 1)

    @property
    def is_agreed(self) -> bool:
        return len(self._offers.standing) == self.seats

    @property
    def is_rolling(self) -> bool:
        """A roll is due before anybody can act."""
        return not self.is_agreed and self.game.engine.chance(*self._at()) != 0

    @property
    def outcome(self) -> Outcome | None:
        """None while the match runs."""
        words = self.game.words()
        if self.is_agreed:
            return Outcome((1,) * self.seats, "agreed", words("reason", "agreed"))
        places = np.zeros((1, self.seats), dtype=np.uint8)
        reason = self.game.engine.outcome(*self._at(), places)
        if reason == RUNNING:
            return None
        name, fields = self.game.view.reason_fields(int(reason), places[0].tolist(), words)
        return Outcome(tuple(places[0].tolist()), name, words("reason", name, **fields))

    def actions(self, seat: int | None = None, at: int = ALL) -> list[str]:
        """Legal actions as texts, in a fixed order. The seat is needed only when several may act."""
        if not self.to_act:
            return []
        write = self.game.notation.write_action
        return [write(action) for action in self._listed(self._seat(seat), at)]

    def sources(self, seat: int | None = None) -> dict[str, int]:
        """Where actions start from, as scene keys, with how many each has."""
        counts: dict[str, int] = {}
        for action in self._listed(self._seat(seat), ALL) if self.to_act else ():
            key = self.game.view.source_key(self.game.view.source_of(action))
            counts[key] = counts.get(key, 0) + 1
        return counts

    def actions_from(self, key: str, seat: int | None = None) -> list[str]:
        """Legal actions of one source: `cell/e2`, `palette/R`, or `turn` for the turn's own."""
        return self.actions(seat, self.game.view.source_number(key))

    def why_not(self, text: str, seat: int | None = None) -> Refusal | None:
        """None if this may be played now, or the refusal: code, clause, sentence."""
        if text in (RESIGN, DRAW):
            return self._why_not_word(text, seat)
        who = self._seat(seat, lenient=True)
        given = blank_actions(1)
        wrong: BadText | None = None
        try:
            self._write(given, self.game.notation.read_action(text))
        except BadText as error:
            wrong = error  # kind 0: refused as notation, unless something comes before it
        code = self.game.engine.check(*self._at(), who, given, 0)
        if self.is_agreed:
            return Refusal("over", "", self.game.words()("refusal", "over"))
        if code == 0:
            return None
        fields = self.game.view.refusal_fields(self.book, self._record[0], who, given[0], self.game.words())
        refusal = self.game.refusal(code, fields)
        if wrong is not None and refusal.code == "notation":
            return Refusal(
                refusal.code, refusal.clause, f"{refusal.sentence} {str(wrong)[:1].upper()}{str(wrong)[1:]}."
            )
        return refusal

    def view(self, seat: int | None = None) -> Scene:
        """The scene this seat may see; None: an onlooker."""
        hidden = self._hidden(seat)
        scene: Scene = self.game.view.scene(self.book, hidden, ONLOOKER if seat is None else seat, self.game.words())
        if self._offers.standing:
            scene["offer"] = {"draw": list(self._offers.standing)}
        if self.is_agreed and (outcome := self.outcome):
            scene["ask"] = {"text": outcome.sentence, "act": False}
        return scene

    def overlay(self, which: str, seat: int) -> dict[str, str]:
        """An announced overlay as words by cell: {"e4": "6 in 36"}."""
        if which not in self.game.traits.overlays:
            raise SandtableError(f"no overlay {which!r}; there are: {', '.join(self.game.traits.overlays) or 'none'}")
        number = list(self.game.traits.overlays).index(which)
        marks = np.zeros(self.game.layout.CELLS, dtype=np.int64)
        hidden = self._hidden(seat)
        n = self.game.engine.overlay(self.book.record, hidden, 0, self._work, seat, number, marks)
        shown: dict[str, str] = self.game.view.overlay_words(number, marks[:n].tolist())
        return shown

    # ---- playing

    def play(
        self, text: str, seat: int | None = None, *, dice: Sequence[Sequence[int]] | None = None, salt: bytes = b""
    ) -> list[Event]:
        """Play an action, then roll until a seat must act. Nothing is changed when it is refused."""
        if refusal := self.why_not(text, seat):
            raise IllegalAction(refusal)
        if text in (RESIGN, DRAW):
            return self._say(text, self._seat(seat, lenient=True))
        before = self._save()
        try:
            return self._act(Row(self._seat(seat), text)) + self.roll_due(dice, salt)
        except (NoDice, BadText):
            self._restore(before)
            raise

    def replay_action(self, row: Row) -> list[Event]:
        """Play a row of a match file, without the rolls after it: they have rows of their own."""
        if self.is_rolling:
            raise BadText("a roll", row.text)
        if refusal := self.why_not(row.text, row.seat):
            raise IllegalAction(refusal)
        return self._act(row)

    def replay_roll(self, row: Row) -> list[Event]:
        if not self.is_rolling:
            raise BadText("an action: no roll is due", row.text)
        return self._roll(self.game.notation.read_roll(row.text), row.salt)

    def _act(self, row: Row) -> list[Event]:
        given = blank_actions(1)
        self._write(given, self.game.notation.read_action(row.text))
        before = set(self.to_act)
        self.rows.append(row)
        self._begin_events()
        self.game.engine.apply(*self._at(), row.seat, given, 0)
        events = self._end_events()
        if not (self.to_act and before.issuperset(self.to_act)):  # another seat's turn, or the end
            self._barrier = len(self.rows)
        return events

    def _roll(self, outcome: int, salt: bytes) -> list[Event]:
        self.rows.append(Row(None, self.game.notation.write_roll(outcome), salt))
        self._begin_events()
        self.game.engine.roll(*self._at(), outcome)
        self._rolls += 1
        self._barrier = len(self.rows)
        return self._end_events()

    def roll_due(self, dice: Sequence[Sequence[int]] | None = None, salt: bytes = b"") -> list[Event]:
        """Resolve every roll that is due, from these faces first, then from the position's own dice."""
        faces = list(dice or ())
        events: list[Event] = []
        before = self._save()
        try:
            while self.is_rolling:
                events += self._roll(self._next_outcome(faces, salt), salt)
            if faces:
                raise BadText("no more dice than the rolls due", str(faces[0]))
        except (NoDice, BadText):
            self._restore(before)
            raise
        return events

    def _next_outcome(self, faces: list[Sequence[int]], salt: bytes = b"") -> int:
        if faces:
            self._named_faces = True
            return int(self.game.notation.outcome_of(tuple(faces.pop(0))))
        if self._dice is None:
            raise NoDice(
                "a roll is due and this position has no dice: give seed= when reading it, or play(…, dice=[…])"
            )
        count = self.game.engine.chance(*self._at())
        return self._dice.outcome(len(self.rows), self._rolls, int(count), salt)

    def undo(self, seat: int | None = None, row: int | None = None) -> None:
        """Take back a seat's last action (or, while all set up in secret, the one in this row), as the table allows:
        not past a roll, a reveal or another seat's turn, and only if everything else still stands."""
        own = [
            n for n in self._standing_rows() if not self.rows[n].is_roll and (seat is None or self.rows[n].seat == seat)
        ]
        target = row if row is not None else own[-1] if own else None
        is_last = bool(own) and target == own[-1]
        if target is None or target not in own or target < self._barrier or not (is_last or self._all_set_up()):
            raise IllegalAction(
                Refusal("takeback", "", "Nothing can be taken back past a roll, a reveal or another side's turn.")
            )
        before = self._save()
        self._dropped.add(target)
        try:
            self._replay()
        except IllegalAction as error:
            self._restore(before)
            raise IllegalAction(
                Refusal("takeback", "", f"That cannot be taken back: what came after needs it. {error}")
            ) from None
        self.rows.append(Row(self.rows[target].seat, f"{TAKEBACK} {target}"))

    def _standing_rows(self) -> list[int]:
        """Rows that still count: neither taken back nor words about the match."""
        return [
            n for n, row in enumerate(self.rows)
            if n not in self._dropped and not row.text.startswith(TAKEBACK) and row.text not in (RESIGN, DRAW)
        ]  # fmt: skip

    def _all_set_up(self) -> bool:
        """Whether what can still be taken back began with several seats to act at once."""
        began = self._branch()
        began.rows, began._dropped = self.rows, self._dropped
        began._replay(self._barrier)
        return len(began.to_act) > 1

    def _replay(self, until: int | None = None) -> None:
        """Everything that still stands, played again from the start (or as far as this row)."""
        self._record = self.game.start_record(self.start, self.book)
        given = blank_actions(1)
        for n in self._standing_rows():
            if until is not None and n >= until:
                break
            row = self.rows[n]
            if row.is_roll:
                self.game.engine.roll(*self._at(), self.game.notation.read_roll(row.text))
                continue
            self._write(given, self.game.notation.read_action(row.text))
            code = self.game.engine.check(*self._at(), row.seat, given, 0)
            if code:
                fields = self.game.view.refusal_fields(
                    self.book, self._record[0], row.seat, given[0], self.game.words()
                )
                raise IllegalAction(self.game.refusal(code, fields))
            self.game.engine.apply(*self._at(), row.seat, given, 0)

    # ---- looking ahead

    def odds(
        self, text: str, seat: int | None = None, *, by: Callable[[Position], Any] | None = None,
        samples: int | None = None,
        seed: int = 0,
    ) -> dict[Any, Fraction]:  # fmt: skip
        """What may come of an action: exact chances by dice, or by what `by` makes of the position after the roll."""
        if refusal := self.why_not(text, seat):
            raise IllegalAction(refusal)
        given = blank_actions(1)
        self._write(given, self.game.notation.read_action(text))
        after = self._branch()
        self.game.engine.apply(*after._at(), self._seat(seat), given, 0)
        count = int(self.game.engine.chance(*after._at()))
        if count == 0:
            return {by(after) if by else (): Fraction(1)}
        if samples is None and count < 0:
            raise NotCountable("too many outcomes to list: ask for samples=1000")
        if samples is None:
            outcomes = list(range(count))
        else:
            numbers = [draw_at(seed, n) for n in range(samples)]
            outcomes = [number if count < 0 else (number >> 31) * count >> 32 for number in numbers]
        shares: dict[Any, Fraction] = {}
        for outcome in outcomes:
            branch = after._branch()
            self.game.engine.roll(*branch._at(), outcome)
            key = by(branch) if by else self.game.notation.faces_of(outcome)
            shares[key] = shares.get(key, Fraction(0)) + Fraction(1, len(outcomes))
        return shares

    def seen(self, seat: int | None) -> Position:
        """What a player is handed: what this seat may know, with neither dice nor past."""
        seen = Position(self.game, self.book, self.start, dice=None, record=self._hidden(seat))
        seen._viewer = ONLOOKER if seat is None else seat
        return seen

    def imagine(self, seed: int, seat: int | None = None) -> Position:
        """One possibility of what is hidden, filled in."""
        imagined = self._branch()
        number = self._seat(seat) if seat is not None or len(self.to_act) == 1 else ONLOOKER
        self.game.engine.imagine(*imagined._at(), number, seed & MASK_63)
        return imagined

    # ---- as a value

    def copy(self, seed: int | None = None) -> Position:
        """The same match, to be played on apart; with a seed, with other dice from here on."""
        twin = Position(self.game, self.book, self.start, dice=self._dice, record=self._record.copy())
        twin._restore(self._save())
        if isinstance(self._dice, ScriptedDice):
            twin._dice = ScriptedDice(self._dice.outcomes, self._dice.after, self._dice.used)
        if seed is not None:
            twin._dice = SeedDice(seed)
            twin._named_faces = bool(self._rolls)
        return twin

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position) and self.game.name == other.game.name and self.book == other.book
            and self.is_agreed == other.is_agreed and self._record.tobytes() == other._record.tobytes()
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.game.name, self.book.digest, self._record.tobytes()))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Position of {self.game.name}, to act: {self.to_act}>"

    def _repr_svg_(self) -> str | None:
        return Position.painter(self.view(None)) if Position.painter else None

    def text(self) -> str:
        return str(self.game.notation.write_position(self._record[0], self.book))

    @property
    def record(self) -> Array:
        """The position itself, one numpy record in an array of length one (a copy)."""
        return self._record.copy()

    @property
    def dice_name(self) -> str:
        return "faces" if self._dice is None or self._named_faces else self._dice.name

    @property
    def dice(self) -> DiceSource | None:
        return self._dice

    def match(self) -> Match:
        """The match so far, as it goes into a file."""
        from sandtable.protocol.match import Match

        if self._viewer is not None:
            raise SandtableError("a seat's view of a position has no past")
        return Match.of(self)

    # ---- inside

    def _at(self) -> tuple[Array, Array, int, Array]:
        return self.book.record, self._record, 0, self._work

    def _branch(self) -> Position:
        return Position(self.game, self.book, self.start, dice=None, record=self._record.copy())

    def _hidden(self, seat: int | None) -> Array:
        hidden = self._record.copy()
        viewer = ONLOOKER if seat is None else self._seat(seat)
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

    def _seat(self, seat: int | None, lenient: bool = False) -> int:
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

    @staticmethod
    def _write(given: Array, fields: tuple[int, ...]) -> None:
        given[0] = fields

    def _begin_events(self) -> None:
        self._work["event_wanted"] = 1
        self._work["event_count"] = 0

    def _end_events(self) -> list[Event]:
        self._work["event_wanted"] = 0
        kinds_seats = [
            (int(e["kind"]), int(e["who"])) for e in self._work["events"][0][: int(self._work["event_count"][0])]
        ]
        events, _ = told(self.game, self._work)
        for kind, who in kinds_seats:
            if kind in (TURN, REVEAL):
                self._barrier = len(self.rows)
            if kind == TURN:
                self._offers.turn_begins(who, self.seats)
        return events

    def _why_not_word(self, text: str, seat: int | None) -> Refusal | None:
        words = self.game.words()
        if self.outcome is not None:
            return Refusal("over", "", words("refusal", "over"))
        if seat is None and len(self.to_act) != 1:
            return Refusal("seat", "", f"Say who: {text} needs a seat when several may act or nobody may.")
        if not 0 <= self._seat(seat, lenient=True) < self.seats:
            return Refusal("seat", "", f"There is no seat {seat}.")
        if text == DRAW and self._seat(seat) in self._offers.standing:
            return Refusal("offered", "", "Your draw offer still stands.")
        return None

    def _say(self, text: str, seat: int) -> list[Event]:
        self.rows.append(Row(seat, text))
        if text == RESIGN:
            self._barrier = len(self.rows)
            self._begin_events()
            self.game.engine.concede(*self._at(), seat)
            return self._end_events()
        self._offers.offer(seat)
        if self.is_agreed:
            self._barrier = len(self.rows)
        side = self.game.view.seat_name(seat, self.game.words())
        sentence = f"{side} accepts the draw." if self.is_agreed else f"{side} offers a draw."
        return [Event("draw", "", seat, sentence)]

    def _save(self) -> Mapping[str, Any]:
        import copy

        return {
            "_record": self._record.copy(), "rows": list(self.rows), "_dropped": set(self._dropped),
            "_barrier": self._barrier, "_rolls": self._rolls, "_offers": copy.deepcopy(self._offers),
            "_named_faces": self._named_faces,
        }  # fmt: skip

    def _restore(self, saved: Mapping[str, Any]) -> None:
        for name, value in saved.items():
            setattr(self, name, value)
