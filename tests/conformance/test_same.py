"""The same bytes however a game is run: interpreted or compiled, in one call or step by step, on one thread or many."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sandtable.kit.dice import below, draw_at
from sandtable.protocol.batch import STYLES
from sandtable.protocol.engine import COMPILED, INTERPRETED, blank_actions
from sandtable.protocol.records import ALL
from sandtable.protocol.slots import lowest_seat
from tests.conformance import digests
from tests.conformance.games import IS_INTERPRETED, at, choices, samples

pytestmark = pytest.mark.kernels


def test_this_lane_runs_what_it_is_for(game):
    assert set(game.engine.kind.values()) == {INTERPRETED if IS_INTERPRETED else COMPILED}


def test_seeded_games_end_in_the_golden_bytes(game):
    """tests/conformance/digests.toml, which every lane and every machine must meet."""
    sizes = [("few", digests.GAMES)] if IS_INTERPRETED else [("few", digests.GAMES), ("many", digests.MANY)]
    for size, count in sizes:
        ended = {
            name: digests.digest(digests.played_out(name, batch))
            for name, batch in digests.batches(game, count).items()
        }
        assert ended == digests.golden(game.name)[size]


def test_twin_and_compiled_play_the_same_games(game):
    """Seeds that are in no golden file."""
    twin = game.engine.twins["play_out"]
    for style in STYLES:
        batch = game.batch(2, game.scenarios[-1], seed=99)
        other = game.batch(2, game.scenarios[-1], seed=99).play_out(*[style] * batch.seats)
        styles = np.full((2, batch.seats), STYLES[style], np.uint8)
        twin(
            batch.book.record, batch.positions, 0, 2, np.zeros(2, game.layout.POSITION), game.blank_work(2), styles,
            batch.seeds, game.traits.longest, blank_actions(game.layout.LONGEST_LIST),
            np.zeros((1, batch.seats), np.uint8), batch.places, batch.reasons, batch.plies,
        )  # fmt: skip
        assert digests.digest(batch) == digests.digest(other)


def test_twin_and_compiled_agree_on_every_question(game):
    """Slot by slot, at the samples."""
    engine, twins = game.engine, game.engine.twins
    for position, seat in choices(game.name)[:: 4 if IS_INTERPRETED else 1]:
        draw = draw_at(17, len(position.rows))
        for slot in ("who", "chance", "groups", "judge"):
            more = {"groups": (seat, np.zeros(64, np.int64)), "judge": (seat,)}.get(slot, ())
            assert getattr(engine, slot)(*at(position), *more) == twins[slot](*at(position), *more), slot
        for slot in ("hide", "concede"):
            one, other = at(position), at(position)
            getattr(engine, slot)(*one, seat)
            twins[slot](*other, seat)
            assert one[1].tobytes() == other[1].tobytes(), slot
        one, other = at(position), at(position)
        engine.hide(*one, seat)
        twins["hide"](*other, seat)
        engine.imagine(*one, seat, draw)
        twins["imagine"](*other, seat, draw)
        assert one[1].tobytes() == other[1].tobytes(), "imagine"
        for slot in ("pick", "greedy"):
            one, other = blank_actions(1), blank_actions(1)
            getattr(engine, slot)(*at(position), seat, draw, one)
            twins[slot](*at(position), seat, draw, other)
            assert one.tobytes() == other.tobytes(), slot
        size = game.layout.LONGEST_LIST
        one, other = blank_actions(size), blank_actions(size)
        n = engine.actions(*at(position), seat, ALL, one)
        assert n == twins["actions"](*at(position), seat, ALL, other)
        assert one[:n].tobytes() == other[:n].tobytes(), "actions"
        for which in range(len(game.traits.overlays)):
            marks = [np.zeros(game.layout.CELLS, np.int64) for _ in range(2)]
            assert engine.overlay(*at(position), seat, which, marks[0]) == twins["overlay"](
                *at(position), seat, which, marks[1]
            )
            assert marks[0].tobytes() == marks[1].tobytes(), "overlay"


def test_events_are_the_same_interpreted_and_compiled(game):
    for position, seat in choices(game.name)[::3]:
        for k in range(len(position._listed(seat, ALL)))[::7]:
            told = []
            for apply in (game.engine.apply, game.engine.twins["apply"]):
                place = at(position)
                place[3]["event_wanted"] = 1
                given = position._listed(seat, ALL)
                apply(*place, seat, given, k)
                count = int(place[3]["event_count"][0])
                told.append((count, place[3]["events"][0][:count].tobytes(), place[1].tobytes()))
            assert told[0] == told[1]


def test_what_is_written_does_not_depend_on_what_was_left_in_work(game):
    """Scratch is meaningless between calls."""
    for position, seat in choices(game.name)[::3]:
        results = []
        for dirt in (0, 0xA5):
            place = at(position)
            place[3].view(np.uint8)[:] = dirt
            place[3]["event_count"] = place[3]["event_wanted"] = 0
            out = blank_actions(game.layout.LONGEST_LIST)
            n = game.engine.actions(*place, seat, ALL, out)
            game.engine.greedy(*place, seat, 5, out[:1])
            game.engine.apply(*place, seat, out, 0)
            results.append((n, out.tobytes(), place[1].tobytes()))
        assert results[0] == results[1]


def test_step_is_apply_then_rolls_then_the_next_list(game):
    out, others = blank_actions(game.layout.LONGEST_LIST), blank_actions(game.layout.LONGEST_LIST)
    for scenario in game.scenarios:
        record = game.start_record(game.deal(scenario, seed=4).start, game.book)
        book, work = game.book.record, game.blank_work()
        by_hand = record.copy()
        told = game.engine.step(book, record, 0, work, -1, draw_at(6, 0), out)
        which = -1
        for ply in range(1, 60 if IS_INTERPRETED else 2000):
            if which >= 0:
                seat = lowest_seat(game.engine.who(book, by_hand, 0, work))
                game.engine.apply(book, by_hand, 0, work, seat, others, which)
            rolls = 0
            while faces := game.engine.chance(book, by_hand, 0, work):
                number = draw_at(draw_at(6, ply - 1), rolls)
                game.engine.roll(book, by_hand, 0, work, number if faces < 0 else below(number, faces))
                rolls += 1
            assert record.tobytes() == by_hand.tobytes()
            mask = game.engine.who(book, by_hand, 0, work)
            if mask == 0:
                assert told == 0
                break
            n = game.engine.actions(book, by_hand, 0, work, lowest_seat(mask), ALL, others)
            assert (told >> 3, told & 7) == (n, lowest_seat(mask))
            assert out[:n].tobytes() == others[:n].tobytes()
            which = below(draw_at(8, ply), n)
            told = game.engine.step(book, record, 0, work, which, draw_at(6, ply), out)


def test_one_thread_or_many_in_any_order(game):
    """Parts of one batch, played by several threads and last part first."""
    count = 4 if IS_INTERPRETED else 400
    scenario = game.scenarios[-1]
    whole = game.batch(count, scenario, seed=12).play_out(*["random"] * game.traits.seats[0])
    parts = game.batch(count, scenario, seed=12)
    ranges = [range(start, start + count // 4) for start in range(0, count, count // 4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda part: parts.play_out(*["random"] * parts.seats, only=part), reversed(ranges)))
    assert digests.digest(parts) == digests.digest(whole)


def test_a_game_of_a_batch_is_what_it_would_be_alone(game):
    scenario = game.scenarios[-1]
    many = game.batch(6, scenario, seed=12).play_out(*["random"] * game.traits.seats[0])
    few = game.batch(3, scenario, seed=12).play_out(*["random"] * game.traits.seats[0])
    assert many.positions[:3].tobytes() == few.positions.tobytes()
    assert many.plies[:3].tolist() == few.plies.tolist()


def test_samples_are_of_every_phase(game):
    """Or the tests above would say little."""
    assert len({position.view(None)["ask"]["text"] for position in samples(game.name)}) >= 2
    assert any(position.outcome for position in samples(game.name))
