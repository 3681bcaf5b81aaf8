"""Tactics: two renaissance armies on 8 × 8 squares, dice for points, and a circle of who captures whom."""

from pathlib import Path

from sandtable.games.tactics import greedy, layout, notation, rules, view
from sandtable.protocol.game import Game, Traits

GAME = Game(
    name="tactics",
    title="Tactics",
    rules_version=1,
    letter="T",
    traits=Traits(
        seats=(2,),
        chance=True,
        secrets=True,
        overlays=layout.OVERLAYS,
        # 28 captures part at most 29 spells of at most 1,000 quiet turns (the book's most) of 16 actions; 40 to set up
        longest=29 * 1000 * 16 + 40,
        field_ranges={"kind": 8, "what": 9, "at": 99, "to": 99},
    ),
    layout=layout,
    notation=notation,
    view=view,
    slots=[rules, greedy],
    folder=Path(__file__).parent,
)
