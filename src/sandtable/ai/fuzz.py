"""A game under fire: played at random, with every position asked whether something is true that must never be.

Each failure is kept as a match file that opens on its ply, beside it a text that says what was wrong there.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from sandtable.kit.dice import below, draw_at
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.errors import IllegalAction
from sandtable.protocol.game import Game
from sandtable.protocol.match import Match, read_match
from sandtable.protocol.position import DRAW, ONLOOKER, Position

Progress = Callable[[int, int], None]


class Fault(Exception):
    """Something that must not be. The oracle is what found it."""

    def __init__(self, oracle: str, sentence: str) -> None:
        super().__init__(sentence)
        self.oracle = oracle


@dataclass(frozen=True)
class Failure:
    """One fault: in which game of which seed, where in its match, and the file that shows it."""

    oracle: str
    seed: int
    game: int
    row: int
    sentence: str
    file: Path | None = None

    def __str__(self) -> str:
        kept = f" → {self.file}" if self.file else ""
        return f"seed {self.seed}, game {self.game}, row {self.row}: {self.oracle}: {self.sentence}{kept}"


@dataclass
class Report:
    games: int = 0
    plies: int = 0
    failures: list[Failure] = field(default_factory=list)


def fuzz(
    game: Game, games: int = 200, seed: int = 1, folder: Path | None = None, progress: Progress | None = None
) -> Report:
    """Play this many games, from every scenario under every book. The same seed is the same games."""
    report = Report()
    for number in range(games):
        run = Run(game, draw_at(seed, number))
        try:
            run.play()
        except Exception as error:  # whatever it is, the game went wrong
            oracle = error.oracle if isinstance(error, Fault) else "crash"
            sentence = str(error) if isinstance(error, Fault) else f"{type(error).__name__}: {error}"
            rows = len(run.position.rows) if run.position else 0
            failure = Failure(oracle, seed, number, rows, f"{run.doing}: {sentence}")
            report.failures.append(_keep(failure, run, folder, traceback.format_exc()))
        report.games += 1
        report.plies += run.plies
        if progress is not None:
            progress(number + 1, games)
    return report


def _keep(failure: Failure, run: Run, folder: Path | None, trace: str) -> Failure:
    """Write the match as far as it went, and what was found at its end."""
    if folder is None:
        return failure
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{run.game.name}-seed-{failure.seed}-game-{failure.game}-{failure.oracle}"
    if run.position is not None:
        failure = replace(failure, file=folder / f"{name}.match")
        (folder / f"{name}.match").write_text(run.match().text(), "utf-8", newline="\n")
    (folder / f"{name}.txt").write_text(f"{failure}\n\n{trace}", "utf-8", newline="\n")
    return failure


class Run:
    """One game at random, and what is asked at each of its positions."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.position: Position | None = None
        self.plies = 0
        self.doing = "dealing"  # for the report
        self._drawn = 0
        self._began = 0  # the first row since a roll, or since a seat came to act that could not before

    def below(self, k: int) -> int:
        self._drawn += 1
        return int(below(draw_at(self.seed, self._drawn), k))

    def match(self) -> Match:
        """The match so far; without its result, if asking for that is what fails."""
        assert self.position is not None
        try:
            return self.position.match()
        except Exception:
            position = self.position
            return Match(position.game, position.book, position.start, position.dice_name, tuple(position.rows))

    def play(self) -> None:
        game = self.game
        book = game.books[self.below(len(game.books))]
        scenario = game.scenarios[self.below(len(game.scenarios))]
        seats = game.traits.seats[self.below(len(game.traits.seats))]
        position = self.position = game.deal(scenario, seed=self.seed, seats=seats, book=book)
        while True:
            acting = position.to_act
            self._look(position, acting)
            if not acting:
                break
            seat = acting[self.below(len(acting))]
            text = self._choice(position, seat)
            self.doing = f"seat {seat} plays {text}"
            rows = len(position.rows)
            position.play(text, seat=seat)
            if len(position.rows) > rows + 1 or set(position.to_act) - set(acting):
                self._began = len(position.rows)
            self.plies += 1
            if self.plies > game.traits.longest:
                raise Fault("endless", f"no end within the {game.traits.longest} plies that the game states")
            if self.below(8) == 0:
                self._take_back(position)
            if self.below(300) == 0 and position.why_not(DRAW, seat) is None:
                position.play(DRAW, seat=seat)
        self.doing = "playing the match again"
        again = read_match(self.match().text(), lambda name: game)
        if again.position() != position or again.text() != self.match().text():
            raise Fault("replay", "the match played again ends in another position")
        if not again.verify().ok:
            raise Fault("replay", again.verify().sentence)

    # ---- what must be true

    def _look(self, position: Position, acting: tuple[int, ...]) -> None:
        """Ask a position everything that does not change it."""
        self.doing = "looking"
        ended = position.outcome
        if not acting and ended is None:
            raise Fault("stuck", "nobody can act, no roll is due, and it is not over")
        if acting and ended is not None:
            raise Fault("stuck", "it is over and somebody can still act")
        for viewer in (None, *range(position.seats)):
            ask = position.view(viewer).get("ask") or {}
            if not str(ask.get("text", "")).strip():
                raise Fault("ask", f"nothing is asked of {_name(viewer)}")
            if ask.get("act") is not (viewer in acting):
                raise Fault("ask", f"whether {_name(viewer)} is to act is told wrongly: {ask['text']}")
        text = position.text()
        if self.game.read(text, book=position.book).record.tobytes() != position.record.tobytes():
            raise Fault("text", "the position's text reads back to another position")
        if self.below(8) == 0:
            for viewer in (ONLOOKER, *range(position.seats)):
                self._look_hidden(position, viewer)

    def _look_hidden(self, position: Position, viewer: int) -> None:
        """What is hidden from a viewer and imagined anew must be hidden to the same, and look the same."""
        seat = None if viewer == ONLOOKER else viewer
        seen = position.seen(seat)
        possible = seen.copy()
        self.game.engine.imagine(*possible._at(), viewer, draw_at(self.seed, self._drawn))
        if possible.seen(seat) != seen:
            raise Fault("secret", f"what {_name(seat)} imagines is not what it knows")
        if possible.view(seat) | {"offer": 0} != position.view(seat) | {"offer": 0}:
            raise Fault("secret", f"two positions that {_name(seat)} cannot tell apart look different")

    def _choice(self, position: Position, seat: int) -> str:
        """An action for this seat: half the time by `pick`. Both ways it must be listed, and a listed one be legal."""
        self.doing = f"listing for seat {seat}"
        texts = position.actions(seat)
        if not texts:
            raise Fault("no_action", f"seat {seat} must act and has no action")
        text = texts[self.below(len(texts))]
        if refusal := position.why_not(text, seat):
            raise Fault("refused", f"{text} is listed and refused: {refusal}")
        if self.below(2):
            return text
        self.doing = f"picking for seat {seat}"
        out, work = blank_actions(1), self.game.blank_work()
        draw = draw_at(self.seed, 2 * self._drawn)
        self.game.engine.pick(position.book.record, position.record, 0, work, seat, draw, out)
        picked: str = self.game.notation.write_action(out[0])
        if picked not in texts:
            raise Fault("pick", f"{picked} is picked and not listed")
        return picked

    def _take_back(self, position: Position) -> None:
        """Any seat tries to; where it may, nothing of anybody else's may go with it. The last one stands."""
        for seat in range(position.seats):
            self.doing = f"seat {seat} takes back"
            before = position.copy()
            try:
                position.undo(seat)
            except IllegalAction:
                if position != before or position.rows != before.rows:
                    raise Fault("undo", "a refused takeback changed something") from None
                continue
            row = int(position.rows[-1].text.split()[1])
            if row < self._began:
                raise Fault("undo", f"row {row} was taken back across a roll or another seat's turn")


def _name(viewer: int | None) -> str:
    return "an onlooker" if viewer is None else f"seat {viewer}"
