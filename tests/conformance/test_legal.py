"""What is listed is legal, nothing else is, and every refusal has a sentence in every language."""

from __future__ import annotations

from itertools import product
from string import Formatter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.kit.dice import below, draw_at
from sandtable.protocol.engine import blank_actions
from sandtable.protocol.plain import REFUSALS
from sandtable.protocol.records import ACTION, ALL
from tests.conformance.games import GAMES, IS_INTERPRETED, at, choices, find, samples

pytestmark = pytest.mark.kernels

ALL_COMBINATIONS = 1_000_000  # up to so many are all tried, of more some
SOME = 300 if IS_INTERPRETED else 20_000


def refusals(game):
    return getattr(game.layout, "REFUSALS", REFUSALS)


def languages(game):
    return [path.stem for path in (game.folder / "words").glob("*.toml")]


def listed(position, seat):
    return {action.item() for action in position._listed(seat, ALL)}


def combinations(game) -> np.ndarray:
    """Actions of every combination of the declared field ranges, or of some."""
    ranges = {name: 1 + (game.traits.field_ranges or {}).get(name, 0) for name in ACTION.names}
    count = int(np.prod(list(ranges.values())))
    if count <= ALL_COMBINATIONS and not IS_INTERPRETED:
        chosen = np.arange(count)
    else:
        chosen = np.array([draw_at(5, n) % count for n in range(SOME)])
    given = blank_actions(len(chosen))
    for name, size in ranges.items():
        given[name] = chosen % size
        chosen = chosen // size
    return given


def judged(position, seat, given) -> tuple[set, dict]:
    """Which of these are legal, and one example for every code the others are refused with."""
    check, place = position.game.engine.check, at(position)
    codes = [check(*place, seat, given, k) for k in range(len(given))]
    legal = {given[k].item() for k, code in enumerate(codes) if code == 0}
    return legal, {code: given[k].item() for k, code in enumerate(codes) if code}


def test_what_is_listed_passes_check(game):
    for position, seat in choices(game.name):
        given = position._listed(seat, ALL)
        assert len(given) > 0, "somebody must act and there is nothing to do"
        assert judged(position, seat, given)[1] == {}, position.text()


def test_every_other_combination_of_declared_fields_is_refused(game):
    """All of them, where there are not too many, at a few positions; with a code that the game has named."""
    given = combinations(game)
    whole = choices(game.name)
    for position, seat in whole[:: max(1, len(whole) // 5)]:
        legal, refused = judged(position, seat, given)
        tried = {action.item() for action in given} if IS_INTERPRETED else None
        expected = listed(position, seat)
        assert legal == (expected if tried is None else expected & tried), position.text()
        assert set(refused) <= set(refusals(game))


def test_an_action_with_one_field_turned_is_legal_only_if_listed(game):
    """Beyond the declared ranges too: nothing hides in fields an action does not use."""
    values = [0, 1, 2, 7, 99, 255, 65_535, 2**31 - 1, -1, -(2**31)]
    for position, seat in choices(game.name)[::3]:
        expected = listed(position, seat)
        some = sorted(expected)[:: max(1, len(expected) // 4)]
        turned = {
            (*action[:field], value, *action[field + 1 :])
            for action, (field, name), value in product(some, enumerate(ACTION.names), values)
            if np.iinfo(ACTION[name]).min <= value <= np.iinfo(ACTION[name]).max
        }
        assert judged(position, seat, np.array(sorted(turned), ACTION))[0] == expected & turned


@given(data=st.data(), raw=st.binary(min_size=16, max_size=16), seat=st.integers(-3, 40))
@pytest.mark.parametrize("name", GAMES)
def test_arbitrary_bytes_are_refused_and_change_nothing(name, data, raw, seat):
    position = data.draw(st.sampled_from(samples(name)))
    given = np.frombuffer(raw, ACTION).copy().view((np.record, ACTION))
    place = at(position)
    code = position.game.engine.check(*place, seat, given, 0)
    assert code in refusals(find(name)) or (seat in position.to_act and given[0].item() in listed(position, seat))
    assert place[1].tobytes() == position.record.tobytes()
    assert given.tobytes() == raw


def test_every_refusal_has_a_sentence_in_every_language(game):
    """With every field of its template filled, at a real position."""
    seen = {}
    given = combinations(game)[:: 1 if IS_INTERPRETED else 97].copy()
    for position in samples(game.name)[::2]:
        for seat in range(position.seats):
            for code, action in judged(position, seat, given)[1].items():
                seen.setdefault(code, (position, seat, action))
    assert seen
    for code, (position, seat, action) in seen.items():
        for language in languages(game):
            words = game.words(language)
            record = np.array([action], ACTION)[0]
            fields = game.view.refusal_fields(position.book, position.record[0], seat, record, words)
            refusal = game.refusal(code, fields, language)
            assert refusal.sentence.strip()
            assert refusal.sentence[-1] in ".!?"


def test_refusal_sentences_ask_only_for_fields_the_view_gives(game):
    position, seat = choices(game.name)[0]
    for language in languages(game):
        words = game.words(language)
        given = game.view.refusal_fields(position.book, position.record[0], seat, blank_actions(1)[0], words)
        for code, (name, clause) in refusals(game).items():
            wanted = {field for _, field, _, _ in Formatter().parse(words.name("refusal", name)) if field}
            assert wanted <= set(given), f"refusal {code} {name} ({clause}), {language}"


def test_seats_that_may_not_act_have_no_actions(game):
    for position in samples(game.name):
        for seat in set(range(position.seats)) - set(position.to_act):
            assert len(position._listed(seat, ALL)) == 0
            given = blank_actions(1)
            assert position.game.engine.check(*at(position), seat, given, 0) in refusals(game)


def test_the_sources_share_all_actions_among_them(game):
    for position, seat in choices(game.name):
        by_source = {key: position.actions_from(key, seat) for key in position.sources(seat)}
        assert {key: len(texts) for key, texts in by_source.items()} == position.sources(seat)
        assert sorted(text for texts in by_source.values() for text in texts) == sorted(position.actions(seat))


def test_a_list_that_is_too_short_is_filled_and_the_count_goes_on(game):
    for position, seat in choices(game.name)[::4]:
        whole = position._listed(seat, ALL)
        short = blank_actions(len(whole) // 2)
        assert game.engine.actions(*at(position), seat, ALL, short) == len(whole)
        assert short.tobytes() == whole[: len(short)].tobytes()


def test_pick_gives_legal_actions_only(game):
    for position, seat in choices(game.name):
        expected = listed(position, seat)
        out = blank_actions(1)
        for n in range(10 if IS_INTERPRETED else 200):
            assert game.engine.pick(*at(position), seat, draw_at(3, n), out) == 1
            assert out[0].item() in expected


def test_pick_reaches_every_listed_action(game):
    """At positions with short lists while interpreted: the unlikeliest is drawn once in a thousand times or so."""
    whole = sorted(choices(game.name), key=lambda choice: len(listed(*choice)))
    chosen = whole[:6] if IS_INTERPRETED else whole[:: max(1, len(whole) // 12)]
    for position, seat in chosen:
        missing = listed(position, seat)
        place, out = at(position), blank_actions(1)
        for n in range(60_000):
            game.engine.pick(*place, seat, draw_at(9, n), out)
            missing.discard(out[0].item())
            if not missing:
                break
        assert not missing, position.text()


def test_pick_depends_on_nothing_but_its_draw(game):
    position, seat = choices(game.name)[-1]
    for n in range(20):
        draw = draw_at(2, n)
        one, other = blank_actions(1), blank_actions(1)
        game.engine.pick(*at(position), seat, draw, one)
        game.engine.pick(*at(position), seat, draw, other)
        assert one.tobytes() == other.tobytes()


def test_pick_ends_every_game_within_the_plies_the_traits_state(game):
    count = 2 if IS_INTERPRETED else 300
    for scenario in game.scenarios:
        for seats in game.traits.seats:
            batch = game.batch(count, scenario, seed=below(draw_at(1, 1), 1000), seats=seats)
            batch.play_out(*["random"] * seats)
            assert batch.reasons.all()
            assert batch.plies.max() <= game.traits.longest
