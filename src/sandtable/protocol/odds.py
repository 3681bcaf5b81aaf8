"""What may come of an action: the roll it leads to, over every outcome or over samples."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from sandtable.kit.dice import SEEDED, below, draw_at
from sandtable.protocol.errors import IllegalAction, NotCountable
from sandtable.protocol.standing import Standing


def odds(
    position: Standing, text: str, seat: int | None, by: Callable[[Any], Any] | None, samples: int | None, seed: int
) -> dict[Any, Fraction]:
    """Exact chances by dice, or by what `by` makes of the position after the roll; with samples, shares of them."""
    if refusal := position.why_not(text, seat):
        raise IllegalAction(refusal)
    game = position.game
    after = position.after(text, position.acting(seat))
    count = int(game.engine.chance(*after._at()))
    if count == 0:
        return {by(after) if by else (): Fraction(1)}
    if samples is not None:
        numbers = [draw_at(seed, n) for n in range(samples)]
        outcomes = [number if count == SEEDED else below(number, count) for number in numbers]
    elif count == SEEDED:
        raise NotCountable("too many outcomes to list: ask for samples=1000")
    else:
        outcomes = list(range(count))
    shares: dict[Any, Fraction] = {}
    for outcome in outcomes:
        branch = after.branch()
        game.engine.roll(*branch._at(), outcome)
        key = by(branch) if by else game.notation.faces_of(outcome)
        shares[key] = shares.get(key, Fraction(0)) + Fraction(1, len(outcomes))
    return shares
