"""The whole games of Tactics that are kept as text. How they are written: tests/conformance/transcripts.py."""

from __future__ import annotations

import sandtable
from sandtable.protocol.position import Position
from tests.conformance.transcripts import Recipe, play_on

game = sandtable.game("tactics")


def opening() -> Position:
    """From the opening roll: both place in secret, change their minds, and play at random to the end."""
    position = game.deal("opening", seed=11)
    position.play(position.actions()[1])
    play_on(position, "pick", 1, plies=7)
    position.undo(0)
    position.undo(1, row=next(n for n, row in enumerate(position.rows) if row.seat == 1 and row.text[:5] == "place"))
    play_on(position, "pick", 2, plies=16)
    while 1 in position.to_act:  # whoever is ready first waits, and may think better of it
        position.play(position.actions(1)[0], seat=1)
    position.undo(1)
    position.play("ready", seat=1)
    return play_on(position, "pick", 3)


def guard_squares() -> Position:
    """The marked squares are the Guard's alone; quiet turns are counted to five."""
    position = game.deal("opening", seed=12, book={"reserve_guard_squares": 1, "draw_after": 5})
    return play_on(position, "pick", 4)


def classic() -> Position:
    """Two yardstick players; steps taken back, a draw offered and not taken, offered again and agreed."""
    position = game.deal("classic", seed=13)
    play_on(position, "greedy", 5, plies=12)
    for _ in range(3):
        before = len(position.rows)
        play_on(position, "greedy", 6, plies=1)
        if not any(row.is_roll for row in position.rows[before:]):
            position.undo()
    seat = position.to_act[0]
    position.play("draw", seat=seat)
    play_on(position, "greedy", 7, plies=40)
    position.play("draw", seat=0)
    position.play("draw", seat=1)
    return position


def random() -> Position:
    """A placement by lot, two yardstick players, to the end."""
    return play_on(game.deal("random", seed=14), "greedy", 8)


def brief() -> Position:
    """Five a side, dice named by hand at first."""
    position = game.deal("brief", dice=[(3, 3), (2, 5), (6, 6)])
    return play_on(position, "greedy", 9)


def given_up() -> Position:
    """Slow start: no charge in the first turns. Black gives up in White's turn."""
    position = play_on(game.deal("brief", seed=15, book="slow-start"), "pick", 10, plies=15)
    position.play("resign", seat=1)
    return position


RECIPES: dict[str, Recipe] = {
    recipe.__name__: recipe for recipe in (opening, guard_squares, classic, random, brief, given_up)
}
