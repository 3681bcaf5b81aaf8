"""A game at a terminal: seats act in turn, people by typing, machines by themselves; every change is drawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sandtable.cli import person
from sandtable.cli.players import ME, choose, seated
from sandtable.protocol.errors import SandtableError
from sandtable.protocol.position import RESIGN
from sandtable.protocol.replay import retell

if TYPE_CHECKING:
    from sandtable.cli.screen import Screen
    from sandtable.protocol.events import Event
    from sandtable.protocol.position import Position
    from sandtable.protocol.scene import Scene

Person = Callable[["Table", int], bool]  # lets a person act for a seat; False: has left the table


class Table:
    """A position, who sits at it, and what has been told of it so far."""

    def __init__(
        self, position: Position, names: Sequence[str], screen: Screen, seed: int, *, is_watched: bool = True,
        pause: float = 0.0,
    ) -> None:  # fmt: skip
        self.position, self.screen, self.seed = position, screen, seed
        self.pause = pause  # seconds between the sentences of a machine's turn
        self.is_watched = is_watched  # a board for every turn of a match that only machines play
        self.names = list(names)
        self.players = seated(self.names, seed)
        self.seat: int | None = None  # the person who looks at the screen now
        self.is_drawn = False  # whether the screen shows the position as it is
        self.log: list[Event]
        self._actor: int | None  # who acted last
        self._own_end: dict[int, int]  # by seat: where in the log its last action begins
        self._since: dict[int, int]  # by seat: where in the log its last turn ended
        if len(self.people) == 1:
            self.seat = self.people[0]
        self._recall()

    @property
    def people(self) -> list[int]:
        return [seat for seat, name in enumerate(self.names) if name == ME]

    @property
    def scene(self) -> Scene:
        return self.position.view(self.seat)

    def seat_name(self, seat: int) -> str:
        return str(self.position.view(None)[f"seat/{seat}"]["name"])

    # ---- the loop

    def play(self, person: Person) -> bool:
        """Until the match is over (True), or somebody leaves (False)."""
        if self._actor is None:
            for event in self.log:
                self.screen.event(event)
        while self.position.outcome is None:
            acting = self.position.to_act
            machines = [seat for seat in acting if self.players[seat] is not None]
            if machines:
                self._let_machine(machines[0])
            else:
                self._sit_down(self.seat if self.seat in acting else acting[0])
                assert self.seat is not None
                if not person(self, self.seat):
                    return False
        self.draw()
        self.screen.say(self.position.outcome.sentence, "")
        return True

    def _let_machine(self, seat: int) -> None:
        player = self.players[seat]
        assert player is not None
        if seat != self._actor and self.is_watched and (self._actor is None or not self.people):
            self.draw()
        try:
            self.act(choose(player, self.position, seat), seat, self.pause)
        except SandtableError as error:
            self.screen.say(f"{self.seat_name(seat)} ({self.names[seat]}) gives up: {error}")
            self.act(RESIGN, seat)

    def _sit_down(self, seat: int) -> None:
        """Another person takes the keyboard; where one knows what others may not, the screen is cleared first."""
        if seat != self.seat and self._is_secret(seat):
            self.screen.clear()
            person.forget()
            self.screen.say(f"{self.seat_name(seat)}, it is your turn at the keyboard; nobody else may look.")
            self.screen.ask("Press Enter when you sit down. ")
            self.is_drawn = False
        if seat != self._actor:
            self._since[seat] = self._own_end.get(seat, 0)
        self.is_drawn = self.is_drawn and seat == self.seat
        self.seat = seat
        self.draw()

    def _is_secret(self, seat: int) -> bool:
        return self.seat is not None and self.position.seen(seat) != self.position.seen(self.seat)

    # ---- what happens

    def act(self, text: str, seat: int, pause: float = 0.0) -> None:
        """Play an action and tell what came of it; raises IllegalAction."""
        begin = len(self.log)
        events = self.position.play(text, seat)
        self._actor, self._own_end[seat] = seat, begin
        self.is_drawn = False
        self.log += events
        for event in events:
            if event.is_seen_by(self.seat):
                self.screen.event(event)
                time.sleep(pause)

    def _recall(self) -> None:
        """The log of what was played before anybody sat down here: the opening rolls, a match from a file."""
        self.log, self._actor, self._own_end, self._since, self.is_drawn = [], None, {}, {}, False
        for step in retell(self.position.match()):
            if step.row.seat is not None:
                self._actor, self._own_end[step.row.seat] = step.row.seat, len(self.log)
            self.log += step.events

    def last(self, seat: int) -> list[Event]:
        """What this seat may know of what happened since its last turn."""
        return [event for event in self.log[self._since.get(seat, 0) :] if event.is_seen_by(seat)]

    def draw(self) -> None:
        """The board, unless it is what the screen shows already."""
        if not self.is_drawn:
            self.screen.board(self.scene)
            self.is_drawn = True

    def sit_at(self, position: Position) -> None:
        """Go on with another position: a match from a file."""
        self.position = position
        self._recall()
