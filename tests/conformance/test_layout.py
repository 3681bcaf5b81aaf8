"""Records: fixed size, nothing hidden, and names that mean the same interpreted and compiled."""

from __future__ import annotations

import numpy as np
import pytest

from sandtable.protocol.records import ACTION, EVENT, work_fields
from tests.conformance.games import samples

# What a record answers to by itself: a field of such a name is read wrongly while interpreted (`size` is silently 1).
TAKEN = {name for name in dir(np.recarray) if not name.startswith("_")} | {n for n in dir(np.record) if n[0] != "_"}


def records(game):
    return {name: getattr(game.layout, name) for name in ("POSITION", "BOOK", "WORK")} | {
        "ACTION": ACTION,
        "EVENT": EVENT,
    }


def nested(dtype):
    """A record and the records inside it."""
    yield dtype
    for name in dtype.names:
        inner = dtype[name].base
        if inner.names:
            yield from nested(inner)


def test_records_have_no_hidden_padding(game):
    """Else equal positions could differ in bytes: every pad is a field with a name."""
    for name, whole in records(game).items():
        for dtype in nested(whole):
            fields = sorted(dtype.fields.values(), key=lambda field: field[1])
            assert sum(field[0].itemsize for field in fields) == dtype.itemsize, name
            assert dtype.isalignedstruct is False, name


def test_no_field_has_a_name_that_numpy_answers_to(game):
    for name, whole in records(game).items():
        for dtype in nested(whole):
            assert not TAKEN & set(dtype.names), name


def test_the_names_that_are_taken_are_known():
    assert {
        "size",
        "round",
        "flags",
        "base",
        "data",
        "item",
        "view",
        "copy",
        "min",
        "max",
        "sum",
        "all",
        "any",
    } <= TAKEN
    assert {"sort", "take", "put", "real", "shape"} <= TAKEN


def test_records_are_record_dtypes_of_whole_numbers(game):
    for name, whole in records(game).items():
        for dtype in nested(whole):
            assert dtype.type is np.record, f"{name}: kernels read fields by attribute"
            for field in dtype.names:
                base = dtype[field].base
                assert base.names or base.kind in "iu", f"{name}.{field}"


def test_an_action_has_sixteen_bytes():
    assert ACTION.itemsize == 16
    assert ACTION.names == ("kind", "marks", "what", "at", "to", "arg")


def test_work_begins_with_what_every_game_needs(game):
    layout = game.layout
    events = layout.WORK["events"].shape[0]
    whole = np.dtype((np.record, work_fields(events, layout.LONGEST_LIST)))
    assert layout.WORK.names[: len(whole.names)] == whole.names
    assert [layout.WORK[name] for name in whole.names] == [whole[name] for name in whole.names]


def test_a_position_has_no_number_outside_its_fields(game):
    """Rebuilt field by field from zeros, it is the same bytes."""
    for position in samples(game.name):
        again = np.zeros(1, game.layout.POSITION)
        for field in game.layout.POSITION.names:
            again[field] = position.record[field]
        assert again.tobytes() == position.record.tobytes()


def test_pads_are_zero(game):
    for position in samples(game.name):
        for field in (name for name in game.layout.POSITION.names if name.startswith("pad")):
            assert not position.record[field].any()


def test_the_declared_field_ranges_are_fields_of_an_action(game):
    assert set(game.traits.field_ranges or ()) <= set(ACTION.names)
    assert all(0 < most <= np.iinfo(ACTION[name]).max for name, most in (game.traits.field_ranges or {}).items())


@pytest.mark.kernels
def test_no_step_of_a_game_has_more_events_than_there_is_room_for(game):
    """`told` raises when the buffer was too small; here it is a tenth too big at least."""
    room = len(game.blank_work()["events"][0])
    for position in samples(game.name):
        for seat in position.to_act:
            for text in position.actions(seat)[:20]:
                branch = position.copy()
                branch.play(text, seat=seat)
                assert int(branch._work["event_count"][0]) <= 0.9 * room + 1
