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
        # at most 28 captures, each ending at most 60 quiet turns, each of at most 16 actions; 32 to set up
        longest=28 * 60 * 16 + 32,
        field_ranges={"kind": 8, "what": 9, "at": 99, "to": 99},
    ),
    layout=layout,
    notation=notation,
    view=view,
    slots=[rules, greedy],
    folder=Path(__file__).parent,
)
