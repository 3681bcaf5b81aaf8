"""Scenes: what changed, and a sum that tells whether both sides have the same."""

from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from sandtable.protocol.scene import changes, line, patched, scene_hash

VALUES = st.one_of(st.integers(), st.text(max_size=3), st.dictionaries(st.text(max_size=2), st.integers(), max_size=2))
SCENES = st.dictionaries(st.sampled_from(["ask", "unit/1", "unit/2", "cell/4,7", "turn"]), VALUES)


def test_a_line_is_the_key_a_tab_and_canonical_json():
    assert line("unit/e2", {"side": 0, "at": "e2"}) == 'unit/e2\t{"at":"e2","side":0}'
    assert line("ask", {"text": "¿Atacar?"}) == 'ask\t{"text":"¿Atacar?"}'


def test_the_hash_is_the_sum_of_the_lines_crc():
    scene = {"a": 1, "b": [2]}
    assert scene_hash(scene) == (zlib.crc32(b"a\t1") + zlib.crc32(b"b\t[2]")) % 2**32
    assert scene_hash({"b": [2], "a": 1}) == scene_hash(scene)
    assert scene_hash({}) == 0


@given(SCENES, SCENES)
def test_a_change_leads_from_one_scene_to_any_other(before, after):
    change = changes(before, after)
    assert patched(before, change) == after
    assert (change == []) == (before == after)
    keys = [key for key, _ in change]
    assert len(keys) == len(set(keys))


@given(SCENES, SCENES)
def test_the_hash_can_be_kept_up_to_date_line_by_line(before, after):
    total = scene_hash(before)
    for key, value in changes(before, after):
        if key in before:
            total -= zlib.crc32(line(key, before[key]).encode())
        if value is not None:
            total += zlib.crc32(line(key, value).encode())
    assert total % 2**32 == scene_hash(after)
