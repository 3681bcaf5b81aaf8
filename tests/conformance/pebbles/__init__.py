"""Pebbles: a made-up game that is as small as a game can be. What it leaves out, protocol/ puts in.

Two or three seats take one to three pebbles from a heap by turns. Who takes the last one wins, the others share the
second place.
"""

from pathlib import Path

from sandtable.protocol.game import Game, Traits
from tests.conformance.pebbles import layout, notation, rules

GAME = Game(
    name="pebbles",
    title="Pebbles",
    rules_version=1,
    letter="P",
    traits=Traits(seats=(2, 3), longest=100, field_ranges={"kind": 3, "arg": 12}),
    layout=layout,
    notation=notation,
    slots=[rules],
    folder=Path(__file__).parent,
)
