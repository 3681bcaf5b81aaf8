"""While armies are placed, nothing of one side's reaches the other or an onlooker, by any door."""

from __future__ import annotations

import json
import random

import pytest

import sandtable
from sandtable import draw

pytestmark = pytest.mark.kernels

GAME = sandtable.game("tactics")
HOMES = ({f + r for f in "abcdefgh" for r in "123"}, {f + r for f in "abcdefgh" for r in "678"})
VIEWERS = (None, 0, 1)


def deploying(seed=5, book=None):
    position = GAME.deal("opening", dice=[(5, 2)], seed=seed, book=book)
    position.play("attack")
    return position


def place(position, seat, count, seed=1):
    """This many of the seat's actions, at random."""
    chance = random.Random(seed)
    for _ in range(count):
        position.play(chance.choice(position.actions(seat)), seat=seat)
    return position


def units(scene, side):
    return [value for key, value in scene.items() if key.startswith("unit/") and value["side"] == side]


def shown(position, viewer):
    """Everything a viewer can be handed, as text."""
    seen = position.seen(viewer)
    scene = position.view(viewer)
    parts = [json.dumps(scene), draw.text(scene), draw.text(scene, ascii_only=True), draw.svg(scene), seen.text()]
    if viewer is not None:
        parts += [json.dumps(position.overlay("danger", viewer)), json.dumps(seen.sources(viewer))]
        parts += [json.dumps(seen.actions(viewer)), seen.record.tobytes().hex(), repr(seen)]
    return parts


@pytest.mark.parametrize("count", [0, 1, 7, 14, 15])
@pytest.mark.parametrize("book", [None, "guard-squares"])
def test_however_far_and_wherever_the_other_has_placed_it_looks_the_same(count, book):
    bare = deploying(book=book)
    for seed in (1, 2):
        position = place(deploying(book=book), 1, count, seed)
        assert shown(position, 0) == shown(bare, 0)
        assert shown(position, None) == shown(bare, None)


def test_that_a_side_is_ready_is_all_that_others_learn():
    """Two placements that are ready are alike; and ready is not like unready."""
    unready, one, other = (place(deploying(), 1, count, seed) for count, seed in ((15, 1), (16, 1), (16, 2)))
    assert shown(one, 0) == shown(other, 0) != shown(unready, 0)
    assert one.view(0)["seat/1"]["state"] == "ready"
    assert unready.view(0)["seat/1"]["state"] == "deploying"
    assert one.view(None)["seat/1"].keys() == unready.view(None)["seat/1"].keys()


def test_a_seat_sees_its_own_pieces_and_what_is_left_to_place():
    position = place(deploying(), 0, 4)
    scene = position.view(0)
    assert len(units(scene, 0)) == 4
    assert sum(value["left"] for key, value in scene.items() if key.startswith("palette/")) == 11
    assert scene["seat/0"]["units"] == 4
    for viewer in (None, 1):
        assert units(position.view(viewer), 0) == []
        assert "units" not in position.view(viewer)["seat/0"]
    assert not any(key.startswith("palette/") for key in position.view(None))


def test_what_is_hidden_lies_in_fog():
    position = place(deploying(), 0, 4)
    for viewer, hidden in ((0, HOMES[1]), (1, HOMES[0]), (None, HOMES[0] | HOMES[1])):
        fog = {key[5:] for key, value in position.view(viewer).items() if key.startswith("cell/") and value.get("fog")}
        assert fog == hidden


def test_both_armies_are_seen_by_all_once_they_are_revealed():
    position = place(place(deploying(), 0, 16), 1, 15)
    assert units(position.view(1), 0) == []
    events = position.play("ready", seat=1)
    assert "revealed" in [event.name for event in events]
    scenes = [position.view(viewer) for viewer in VIEWERS]
    for scene in scenes:
        assert len(units(scene, 0)) == len(units(scene, 1)) == 15
        assert not any(value.get("fog") for key, value in scene.items() if key.startswith("cell/"))


def test_a_placement_is_told_to_its_own_side_alone():
    position = deploying()
    (event,) = position.play("place e1 R", seat=0)
    assert [event.is_seen_by(viewer) for viewer in VIEWERS] == [False, True, False]
    place(position, 0, 14)
    (event,) = position.play("ready", seat=0)
    assert [event.is_seen_by(viewer) for viewer in VIEWERS] == [True, True, True]


def test_refusals_tell_nothing_of_the_other_side():
    bare, placed = deploying(), place(deploying(), 1, 15)
    squares = sorted(HOMES[0] | HOMES[1] | {"a4", "h5"})
    for text in [*(f"place {at} {sign}" for at in squares for sign in "HR"), "ready", "end", "e2-e3", "e7xe6"]:
        assert bare.why_not(text, seat=0) == placed.why_not(text, seat=0), text


def test_nothing_is_learnt_by_trying_to_take_back():
    """The choice cannot be taken back once both place: whether it is refused would say whether the other has begun."""
    bare, placed = deploying(), place(deploying(), 1, 3)
    said = []
    for position in (bare, placed):
        with pytest.raises(sandtable.IllegalAction) as caught:
            position.undo(0)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_placements_are_taken_back_in_any_order():
    position = deploying()
    for seat, text in ((0, "place e1 R"), (1, "place e8 R"), (0, "place a1 H"), (0, "place b1 H")):
        position.play(text, seat=seat)
    first = next(n for n, row in enumerate(position.rows) if row.text == "place a1 H")
    position.undo(0, row=first)
    assert {unit["at"] for unit in units(position.view(0), 0)} == {"e1", "b1"}
    assert {unit["at"] for unit in units(position.view(1), 1)} == {"e8"}


def test_what_is_taken_back_while_placing_is_told_to_its_own_side_alone():
    position = place(deploying(), 0, 3)
    (event,) = position.undo(0)
    assert [event.is_seen_by(viewer) for viewer in VIEWERS] == [False, True, False]
    assert "place" in event.sentence


def test_a_side_that_is_ready_may_take_that_back_while_the_other_places():
    position = place(deploying(), 0, 16)
    position.undo(0)
    assert position.to_act == (0, 1)
    assert position.actions(0) == ["ready"]


def test_a_player_who_imagines_fills_in_a_whole_legal_army():
    position = place(place(deploying(), 0, 15), 1, 6)
    seen = position.seen(0)
    armies = set()
    for seed in range(20):
        possible = seen.imagine(seed, seat=0)
        assert possible.actions(1) == ["ready"]
        assert len(units(possible.view(1), 1)) == 15
        assert {unit["at"] for unit in units(possible.view(1), 1)} <= HOMES[1]
        armies.add(possible.text())
    assert len(armies) == 20
    assert possible.seen(0) == seen


def test_the_scene_of_a_turn():
    position = GAME.deal("classic", dice=[(5, 2), (4, 4)], seed=1)
    position.play("attack")
    position.play("c3-c4")
    scene = position.view(0)
    assert scene["turn"] == {
        "number": 1, "seat": 0, "dice": [4, 4], "points": 14, "charge": True, "quiet": 1, "draw_after": 60,
    }  # fmt: skip
    assert scene["unit/c4"] == {"kind": "swordsmen", "sign": "E", "side": 0, "at": "c4", "marks": ["moved"]}
    assert scene["unit/c6"] == {"kind": "swordsmen", "sign": "E", "side": 1, "at": "c6"}
    assert scene["cell/e1"]["marks"] == ["guard"]
    assert scene["seat/0"]["state"] == "to act"
    assert scene["seat/1"]["state"] == "waiting"
