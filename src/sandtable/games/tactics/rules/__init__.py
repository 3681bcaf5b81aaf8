"""The rules of Tactics as kernels, a file per matter. Clause numbers are those of RULES.md.

A `side` is a seat (White 0, Black 1). `unit` is a class from 1 to 8 and stands in a cell as 8 × side + unit.
"""

from sandtable.games.tactics.rules.action import actions, apply, check
from sandtable.games.tactics.rules.chosen import pick
from sandtable.games.tactics.rules.danger import overlay
from sandtable.games.tactics.rules.setup import deal, hide, imagine
from sandtable.games.tactics.rules.turn import chance, concede, outcome, roll, who

__all__ = [
    "actions", "apply", "chance", "check", "concede", "deal", "hide", "imagine", "outcome", "overlay", "pick", "roll",
    "who",
]  # fmt: skip
