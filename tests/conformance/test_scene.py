"""What is shown: something is asked of everybody at every moment, and changes of a scene are small and add up."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest

from sandtable.protocol.scene import changes, patched, scene_hash
from tests.conformance.games import IS_INTERPRETED, games_of, samples

pytestmark = pytest.mark.kernels


def viewers(position):
    return [None, *range(position.seats)]


def test_whoever_may_act_is_asked_and_everybody_else_is_told_whom_he_waits_for(game):
    """One sentence each, at every position of whole games."""
    for past in games_of(game.name):
        for position in past[:: 5 if IS_INTERPRETED else 1]:
            for viewer in viewers(position):
                ask = position.view(viewer)["ask"]
                assert ask["act"] is (viewer in position.to_act), position.text()
                assert re.fullmatch(r"[^\s{}].*[.!?:]", ask["text"]), ask


def test_it_is_asked_in_every_language(game):
    for position in samples(game.name):
        for viewer in viewers(position):
            hidden = position.seen(viewer).record
            asked = set()
            for language in ("en", "es"):
                scene = game.view.scene(position.book, hidden, -1 if viewer is None else viewer, game.words(language))
                asked.add(scene["ask"]["text"])
            assert len(asked) == 2


def test_onlookers_are_asked_nothing(game):
    assert not any(position.view(None)["ask"]["act"] for position in samples(game.name))


def test_a_scene_is_a_flat_map_of_small_json_values(game):
    for position in samples(game.name):
        for viewer in viewers(position):
            scene = position.view(viewer)
            assert json.loads(json.dumps(scene)) == scene
            assert "geometry" in scene["board"]
            for key, value in scene.items():
                assert re.fullmatch(r"[a-z]+(/[^\s/]+)?", key)
                assert value is not None, "None means gone"
                assert key == "board" or len(json.dumps(value)) < 400


def test_every_seat_is_in_the_scene(game):
    for position in samples(game.name):
        scene = position.view(None)
        for seat in range(position.seats):
            assert scene[f"seat/{seat}"]["name"]
            assert (scene[f"seat/{seat}"]["state"] in ("won", "lost", "drew")) == (position.outcome is not None)


def test_changes_lead_from_one_scene_to_the_next_and_keep_its_hash(game):
    for past in games_of(game.name)[:2]:
        for viewer in viewers(past[0]):
            scenes = [position.view(viewer) for position in past[: 40 if IS_INTERPRETED else None]]
            for before, after in pairwise(scenes):
                change = changes(before, after)
                assert patched(before, change) == after
                assert scene_hash(patched(before, change)) == scene_hash(after)
            assert changes(scenes[0], scenes[0]) == []


def test_sources_are_keys_that_actions_are_asked_by(game):
    for position in samples(game.name):
        for seat in position.to_act:
            for key in position.sources(seat):
                assert game.view.source_key(game.view.source_number(key)) == key


def test_a_source_that_is_none_is_refused_with_a_sentence(game):
    import sandtable

    position = next(position for position in samples(game.name) if position.to_act)
    for key in ("", "turn/", "cell/z9", "cell/", "palette/Q", "palette/", "unit/e2", "nonsense", "cell/e22", "CELL/e2"):
        with pytest.raises(sandtable.BadText):
            position.actions_from(key, position.to_act[0])


def test_looking_changes_nothing(game):
    for position in samples(game.name)[::3]:
        before = position.record.tobytes()
        for viewer in viewers(position):
            position.view(viewer)
            position.seen(viewer)
        for which in game.traits.overlays:
            position.overlay(which, 0)
        assert position.record.tobytes() == before


def test_events_are_sentences_with_their_clause(game):
    """In each game every action and roll is told; what an event names is on the board."""
    chapters = set(re.findall(rf"\*\*({game.letter}\d+\.\d+)\*\*", game.rules_text()))
    for past in games_of(game.name):
        position = game.deal(past[0].start.scenario, seed=past[0].start.map_seed, seats=past[0].seats)
        for row in past[-1].rows[: 80 if IS_INTERPRETED else None]:
            for event in position.play(row.text, seat=row.seat) if not row.is_roll else ():
                assert re.fullmatch(r"\S.*[.!?]", event.sentence), event
                assert "{" not in event.sentence
                assert event.clause in chapters
                assert all(re.fullmatch(r"[a-z]+/\S+", ref) for ref in event.refs)


def test_the_end_is_a_sentence_in_every_language(game):
    for past in games_of(game.name):
        ended = past[-1].outcome
        assert ended.sentence[-1] == "."
        for language in ("en", "es"):
            reason = next(n for n, name in enumerate(game.layout.REASONS) if name == ended.reason)
            name, fields = game.view.reason_fields(reason, list(ended.places), game.words(language))
            assert game.words(language)("reason", name, **fields)
