"""The match file: what it carries, and that nothing in it can be changed unseen."""

from __future__ import annotations

import re
from functools import cache

import pytest

import sandtable
from sandtable.kit.dice import SealedDice
from sandtable.kit.digest import checksum
from sandtable.protocol.position import Position

GAME = sandtable.game("tactics")
SECRET = bytes(range(100, 132))
WHITES = b"white's own seed"
SALTS = [b"", b"\x01", b"salt", bytes(32)]


@pytest.fixture(autouse=True)
def fast():
    """Hundreds of matches are played again here."""
    GAME.engine.compile()


def chosen(position: Position, n: int) -> str:
    """Here and there for a while, then whatever captures."""
    texts = position.actions()
    captures = [text for text in texts if "x" in text]
    return captures[-1] if captures and n > 4 else texts[7 * n % len(texts)]


@cache
def seeded() -> str:
    """A whole short game with a takeback and dice of a seed."""
    position = GAME.deal("brief", seed=6)
    for n in range(1000):
        if not position.to_act:
            break
        position.play(chosen(position, n))
        if n == 2:
            position.undo()
    return str(position.match().text())


@cache
def sealed() -> str:
    """A whole short game with sealed dice, seeds of the seats and salts."""
    position = GAME.deal("brief", dice=SealedDice(SECRET, "table-7", (WHITES, b"")))
    for n in range(1000):
        if not position.to_act:
            break
        position.play(chosen(position, n), salt=SALTS[n % 4])
    return str(position.match().text())


def resealed(text: str) -> str:
    """The same with its sum made right."""
    body = re.sub(r"sum [0-9a-f]{8}\n$", "", text)
    return f"{body}sum {checksum(body)}\n"


def is_found_out(text: str) -> bool:
    """Whether reading or verifying says that something is wrong."""
    try:
        return not sandtable.read_match(text).verify().ok
    except sandtable.BadText:
        return True


def rows(text: str, pattern: str) -> list[str]:
    found = [line for line in text.split("\n") if re.fullmatch(pattern, line)]
    assert found
    return found


def changed(text: str, line: str, other: str) -> str:
    assert line != other
    assert text.count(f"\n{line}\n") == 1
    return resealed(text.replace(f"\n{line}\n", f"\n{other}\n" if other else "\n"))


# ---------------------------------------------------------------- what it carries


@pytest.mark.parametrize("whole", [seeded, sealed])
def test_a_whole_game_reads_verifies_and_is_written_again(whole):
    match = sandtable.read_match(whole())
    assert match.text() == whole()
    assert match.verify().ok
    assert match.verify().rolls == sum(row.is_roll for row in match.rows) > 2
    assert match.outcome is not None
    assert match.position().outcome.places == match.outcome[0]


def test_the_head_says_where_it_began():
    head = seeded().split("\n")[:3]
    assert head[0] == "sandtable match 1"
    assert head[1] == f"game tactics 1  book standard {GAME.book.digest}  scenario brief  seats 2  map 6"
    assert head[2] == "dice seed 6"


def test_a_sealed_match_names_its_seal_at_once_and_its_secret_at_the_end():
    dice = SealedDice(SECRET, "table-7", (WHITES, b""))
    position = GAME.deal("brief", dice=dice)
    position.play(position.actions()[1], salt=b"first")
    text = position.match().text()
    assert f"dice seal {dice.commitment}  match table-7\n" in text
    assert "\nseed 0 " + WHITES.hex() + "\nseed 1 \n" in text
    assert "secret" not in text
    assert SECRET.hex() not in text
    verdict = sandtable.read_match(text).verify()
    assert not verdict.ok
    assert "the secret is not in the file yet" in verdict.sentence
    assert f"secret {SECRET.hex()}\n" in sealed()
    assert f"  salt {b'salt'.hex()}\n" in sealed()


def test_every_roll_of_a_sealed_match_is_the_sources():
    match = sandtable.read_match(sealed())
    dice = SealedDice(SECRET, "table-7", (WHITES, b""))
    for number, row in enumerate(match.rows):
        if row.is_roll:
            assert row.text == GAME.notation.write_roll(dice.outcome(number, 0, 36, row.salt))


def test_a_salt_that_would_not_fit_is_refused_and_changes_nothing():
    position = GAME.deal("brief", dice=SealedDice(SECRET, "table-7", ()))
    before = position.copy()
    with pytest.raises(sandtable.BadText, match="at most 32 bytes"):
        position.play(position.actions()[0], salt=bytes(33))
    assert position == before
    assert position.rows == before.rows


def test_dice_named_by_hand_are_said_to_be():
    position = GAME.deal("brief", dice=[(2, 5), (3, 3)])
    position.play("attack")
    position.play("end", dice=[(1, 2)])
    match = sandtable.read_match(position.match().text())
    assert "dice faces\n" in match.text()
    assert match.verify().ok
    assert "named by hand" in match.verify().sentence


def test_numbers_that_are_not_the_books_are_in_the_file():
    position = GAME.deal("brief", seed=1, book={"draw_after": 7, "army": [2, 2, 2, 2, 2, 2, 1, 1]})
    text = position.match().text()
    assert "\nset army [2, 2, 2, 2, 2, 2, 1, 1]\nset draw_after 7\n" in text
    assert sandtable.read_match(text).book["draw_after"] == 7


def test_a_variant_is_named_and_not_spelt_out():
    text = GAME.deal("brief", seed=1, book="slow-start").match().text()
    assert "book slow-start " in text
    assert "set " not in text


# ---------------------------------------------------------------- slips of the pen


@pytest.mark.parametrize("whole", [seeded, sealed])
def test_one_changed_byte_anywhere_is_found(whole):
    """The sum finds every one of them; and a file that is cut short, wherever."""
    text = whole()
    for at, sign in enumerate(text[:-1]):
        for other in {"0", "x", "\n", chr(ord(sign) ^ 1)} - {sign}:
            with pytest.raises(sandtable.BadText):
                sandtable.read_match(text[:at] + other + text[at + 1 :])
        with pytest.raises(sandtable.BadText):
            sandtable.read_match(text[:at])


# ---------------------------------------------------------------- changed on purpose, the sum made right again


@pytest.mark.parametrize("whole", [seeded, sealed])
def test_another_die_is_found(whole):
    text = whole()
    for line in rows(text, r"\d+ - roll \d \d.*"):
        number, first, second = re.fullmatch(r"(\d+) - roll (\d) (\d).*", line).groups()
        for face in "123456":
            for faces in {(face, second), (first, face)} - {(first, second)}:
                other = line.replace(f"roll {first} {second}", f"roll {faces[0]} {faces[1]}")
                assert is_found_out(changed(text, line, other)), f"row {number}"


@pytest.mark.parametrize("whole", [seeded, sealed])
def test_an_action_the_rules_do_not_allow_is_found(whole):
    text = whole()
    positions = sandtable.read_match(text).positions()
    for line in rows(text, r"\d+ \d [a-h].*"):
        number, seat, action = re.fullmatch(r"(\d+) (\d) (\S+)", line).groups()
        legal = positions[int(number)].actions(int(seat))
        others = {"end", "attack", "ready", "place e1 R", "a1-h8", "zz", action[::-1], action.upper()} - {
            action,
            *legal,
        }
        for other in others:
            assert is_found_out(changed(text, line, f"{number} {seat} {other}")), line
        assert is_found_out(changed(text, line, f"{number} {1 - int(seat)} {action}"))


@pytest.mark.parametrize("whole", [seeded, sealed])
def test_another_legal_action_is_found_unless_the_whole_match_stands_with_it(whole):
    """No file can know what somebody meant to play. But what comes after must fit, to the result."""
    text = whole()
    positions = sandtable.read_match(text).positions()
    found = tried = 0
    for line in rows(text, r"\d+ \d [a-h].*"):
        number, seat, action = re.fullmatch(r"(\d+) (\d) (\S+)", line).groups()
        others = [text for text in positions[int(number)].actions(int(seat)) if text != action]
        for other in others[:: max(1, len(others) // 4)]:
            forged = changed(text, line, f"{number} {seat} {other}")
            tried += 1
            if is_found_out(forged):
                found += 1
            else:
                again = sandtable.read_match(forged)
                assert again.rows[int(number)].text == other
                assert again.position().outcome is not None
    assert found > 0.5 * tried


@pytest.mark.parametrize("whole", [seeded, sealed])
def test_a_row_left_out_doubled_or_moved_is_found(whole):
    text = whole()
    lines = text.split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("0 "))
    last = next(n for n, line in enumerate(lines) if line.startswith("result"))
    for n in range(first, last):
        assert is_found_out(resealed("\n".join(lines[:n] + lines[n + 1 :])))
        assert is_found_out(resealed("\n".join(lines[:n] + [lines[n]] + lines[n:])))
        if n + 1 < last:
            assert is_found_out(resealed("\n".join([*lines[:n], lines[n + 1], lines[n], *lines[n + 2 :]])))


def test_another_seed_is_found():
    for seed in (0, 5, 7, 60, 6 + 2**32, 2**63 - 1, 2**63, 2**63 + 6, 10**19 - 1):
        assert is_found_out(changed(seeded(), "dice seed 6", f"dice seed {seed}")), seed
    for line in ("dice seed 06", "dice seed  6", "dice seed -6", "dice seed", "dice", "dice seal 6", ""):
        assert is_found_out(changed(seeded(), "dice seed 6", line)), line


def test_another_salt_is_found_wherever_it_changes_the_roll():
    """One in 36 gives the same faces by chance: such a file says nothing untrue about the dice."""
    text, dice = sealed(), SealedDice(SECRET, "table-7", (WHITES, b""))
    for line in rows(text, r"\d+ - roll .*salt .*"):
        number, faces, salt = re.fullmatch(r"(\d+) - (roll . .)  salt ([0-9a-f]+)", line).groups()
        for other in ("", "00", salt + "00", salt[:-1] + ("0" if salt[-1] != "0" else "1"), "ff" * 32):
            rolled = GAME.notation.write_roll(dice.outcome(int(number), 0, 36, bytes.fromhex(other)))
            forged = changed(text, line, f"{number} - {faces}" + (f"  salt {other}" if other else ""))
            assert is_found_out(forged) == (rolled != faces)
        for wrong in (salt + "0", "AB", "0x", " ", "ff" * 33):
            assert is_found_out(changed(text, line, f"{number} - {faces}  salt {wrong}"))


def test_another_secret_seal_name_or_seats_seed_is_found():
    text, secret = sealed(), SECRET.hex()
    for other in (secret[:-2] + "00", secret + "00", secret[2:], "00" * 32, "ff" * 64, secret.upper(), "", secret[:-1]):
        assert is_found_out(changed(text, f"secret {secret}", f"secret {other}"))
    assert is_found_out(changed(text, f"secret {secret}", ""))
    seal = rows(text, "dice seal .*")[0]
    for other in (seal.replace("table-7", "table-8"), seal.replace("seal ", "seal 0")[:-1], seal[:-1], "dice seed 1"):
        assert is_found_out(changed(text, seal, other))
    (digest,) = re.findall("seal ([0-9a-f]{64})", seal)
    assert is_found_out(changed(text, seal, seal.replace(digest, digest[::-1])))
    seed = rows(text, "seed 0 .*")[0]
    for other in (seed + "00", seed[:-2], "seed 0 ", "", "seed 1 00", seed.upper()):
        assert is_found_out(changed(text, seed, other))


@pytest.mark.parametrize("whole", [seeded, sealed])
def test_another_result_is_found(whole):
    text = whole()
    (line,) = rows(text, "result .*")
    places, reason = re.fullmatch(r"result (\d \d) (\w+)", line).groups()
    others = [f"result {places[::-1]} {reason}", f"result 1 1 {reason}", f"result {places} quiet", f"result {places} x"]
    for other in [*others, f"result {places} 1 {reason}", f"result {places}", "result"]:
        assert is_found_out(changed(text, line, other))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("sandtable match 1", "sandtable match 2", "expected 'sandtable match 1'"),
        ("game tactics 1 ", "game tactics 2 ", "rules version 1 of tactics; this file was played under version 2"),
        ("game tactics 1 ", "game tactic 1 ", "no game 'tactic'; there are: "),
        ("game tactics 1 ", "game tactics 01 ", "expected 'game tactics 1 "),
        ("book standard", "book mine", "a book of tactics, one of standard, guard-squares, slow-start"),
        ("book standard", "book slow-start", "the book slow-start "),
        ("scenario brief", "scenario long", "no scenario 'long'; there are: opening, classic, random, brief"),
        ("scenario brief", "scenario classic", "line "),
        ("seats 2", "seats 3", "Tactics is for 2 seats, not 3"),
        ("map 6", "map x", "game NAME VERSION"),
        ("map 6", "map 9223372036854775808", "a map seed up to 9223372036854775807"),
        ("dice seed", "set draw_after 59\ndice seed", "this file was played under standard"),
        ("dice seed", "set draw_after 0\ndice seed", "must be from 1 to 1000, found 0"),
        ("dice seed", "set drawafter 60\ndice seed", "no number 'drawafter'; there are: army"),
        ("dice seed", "set draw_after 60\ndice seed", "expected 'dice seed 6'"),
    ],
)
def test_a_changed_head_is_refused_with_what_was_expected(before, after, said):
    forged = resealed(seeded().replace(before, after, 1))
    with pytest.raises(sandtable.BadText) as caught:
        sandtable.read_match(forged)
    assert said in str(caught.value)


def test_other_numbers_of_a_book_are_refused_by_name():
    """A save from another book says so and names it."""
    (digest,) = re.findall("book standard ([0-9a-f]{12})", seeded())
    forged = resealed(seeded().replace(digest, "0123456789ab"))
    with pytest.raises(
        sandtable.BadText, match=f"book standard {digest}; this file was played under standard 0123456789ab"
    ):
        sandtable.read_match(forged)


def test_a_position_of_ones_own_has_its_own_seats():
    """A text that began a match must be for as many seats as the head says."""
    text = GAME.read(GAME.deal("brief", seed=1).text(), seed=2).match().text()
    assert sandtable.read_match(text).text() == text
    with pytest.raises(sandtable.BadText, match="for 2 seats, not 9"):
        sandtable.read_match(resealed(text.replace("seats 2", "seats 9")))


def test_a_file_too_long_for_any_match_is_refused_at_once():
    with pytest.raises(sandtable.BadText, match="at most 4 million"):
        sandtable.read_match("x" * 4_000_001)


def test_a_seed_that_could_not_be_written_down_is_refused():
    for seed in (-1, 2**63):
        with pytest.raises(sandtable.SandtableError, match="a seed is a whole number from 0"):
            GAME.deal(seed=seed)
        with pytest.raises(sandtable.SandtableError, match="a seed is a whole number from 0"):
            GAME.read(GAME.deal("brief").text(), seed=seed)
        with pytest.raises(sandtable.SandtableError, match="a seed is a whole number from 0"):
            GAME.deal("brief").copy(seed=seed)
