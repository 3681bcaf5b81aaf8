"""One test or more for every clause of RULES.md, through the public surface. Boards are drawn without empty ranks."""

# ruff: noqa: N802  (a test carries its clause's number, capital and all)

from __future__ import annotations

from typing import Any

import pytest

import sandtable

pytestmark = pytest.mark.kernels

game = sandtable.game("tactics")

FIELDS = ("turn", "dice", "points", "quiet")
CLASSES = "HECPABM"
TAKES = {"H": "ABM", "E": "HBM", "P": "HEC", "C": "HEA", "A": "EPB", "B": "PCM", "M": "PCA"}
AROUND = ("d4", "d5", "d6", "e4", "e6", "f4", "f5", "f6")  # the eight squares around e5


def draw(board: str, *lines: str) -> Any:
    """The position whose drawn ranks are those of `board`, with these lines below it."""
    ranks = {row.split()[0]: " ".join(row.split()[1:9]) for row in board.strip().splitlines()}
    rows = [f"{rank} {ranks.get(str(rank), '. . . . . . . .')} {rank}" for rank in range(8, 0, -1)]
    return game.read("\n".join(["tactics 1", "  a b c d e f g h", *rows, "  a b c d e f g h", *lines, ""]))


def act(board: str, *, side="white", attacker="white", turn=9, dice="3 4", points=7, moved="", quiet=1) -> Any:
    """A position in the middle of a turn; White's turns are odd when White is the attacker."""
    lines = [f"phase act {side}", f"attacker {attacker}", f"turn {turn}", f"dice {dice}", f"points {points}"]
    return draw(board, *lines, *([f"moved {moved}"] if moved else []), *([f"quiet {quiet}"] if quiet else []))


def tell(position: Any, word: str) -> str:
    """What the position text says after this word."""
    lines = [line.split(" ", 1) for line in position.text().splitlines()]
    return next((line[1] for line in lines if line[0] == word and len(line) > 1), "")


def code(position: Any, text: str, seat: int = 0) -> str | None:
    """Why this is refused, None if it may be played; what is listed has to agree."""
    refusal = position.why_not(text, seat=seat)
    if text not in ("resign", "draw"):
        assert (text in position.actions(seat=seat)) == (refusal is None)
    return refusal and refusal.code


def piece(position: Any, at: str) -> str:
    row = next(line for line in position.text().splitlines()[2:10] if line[0] == at[1])
    return row.split()["abcdefgh".index(at[0]) + 1]


def swapped(at: str) -> str:
    """The square that a half turn of the board brings here."""
    return "hgfedcba"["abcdefgh".index(at[0])] + str(9 - int(at[1]))


ARMY = """
3 C . E P P E . C
2 . H B A A B H .
1 . . . M R M . .
"""
DRAWN = [
    (file + row[0], sign) for row in ARMY.split("\n")[1:4] for file, sign in zip("abcdefgh", row[2::2], strict=True)
]
WHITE_PLACES = [f"place {at} {sign}" for at, sign in DRAWN if sign != "."]
BLACK_PLACES = [f"place {swapped(at)} {sign}" for at, sign in DRAWN if sign != "."]


def deploying(**book: Any) -> Any:
    """Both sides are to place; White attacks."""
    position = game.deal("opening", dice=[(5, 2), (3, 4)], book=book or None)
    position.play("attack")
    return position


def place(position: Any, texts: list[str], seat: int) -> Any:
    for text in texts:
        position.play(text, seat=seat)
    return position


def squares(position: Any, seat: int, letter: str) -> set[str]:
    """Where this seat may place a piece of this class."""
    words = [text.split() for text in position.actions(seat=seat)]
    return {text[1] for text in words if text[0] == "place" and text[2] == letter}


# A White side that cannot move whatever the dice: everything next to it is its own or cannot be captured.
SHUT_IN = """
8 . . . . r . . .
3 p c a . . . . .
2 H E c . . . . .
1 R H p . . . . .
"""
GUARDS = """
8 h . . . r . . .
1 H . . . R . . .
"""


# ---- T1 ------------------------------------------------------------------------------------------------------


def test_T1_1_eight_by_eight_with_three_home_ranks_a_side():
    position = deploying()
    white, black = squares(position, 0, "E"), squares(position, 1, "E")
    assert white == {file + rank for file in "abcdefgh" for rank in "123"}
    assert black == {file + rank for file in "abcdefgh" for rank in "678"}
    assert code(position, "place i1 E") == code(position, "place a9 E") == "notation"


def test_T1_2_two_of_each_class_and_one_guard():
    for letter in CLASSES:
        position = place(deploying(), [f"place a1 {letter}", f"place b1 {letter}"], seat=0)
        assert code(position, f"place c1 {letter}") == "left"
    position = place(deploying(), ["place d1 R"], seat=0)
    assert code(position, "place e1 R") == "left"


def test_T1_3_the_eight_letters():
    places = [text for text in deploying().actions(seat=1) if text.startswith("place")]
    assert {text[-1] for text in places} == set("HECPABMR")
    assert code(deploying(), "place a1 X") == code(deploying(), "place a1 e") == "notation"


# ---- T2 ------------------------------------------------------------------------------------------------------


def test_T2_1_the_higher_die_chooses_white_face_first():
    assert game.deal("opening", dice=[(3, 5)]).to_act == (1,)
    assert game.deal("opening", dice=[(5, 3)]).to_act == (0,)
    assert game.deal("opening", dice=[(5, 3)]).actions() == ["attack", "defend"]


def test_T2_1_equal_faces_are_rolled_again():
    assert game.deal("opening", dice=[(6, 6), (2, 2), (1, 4)]).to_act == (1,)
    assert game.deal("opening", dice=[(6, 6), (2, 2), (4, 1)]).to_act == (0,)


@pytest.mark.parametrize(
    ("dice", "choice", "attacker"),
    [
        ((3, 5), "attack", "black"),
        ((3, 5), "defend", "white"),
        ((4, 1), "attack", "white"),
        ((4, 1), "defend", "black"),
    ],
)
def test_T2_1_the_choice_is_made_before_placing_and_names_the_attacker(dice, choice, attacker):
    position = game.deal("opening", dice=[dice])
    position.play(choice)
    assert tell(position, "attacker") == attacker
    assert tell(position, "phase") == "deploy"


def test_T2_2_both_sides_place_at_the_same_time():
    position = deploying()
    assert position.to_act == (0, 1)
    one = place(place(deploying(), WHITE_PLACES, 0), BLACK_PLACES, 1)
    other = place(place(deploying(), BLACK_PLACES, 1), WHITE_PLACES, 0)
    assert one.text() == other.text()


def test_T2_2_one_piece_a_square_in_the_own_three_ranks():
    position = place(deploying(), ["place a3 E"], seat=0)
    assert code(position, "place a3 H") == "occupied"
    assert code(position, "place a4 H") == "home"
    assert code(position, "place a6 H", seat=0) == "home"
    assert code(position, "place a6 H", seat=1) is None
    assert code(position, "place a3 H", seat=1) == "home"


def test_T2_2_ready_after_the_fifteenth():
    position = place(deploying(), WHITE_PLACES[:14], seat=0)
    assert code(position, "ready") == "not_ready"
    position.play(WHITE_PLACES[14], seat=0)
    assert position.actions(seat=0) == ["ready"]
    position.play("ready", seat=0)
    assert position.to_act == (1,)
    assert code(position, "place a1 E", seat=0) == "seat"


def test_T2_3_the_guard_on_one_of_four_marked_squares():
    assert squares(deploying(), 0, "R") == {"d1", "e1", "d2", "e2"}
    assert squares(deploying(), 1, "R") == {"d8", "e8", "d7", "e7"}
    assert code(deploying(), "place c1 R") == "guard_square"


def test_T2_3_others_may_stand_on_marked_squares_unless_they_are_reserved():
    assert {"d1", "e1", "d2", "e2"} <= squares(deploying(), 0, "A")
    reserved = deploying(reserve_guard_squares=True)
    assert code(reserved, "place d1 A") == code(reserved, "place e7 A", seat=1) == "reserved"
    reserved.play("place e1 R", seat=0)
    assert not {"d1", "e1", "d2", "e2"} & squares(reserved, 0, "A")


def test_T2_4_revealed_when_both_are_ready_and_the_attacker_begins():
    position = place(deploying(), [*WHITE_PLACES, "ready"], seat=0)
    assert "unit/e1" in position.view(seat=0)
    assert "unit/e1" not in position.view(seat=1)
    assert "unit/e1" not in position.view(seat=None)
    place(position, [*BLACK_PLACES, "ready"], seat=1)
    assert "unit/e1" in position.view(seat=1)
    assert "unit/d8" in position.view(seat=0)
    assert position.to_act == (0,)
    assert tell(position, "turn") == "1"


def test_T2_4_the_attacker_begins_whoever_was_ready_first():
    position = game.deal("opening", dice=[(5, 2), (3, 4)])
    position.play("defend")
    place(place(position, [*BLACK_PLACES, "ready"], 1), [*WHITE_PLACES, "ready"], 0)
    assert position.to_act == (1,)


def test_T2_5_the_last_free_marked_square_is_kept_for_the_guard():
    position = place(deploying(), ["place d1 E", "place e1 E", "place d2 H"], seat=0)
    assert code(position, "place e2 H") == "reserved"
    assert squares(position, 0, "R") == {"e2"}
    assert code(position, "place e7 H", seat=1) is None  # Black's squares are Black's affair


def test_T2_5_nothing_is_kept_once_the_guard_stands():
    position = place(deploying(), ["place d1 R", "place e1 E", "place d2 H"], seat=0)
    assert code(position, "place e2 H") is None


# ---- T3 ------------------------------------------------------------------------------------------------------


def test_T3_1_the_sum_of_two_dice_is_the_points():
    position = act(GUARDS)
    position.play("end", dice=[(2, 5)])
    assert (tell(position, "dice"), tell(position, "points")) == ("2 5", "7")
    assert position.to_act == (1,)


def test_T3_1_equal_dice_double_the_points():
    position = act(GUARDS)
    position.play("end", dice=[(5, 5)])
    assert tell(position, "points") == "20"


@pytest.mark.parametrize("to", AROUND)
def test_T3_2_steps_cost_two_and_three(to):
    board = """
    8 . . . . . . . r
    5 . . . . E . . .
    1 R . . . . . . .
    """
    cost = 2 if to[0] == "e" or to[1] == "5" else 3
    assert code(act(board, points=cost - 1), f"e5-{to}") == "points"
    position = act(board, points=7)
    position.play(f"e5-{to}")
    assert tell(position, "points") == str(7 - cost)


def test_T3_2_one_square_once_a_turn():
    position = act(GUARDS)
    assert code(position, "e1-e3") == "charge"
    assert code(position, "e1-e4") == code(position, "e1-e1") == "distance"
    position.play("e1-e2")
    assert code(position, "e2-e3") == "moved"
    assert tell(position, "moved") == "e2"


def test_T3_3_onto_empty_squares_or_capturable_enemies_only():
    position = act("""
    8 . . . . r . . .
    3 . . h c . . . .
    2 . . E A . . . .
    1 . . . . R . . .
    """)
    assert code(position, "c2-b2") is None  # empty
    assert code(position, "c2xc3") is None  # swordsmen capture axemen
    assert code(position, "c2xd3") == "capture"  # but not cavalry
    assert code(position, "c2xd2") == code(position, "c2-d2") == "target"  # its own archers


def test_T3_3_no_jumping_but_slipping_between_is_allowed():
    position = act(
        """
        8 . . . . r . . .
        3 . p . . . . . .
        2 . E p . . . . .
        1 . . . . R . . .
        """,
        dice="3 3",
        points=12,
    )
    assert code(position, "b2-b4") == code(position, "b2-d2") == "middle"
    assert code(position, "b2-c3") is None


def test_T3_4_any_number_of_pieces_while_points_last():
    board = """
    8 . . . . r . . .
    2 . E E H H M . .
    1 . . . . R . . .
    """
    position = act(board, dice="3 5", points=8)
    for text in ("b2-b3", "c2-c3", "d2-d3"):
        position.play(text)
    position.play("e2-e3", dice=[(2, 1)])
    assert piece(position, "e3") == "H"
    assert position.to_act == (1,)  # eight points were four steps


def test_T3_4_the_turn_may_be_ended_at_any_time_and_points_do_not_carry_over():
    position = act(GUARDS, dice="6 5", points=11)
    assert "end" in position.actions()
    position.play("end", dice=[(2, 1)])
    assert (position.to_act, tell(position, "points")) == ((1,), "3")
    position.play("end", dice=[(1, 3)])
    assert (position.to_act, tell(position, "points")) == ((0,), "4")


def test_T3_4_it_ends_by_itself_after_an_action_that_leaves_nothing_to_pay():
    position = act(GUARDS, dice="1 2", points=3)
    position.play("e1-e2", dice=[(3, 4)])  # one point is left, and nothing costs one
    assert (position.to_act, tell(position, "turn")) == ((1,), "10")


def test_T3_4_it_ends_by_itself_after_a_roll_and_counts():
    position = act(SHUT_IN, side="black", turn=10, quiet=4)
    position.play("end", dice=[(6, 6), (2, 1)])
    assert position.to_act == (1,)
    assert (tell(position, "turn"), tell(position, "dice"), tell(position, "quiet")) == ("12", "2 1", "6")


# ---- T4 ------------------------------------------------------------------------------------------------------


def duel(mine: str, theirs: str) -> Any:
    """White's `mine` on c4 before Black's `theirs` on c5, the Guards far off where they are not the duellists."""
    home = "." if mine == "R" else "R"
    away = "." if theirs == "R" else "r"
    return act(f"""
    8 . . . . . . . {away}
    5 . . {theirs.lower()} . . . . .
    4 . . {mine} . . . . .
    1 . . . . . . . {home}
    """)


def test_T4_1_capturing_is_moving_onto_the_enemy():
    position = duel("E", "H")
    position.play("c4xc5")
    assert (piece(position, "c5"), piece(position, "c4")) == ("E", ".")
    assert "h" not in position.text().splitlines()[5]
    assert tell(position, "points") == "5"
    assert code(position, "c5-c6") == "moved"


def test_T4_1_x_for_captures_and_a_dash_for_steps():
    assert code(duel("E", "H"), "c4-c5") == "mark"
    assert code(duel("E", "H"), "c4xb4") == "mark"


@pytest.mark.parametrize("mine", CLASSES)
def test_T4_2_who_captures_whom(mine):
    taken = "".join(theirs for theirs in CLASSES if code(duel(mine, theirs), "c4xc5") is None)
    assert sorted(taken) == sorted(TAKES[mine])
    assert all(code(duel(mine, theirs), "c4xc5") in (None, "capture") for theirs in CLASSES)


def test_T4_2_every_pair_of_classes_has_one_winner():
    for one in CLASSES:
        for other in CLASSES:
            winners = [code(duel(a, b), "c4xc5") for a, b in ((one, other), (other, one))].count(None)
            assert winners == (0 if one == other else 1)


@pytest.mark.parametrize("same", CLASSES)
def test_T4_3_equal_classes_never_capture_each_other(same):
    assert code(duel(same, same), "c4xc5") == "capture"


@pytest.mark.parametrize("other", CLASSES + "R")
def test_T4_3_the_guard_captures_everything_and_everything_captures_it(other):
    assert code(duel("R", other), "c4xc5") is None
    assert code(duel(other, "R"), "c4xc5") is None


# ---- T5 ------------------------------------------------------------------------------------------------------

CHARGE = """
8 . . . . . . . r
5 . . . . E . . .
1 R . . . . . . .
"""
FAR = ("c3", "c5", "c7", "e3", "e7", "g3", "g5", "g7")


@pytest.mark.parametrize("to", FAR)
def test_T5_1_two_squares_in_a_line_cost_four_or_six(to):
    cost = 4 if to[0] == "e" or to[1] == "5" else 6
    assert code(act(CHARGE, dice="4 4", points=cost - 1), f"e5-{to}") == "points"
    position = act(CHARGE, dice="4 4", points=16)
    position.play(f"e5-{to}")
    assert tell(position, "points") == str(16 - cost)


def test_T5_1_only_on_equal_dice():
    assert code(act(CHARGE, dice="4 4", points=16), "e5-e7") is None
    assert code(act(CHARGE, dice="4 3", points=7), "e5-e7") == "charge"


def test_T5_1_the_roll_decides_about_the_charge():
    for dice, refused in (((3, 3), None), ((3, 4), "charge")):
        position = act(CHARGE)
        position.play("end", dice=[(1, 2)])
        position.play("end", dice=[dice])
        assert code(position, "e5-e7") == refused


def test_T5_1_the_middle_square_must_be_empty():
    board = """
    8 . . . . . . . r
    6 . . . . p . . .
    5 . . . C E . . .
    1 R . . . . . . .
    """
    position = act(board, dice="4 4", points=16)
    assert code(position, "e5-e7") == code(position, "e5-c5") == "middle"


def test_T5_1_no_bent_lines_and_no_going_on():
    position = act(CHARGE, dice="4 4", points=16)
    bent = ("d3", "f3", "c4", "c6", "g4", "g6", "d7", "f7")
    assert {code(position, f"e5-{to}") for to in bent} == {"distance"}
    assert code(position, "e5-e8") == "distance"
    position.play("e5-e6")
    assert code(position, "e6-e7") == "moved"


def test_T5_1_a_charge_may_capture_on_its_second_square():
    board = """
    8 . . . . . . . r
    7 . . . . h . . .
    5 . . . . E . . .
    1 R . . . . . . .
    """
    position = act(board, dice="4 4", points=16)
    assert (code(position, "e5-e7"), code(position, "e5xe7")) == ("mark", None)
    position.play("e5xe7")
    assert (piece(position, "e7"), tell(position, "points")) == ("E", "12")


def test_T5_2_first_turns_are_doubled_and_charge_whatever_the_dice():
    position = game.deal("classic", dice=[(5, 2), (1, 2), (3, 4), (2, 3)])
    position.play("attack")
    assert (tell(position, "turn"), tell(position, "points")) == ("1", "6")
    assert code(position, "a3-a5") is None
    position.play("end")
    assert (tell(position, "turn"), tell(position, "points")) == ("2", "14")
    assert code(position, "h6-h4", seat=1) is None
    position.play("end")
    assert (tell(position, "turn"), tell(position, "points")) == ("3", "5")
    assert code(position, "a3-a5") == "charge"


def test_T5_2_without_the_initial_charge_of_the_book():
    position = game.deal("classic", dice=[(5, 2), (1, 2)], book={"initial_charge": False})
    position.play("attack")
    assert tell(position, "points") == "3"
    assert code(position, "a3-a5") == "charge"


def test_T5_2_equal_dice_do_not_double_again():
    position = game.deal("classic", dice=[(5, 2), (6, 6)])
    position.play("attack")
    assert tell(position, "points") == "24"


def test_T5_2_a_first_turn_that_ends_by_itself_was_the_first():
    position = act(SHUT_IN, side="black", attacker="black", turn=1)
    position.play("end", dice=[(3, 4), (6, 5)])  # White's first turn passes, Black's second begins
    assert (position.to_act, tell(position, "turn"), tell(position, "points")) == ((1,), "3", "11")
    position.play("c1-d1")
    position.play("end", dice=[(2, 4)])  # now White can move
    assert (position.to_act, tell(position, "turn"), tell(position, "points")) == ((0,), "4", "6")
    assert code(position, "b1-d1") == "charge"


def test_T5_3_a_capture_on_the_first_square_ends_the_move():
    board = """
    8 . . . . . . . r
    6 . . . . h . . .
    5 . . . . E . . .
    1 R . . . . . . .
    """
    position = act(board, dice="4 4", points=16)
    assert code(position, "e5-e7") == code(position, "e5xe7") == "middle"
    position.play("e5xe6")
    assert tell(position, "points") == "14"
    assert code(position, "e6-e7") == "moved"


# ---- T6 ------------------------------------------------------------------------------------------------------


def test_T6_1_capturing_the_guard_wins_at_once():
    for mine in CLASSES + "R":
        position = duel(mine, "R")
        position.play("c4xc5")
        assert (position.outcome.places, position.outcome.reason, position.to_act) == ((1, 2), "guard", ())
        assert (tell(position, "phase"), tell(position, "result")) == ("over", "guard white")


def test_T6_1_black_wins_as_well_and_other_captures_do_not():
    position = act("8 . . . . r . . .\n2 . . . . c . . .\n1 . . . . R . . .", side="black", turn=10)
    position.play("e2xe1")
    assert position.outcome.places == (2, 1)
    position = duel("E", "H")
    position.play("c4xc5")
    assert position.outcome is None


def test_T6_2_giving_up_at_any_time():
    for position in (deploying(), act(GUARDS), game.deal("classic", dice=[(5, 2)])):
        position.play("resign", seat=0)
        assert (position.outcome.places, position.outcome.reason) == ((2, 1), "conceded")
    position = act(GUARDS)
    position.play("resign", seat=1)  # in the other side's turn, too
    assert position.outcome.places == (1, 2)
    assert code(position, "resign", seat=0) == "over"


def test_T6_2_a_draw_by_agreement():
    position = act(GUARDS)
    position.play("draw", seat=0)
    assert position.outcome is None
    position.play("draw", seat=1)
    assert (position.outcome.places, position.outcome.reason, position.to_act) == ((1, 1), "agreed", ())


@pytest.mark.parametrize("side", ["white", "black"])
def test_T6_2_an_offer_stands_until_the_others_next_turn_has_ended(side):
    position = act(GUARDS, side=side)
    position.play("draw", seat=0)
    turns = 2 if side == "white" else 3  # a turn of Black's that runs already is not the first that begins after it
    for _ in range(turns):
        assert code(position, "draw", seat=0) == "offered"
        position.play("end", dice=[(3, 4)])
    assert code(position, "draw", seat=0) is None
    position.play("draw", seat=1)
    assert position.outcome is None  # too late: this is an offer of Black's own


def test_T6_2_a_draw_when_the_sixtieth_quiet_turn_ends():
    position = act(GUARDS, quiet=59)
    position.play("end", dice=[(3, 4)])
    assert (position.outcome, tell(position, "quiet")) == (None, "60")
    position.play("e8-e7")
    assert position.outcome is None  # it has not ended yet
    position.play("end")
    assert (position.outcome.places, position.outcome.reason) == ((1, 1), "quiet")


def test_T6_2_a_capture_begins_the_count_again():
    position = act("8 . . . . r . . .\n2 . . . . c . . .\n1 H . . . R . . .", quiet=60)
    position.play("e1xe2")
    position.play("end", dice=[(3, 4)])
    assert (position.outcome, tell(position, "quiet")) == (None, "1")


def test_T6_2_a_turn_that_ends_by_itself_counts():
    position = act(SHUT_IN, side="black", turn=10, quiet=59)
    position.play("end", dice=[(3, 4)])
    assert position.outcome.reason == "quiet"


def test_T6_2_the_number_of_turns_is_the_books():
    position = game.deal("classic", dice=[(5, 2), (1, 2), (3, 4), (2, 3)], book={"draw_after": 2})
    for text in ("attack", "end"):
        position.play(text)
    assert position.outcome is None
    position.play("end")
    assert position.outcome.reason == "quiet"


def test_T6_3_over_dice_and_seat_come_before_everything():
    over = draw(GUARDS, "phase over", "attacker white", "turn 9", "result conceded black")
    assert code(over, "nonsense") == code(over, "end", seat=1) == "over"
    due = draw(GUARDS, "phase roll white", "attacker white", "turn 8")
    assert code(due, "nonsense") == code(due, "end", seat=1) == "dice_due"
    position = act(GUARDS)
    assert code(position, "nonsense", seat=1) == code(position, "e8-e7", seat=1) == "seat"


NOT_AN_ACTION = ["", "nonsense", "E1-E2", "e1 - e2", "e1-e2 ", " end", "End", "e1-e9", "e1-", "e1e2", "attack", "ready"]


@pytest.mark.parametrize("text", [*NOT_AN_ACTION, "place e2 R", "roll 3 5"])
def test_T6_3_notation_comes_before_the_board(text):
    assert code(act(GUARDS), text) == "notation"


def test_T6_3_an_action_of_another_phase_is_notation():
    choosing = game.deal("opening", dice=[(5, 2)])
    assert code(choosing, "end") == code(choosing, "e1-e2") == code(choosing, "place e1 R") == "notation"
    assert code(deploying(), "end") == code(deploying(), "e1-e2") == code(deploying(), "attack") == "notation"


CROWDED = """
8 . . . . r . . .
4 . . . . M . . .
3 . . . E H e . .
2 . . . . C . . .
1 . . . . R . . .
"""


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("a3-e7", "owner"),  # and no line
        ("e8-e1", "owner"),  # and no line
        ("e4xe8", "moved"),  # and no line
        ("e2-g3", "distance"),  # bent, and no charge
        ("e3-e5", "charge"),  # and e4 is in the way
        ("d3xe3", "target"),  # and it costs 2 of the 1 point there is
        ("d3-e3", "target"),  # and a dash would do for no capture
        ("e3-f3", "capture"),  # and a dash
        ("e2-f3", "mark"),  # cavalry captures swordsmen; a diagonal costs 3
        ("d3-c3", "points"),
    ],
)
def test_T6_3_the_first_refusal_of_a_move(text, first):
    assert code(act(CROWDED, points=1, moved="e4"), text) == first


def test_T6_3_in_a_charge_the_middle_comes_before_the_target_and_points():
    position = act(CROWDED, dice="1 1", points=1, moved="e4")
    assert code(position, "d3-f3") == "middle"  # its own axemen between, equal swordsmen beyond
    assert code(position, "e2-e4") == "middle"  # its own axemen between, its own mages beyond


def test_T6_3_the_first_refusal_of_a_placement():
    position = place(deploying(), ["place a1 E", "place b1 E", "place d1 R"], seat=0)
    assert code(position, "place a9 E") == "notation"
    assert code(position, "place a5 E") == "left"  # and no home rank
    assert code(position, "place a1 E") == "left"  # and occupied
    assert code(place(position, ["place e8 R"], seat=1), "place e8 H") == "home"  # says nothing of what stands there
    assert code(place(deploying(), ["place a1 E"], seat=0), "place a1 R") == "occupied"  # and not marked
    assert code(deploying(), "place a5 R") == "home"  # and not marked
    reserved = place(deploying(reserve_guard_squares=True), ["place d1 R"], seat=0)
    assert code(reserved, "place d1 H") == "occupied"  # and reserved


# ---- the worked examples --------------------------------------------------------------------------------------


def test_example_1():
    board = """
    8 . . . . r . . .
    3 . . . M E . . .
    1 . . . . R . . .
    """
    assert tell(_rolled(board, (1, 1)), "points") == "4"
    position = act(board, dice="1 1", points=4)
    assert code(position, "e3-e5") is None
    assert code(position, "e3-g5") == "points"
    position.play("e3-e4")
    position.play("d3-d4", dice=[(3, 4)])
    assert position.to_act == (1,)


def _rolled(board: str, dice: tuple[int, int]) -> Any:
    """White's turn after this roll."""
    position = act(board, side="black", turn=8)
    position.play("end", dice=[dice])
    return position


def test_example_2():
    position = game.deal("classic", dice=[(5, 2), (2, 2)])
    position.play("attack")
    assert (tell(position, "turn"), tell(position, "points")) == ("1", "8")


def test_example_3():
    position = act("""
    8 . . . . r . . .
    5 . . e c . . . .
    4 . . A . . . . .
    1 . . . . R . . .
    """)
    assert code(position, "c4xc5") is None
    refusal = position.why_not("c4xd5", seat=0)
    assert (refusal.code, refusal.clause) == ("capture", "T4.2")
    assert "archers" in refusal.sentence
    assert "cavalry" in refusal.sentence


def test_example_4():
    board = "3 . . . . r . . .\n2 . . . . R . . ."
    white, black = act(board), act(board, side="black", turn=10)
    white.play("e2xe3")
    black.play("e3xe2")
    assert (white.outcome.places, black.outcome.places) == ((1, 2), (2, 1))


def test_example_5():
    board = """
    8 . . . . r . . .
    2 e . . . . . . .
    1 E e . R . . . .
    """
    position = act(board, dice="3 2", points=5)
    position.play("d1-e1")
    assert (position.to_act, tell(position, "points")) == ((0,), "3")
    assert position.actions() == ["end", "a1-b2"]
    position.play("a1-b2", dice=[(3, 4)])
    assert position.to_act == (1,)
