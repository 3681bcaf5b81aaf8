"""Sealed dice: docs/dice.md once more in code that shares nothing with ours, its vectors, and fairness."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest

from sandtable.kit.dice import SEEDED, SealedDice

PAGE = Path(__file__).parents[2] / "docs" / "dice.md"
EXAMPLE = SealedDice(bytes(range(32)), "example", (b"white", b"black"))
LARGE = 2**31 + 1  # nearly every second word is too large for this many outcomes

# Row, salt, number of outcomes; the digest that decides, and the outcome.
VECTORS = [
    (0, b"", 36, "1cdc6986c36ad8a1441648fa8606ff47a8683ab08a04da67eb2abab83b549c93", 34),
    (12, b"\1\2\3\4", 36, "b5f0f1599135d2e0591bb024f5b1291d777d42bd107018ebcefbd3cc1abbac4e", 25),
    (145, b"", LARGE, "e6bb0b90f59ef08239cd572fa46d8e7ee98af29e2dd5403f470ed9ce3cad2b26", 969758511),
]


def by_hand(secret: bytes, fields: list[bytes]) -> bytes:
    """HMAC-SHA256 over length-prefixed fields, from RFC 2104."""
    key = (hashlib.sha256(secret).digest() if len(secret) > 64 else secret).ljust(64, b"\0")
    message = b"".join(bytes([0, 0, len(field) // 256, len(field) % 256]) + field for field in fields)
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def rolled_by_hand(dice: SealedDice, row: int, k: int, salt: bytes) -> tuple[str, int]:
    """The digest that decides, and the outcome."""
    for index in range(100):
        fields = [dice.match.encode(), b"%d" % row, b"%d" % index, *dice.seat_seeds, salt]
        digest = by_hand(dice.secret, fields)
        words = [int(digest.hex()[start : start + 8], 16) for start in range(0, 64, 8)]
        for word in words:
            if word < 2**32 - 2**32 % k:
                return digest.hex(), word % k
    raise AssertionError("a hundred digests without a word that will do")


@pytest.mark.parametrize(("row", "salt", "k", "digest", "outcome"), VECTORS)
def test_the_published_vectors(row, salt, k, digest, outcome):
    assert EXAMPLE.outcome(row, 0, k, salt) == outcome
    assert rolled_by_hand(EXAMPLE, row, k, salt) == (digest, outcome)


def test_the_page_publishes_these_vectors():
    page = PAGE.read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| (?:none|`([0-9a-f]+)`) \| (\d+) \| [^|]+ \| `([0-9a-f]{64})` \| (\d+)", page, re.M)
    read = [(int(row), bytes.fromhex(salt), int(k), digest, int(outcome)) for row, salt, k, digest, outcome in rows]
    assert read == VECTORS
    assert EXAMPLE.commitment in page
    assert hashlib.sha256(EXAMPLE.secret).hexdigest() == EXAMPLE.commitment


@pytest.mark.parametrize("k", [1, 2, 6, 36, 1000, 6624, LARGE, 2**32 - 1])
def test_every_roll_is_what_the_page_says(k):
    dice = SealedDice(b"a secret of the sixty-four bytes that one block of SHA-256 holds", "t-1", (b"", b"x" * 64))
    for row in range(30):
        salt = bytes(range(row))
        assert dice.outcome(row, 0, k, salt) == rolled_by_hand(dice, row, k, salt)[1]


def test_rejected_words_and_rejected_digests_are_passed_over():
    """With this many outcomes half of all words are too large, and one digest in 256 has no word that will do."""
    seconds = [
        row for row in range(600) if rolled_by_hand(EXAMPLE, row, LARGE, b"")[0] != EXAMPLE.digest(row, 0, b"").hex()
    ]
    assert 145 in seconds
    assert all(EXAMPLE.outcome(row, 0, LARGE) == rolled_by_hand(EXAMPLE, row, LARGE, b"")[1] for row in seconds)


def test_where_outcomes_cannot_be_listed_the_outcome_is_63_bits():
    digest = by_hand(EXAMPLE.secret, [b"example", b"5", b"0", b"white", b"black", b"salt"])
    assert EXAMPLE.outcome(5, 0, SEEDED, b"salt") == int.from_bytes(digest[:8], "big") >> 1


def test_everything_that_goes_in_changes_what_comes_out():
    other = [
        EXAMPLE,
        SealedDice(b"\1" + EXAMPLE.secret[1:], "example", EXAMPLE.seat_seeds),
        SealedDice(EXAMPLE.secret, "examples", EXAMPLE.seat_seeds),
        SealedDice(EXAMPLE.secret, "example", (b"black", b"white")),
        SealedDice(EXAMPLE.secret, "example", (b"whit", b"eblack")),
        SealedDice(EXAMPLE.secret, "example", (b"white", b"black", b"")),
    ]
    rolls = [
        tuple(dice.outcome(row, 0, 2**31, salt) for row in (0, 1)) for dice in other for salt in (b"", b"\0", b"ab")
    ]
    assert len(set(rolls)) == len(rolls)
    assert len({roll for pair in rolls for roll in pair}) == 2 * len(rolls)


def test_the_count_of_earlier_rolls_does_not_matter():
    """Only the row does: it is in the file."""
    assert EXAMPLE.outcome(4, 0, 36) == EXAMPLE.outcome(4, 9, 36)


def is_even(k: int, rolls: int) -> bool:
    counts = Counter(EXAMPLE.outcome(row, row, k) for row in range(rolls))
    chi_square = sum((counts[face] - rolls / k) ** 2 / (rolls / k) for face in range(k))
    return set(counts) <= set(range(k)) and chi_square < k - 1 + 4 * (2 * (k - 1)) ** 0.5


@pytest.mark.parametrize("k", [2, 6, 36])
def test_rolls_are_even(k):
    assert is_even(k, 100_000)


@pytest.mark.deep
@pytest.mark.parametrize("k", [2, 3, 6, 10, 20, 36])
def test_a_million_rolls_are_even(k):
    assert is_even(k, 1_000_000)


@pytest.mark.parametrize(
    ("secret", "match", "seeds"),
    [
        (b"short", "m", ()),
        (b"x" * 65, "m", ()),
        (b"x" * 16, "", ()),
        (b"x" * 16, "a b", ()),
        (b"x" * 16, "m", (b"y" * 65,)),
    ],
)
def test_what_could_not_stand_in_a_match_file_is_refused(secret, match, seeds):
    with pytest.raises(ValueError, match=r"16 to 64 bytes|named by|at most 64 bytes"):
        SealedDice(secret, match, seeds)
