"""What is offered for choosing, source by source, and what a look ahead shows: nothing unknown, nothing done."""

from __future__ import annotations

import json

import pytest

import sandtable
from sandtable.protocol.choices import options, preview, sources
from sandtable.protocol.scene import patched
from tests.conformance.games import IS_INTERPRETED, choices, samples
from tests.conformance.test_secrets import two_worlds

pytestmark = pytest.mark.kernels

FIELDS = {"text", "to", "cost", "mark", "label", "odds", "warn", "why"}


def some(game):
    return choices(game.name)[:: 6 if IS_INTERPRETED else 2]


def test_options_are_the_actions_of_their_source(game):
    for position, seat in some(game):
        found = sources(position, seat)
        assert {key: count for key, count in found.items() if count} == position.sources(seat)
        for key, count in found.items():
            offered = [option["text"] for option in options(position, seat, key) if not option["why"]]
            assert offered == position.actions_from(key, seat)
            assert len(offered) == count


def test_a_button_that_cannot_be_pressed_says_why(game):
    for position, seat in some(game):
        for option in options(position, seat, "turn"):
            refusal = position.why_not(option["text"], seat)
            assert option["why"] == (refusal.sentence if refusal else None)


def test_an_option_says_how_it_is_to_be_drawn(game):
    for position, seat in some(game):
        scene = position.view(seat)
        for key in sources(position, seat):
            for option in options(position, seat, key):
                assert set(option) >= FIELDS
                assert json.loads(json.dumps(option)) == option
                assert option["label"] or option["to"], "a place on the board or a name on a button"
                assert option["to"] is None or "/" in option["to"]
            family = key.partition("/")[0]
            assert family in ("turn", "cell") or key in scene


def test_a_seat_that_may_not_act_is_offered_nothing(game):
    for position in samples(game.name):
        for seat in set(range(position.seats)) - set(position.to_act):
            assert sources(position, seat) == {}
            assert options(position, seat, "turn") == []


def test_a_preview_is_what_happens_before_any_dice(game):
    for position, seat in some(game):
        texts = position.actions(seat)
        for text in texts[:: max(1, len(texts) // 4)]:
            change, sentence = preview(position, text, seat)
            after = position.after(text, seat)
            assert patched(position.seen(seat).view(seat), change) == after.view(seat) or seat not in after.to_act
            assert "{" not in sentence


def test_a_preview_changes_nothing_and_refuses_what_is_refused(game):
    for position, seat in some(game)[::3]:
        before, rows = position.record.tobytes(), list(position.rows)
        preview(position, position.actions(seat)[0], seat)
        with pytest.raises(sandtable.IllegalAction):
            preview(position, "nonsense", seat)
        assert position.record.tobytes() == before
        assert position.rows == rows


def test_a_preview_does_not_depend_on_what_is_hidden(game):
    for position, seat in some(game):
        worlds = two_worlds(position, seat)[:3]
        if len(set(worlds)) > 1:
            for text in position.actions(seat)[:5]:
                assert len({json.dumps(preview(one, text, seat)) for one in worlds}) == 1
