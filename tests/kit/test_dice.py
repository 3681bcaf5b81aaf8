"""The fast generator, on both sides, against the vectors its authors published; and the sources a match rolls from."""

from __future__ import annotations

from collections import Counter

import pytest

from sandtable.kit.dice import MASK_63, SEEDED, ScriptedDice, SeedDice, below, draw_at, philox
from tests.kit.modes import MODES, in_mode

pytestmark = pytest.mark.kernels

# Random123 1.09, kat_vectors, philox2x32 with 10 rounds: counter, key, and the two words that come out.
PUBLISHED = [
    ((0x00000000, 0x00000000), 0x00000000, (0xFF1DAE59, 0x6CD10DF2)),
    ((0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF, (0x2C3F628B, 0xAB4FD7AD)),
    ((0x243F6A88, 0x85A308D3), 0x13198A2E, (0xDD7CE038, 0xF62A4C12)),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("counter", "key", "words"), PUBLISHED)
def test_philox_gives_the_published_words(mode, counter, key, words):
    drawn = int(in_mode(mode)(philox)(*counter, key)) & 0xFFFFFFFFFFFFFFFF
    assert (drawn >> 32, drawn & 0xFFFFFFFF) == words


@pytest.mark.parametrize("mode", MODES)
def test_a_draw_is_the_upper_63_bits_of_the_seeds_block(mode):
    """Counter: the number of the draw and the seed's upper word; key: its lower word."""
    draw = in_mode(mode)(draw_at)
    seed = 0x05A308D313198A2E
    assert draw(0, 0) == 0xFF1DAE596CD10DF2 >> 1
    assert draw(seed, 7) == philox(7, 0x05A308D3, 0x13198A2E) >> 1
    assert draw(seed, 2**32 + 7) == draw(seed, 7)  # the counter has 32 bits
    assert draw(MASK_63, 0xFFFFFFFF) == philox(0xFFFFFFFF, 0x7FFFFFFF, 0xFFFFFFFF) >> 1


@pytest.mark.parametrize("mode", MODES)
def test_draws_are_never_negative_and_hardly_ever_alike(mode):
    draw = in_mode(mode)(draw_at)
    drawn = [draw(seed, n) for seed in (0, 1, 2**40, MASK_63) for n in range(500)]
    assert min(drawn) >= 0
    assert max(drawn) <= MASK_63
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("k", [1, 2, 6, 36, 6624, 2**31 - 1])
def test_below_reaches_both_ends_and_never_leaves(mode, k):
    number = in_mode(mode)(below)
    assert number(0, k) == 0
    assert number(MASK_63, k) == k - 1
    assert all(0 <= number(draw_at(3, n), k) < k for n in range(100))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("k", [2, 6, 36])
def test_below_is_even(mode, k):
    draw, number = in_mode(mode)(draw_at), in_mode(mode)(below)
    rolls = 20_000
    counts = Counter(number(draw(11, n), k) for n in range(rolls))
    chi_square = sum((counts[face] - rolls / k) ** 2 / (rolls / k) for face in range(k))
    assert chi_square < k - 1 + 4 * (2 * (k - 1)) ** 0.5  # four standard deviations above what is expected


@pytest.mark.parametrize("mode", MODES)
def test_below_cuts_the_range_into_equal_pieces(mode):
    number = in_mode(mode)(below)
    ends = [-(-face * 2**32 // 6) for face in range(7)]  # the first upper words that fall to each face
    assert [number(end << 31, 6) for end in ends[:6]] == list(range(6))
    assert [number((end << 31) - 1, 6) for end in ends[1:]] == list(range(6))


def test_seed_dice_roll_the_nth_draw_whatever_the_row():
    dice = SeedDice(7)
    assert dice.name == "seed 7"
    assert [dice.outcome(row, 3, 36) for row in (0, 5, 99)] == [below(draw_at(7, 3), 36)] * 3
    assert dice.outcome(0, 3, SEEDED) == draw_at(7, 3)
    assert dice.outcome(0, 3, 36, b"salt") == dice.outcome(0, 3, 36)


def test_scripted_dice_first_then_another_source():
    dice = ScriptedDice([5, 0, 35], SeedDice(7))
    assert [dice.outcome(row, row, 36) for row in range(4)] == [5, 0, 35, SeedDice(7).outcome(3, 3, 36)]
    assert dice.used == 3


def test_scripted_dice_without_another_source_run_out():
    dice = ScriptedDice([5], None)
    dice.outcome(0, 0, 36)
    with pytest.raises(LookupError, match="used up"):
        dice.outcome(1, 1, 36)
