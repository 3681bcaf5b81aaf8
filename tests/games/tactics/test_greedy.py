"""The yardstick player against its own description, worked out from position texts in plain Python."""

from __future__ import annotations

from fractions import Fraction

import pytest

import sandtable
from sandtable.protocol.position import Position

pytestmark = pytest.mark.kernels
GAME = sandtable.game("tactics")


def board(position: Position) -> dict[tuple[int, int], str]:
    """(file, rank) → sign, White in capitals."""
    rows = position.text().split("\n")[2:10]
    return {
        (file, 8 - n): row[2 * file + 2] for n, row in enumerate(rows) for file in range(8) if row[2 * file + 2] != "."
    }


def steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def worth(position: Position, seat: int) -> Fraction:
    """20 × (own − enemy) − steps from the nearest own piece to the enemy Guard + half the steps of his to ours."""
    pieces = board(position)
    own = [place for place, sign in pieces.items() if sign.isupper() == (seat == 0)]
    foes = [place for place, sign in pieces.items() if sign.isupper() != (seat == 0)]
    ours, theirs = ("R", "r") if seat == 0 else ("r", "R")
    guards = {sign: place for place, sign in pieces.items() if sign in "Rr"}
    return (
        20 * (len(own) - len(foes))
        - min(steps(place, guards[theirs]) for place in own)
        + Fraction(min(steps(place, guards[ours]) for place in foes), 2)
    )


@pytest.mark.parametrize("scenario", ["classic", "random", "brief"])
def test_it_takes_the_guard_or_plays_what_is_worth_most(scenario: str) -> None:
    taken = False
    for seed in range(2):
        position = GAME.deal(scenario, seed=seed)
        players = [sandtable.player("greedy", seed=10 * seed + seat) for seat in (0, 1)]
        while not position.outcome:
            seat = position.to_act[0]
            chosen = players[seat].choose(position.seen(seat), seat)
            texts = position.actions()
            if texts[0] == "end":
                guard = next(place for place, sign in board(position).items() if sign == ("r" if seat == 0 else "R"))
                square = "abcdefgh"[guard[0]] + str(guard[1])
                captures = [text for text in texts if text.endswith(f"x{square}")]
                if captures:
                    taken = True
                    assert chosen in captures
                else:
                    worths = {
                        text: worth(position if text == "end" else position.after(text, seat), seat) for text in texts
                    }
                    assert worths[chosen] == max(worths.values())
            position.play(chosen)
    assert taken


def test_ties_are_broken_by_lot_and_the_same_seed_plays_the_same() -> None:
    position = GAME.deal("classic", seed=7)
    position.play("attack")
    chosen = [sandtable.player("greedy", seed=seed).choose(position.seen(0), 0) for seed in range(30)]
    assert len(set(chosen)) > 1
    assert chosen == [sandtable.player("greedy", seed=seed).choose(position.seen(0), 0) for seed in range(30)]
