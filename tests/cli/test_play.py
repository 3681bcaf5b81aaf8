"""A game at the terminal, typed by a person who makes every mistake there is."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandtable
from sandtable.cli import typed as words
from tests.cli.conftest import Command

BRIEF = ("play", "tactics", "--scenario", "brief", "--seed", "1")
OPENING = ("play", "tactics", "--seed", "3")
WHITE_CHOOSES = ("play", "tactics", "--scenario", "classic", "--seed", "7")


def after(out: str, prompt: str, number: int) -> str:
    """What was said after the n-th prompt; the fake keyboard echoes nothing."""
    return out.split(prompt)[number]


def test_without_a_terminal_machines_play_a_short_match(command: Command) -> None:
    ended = command("play")
    assert ended.code == 0
    assert ended.out.count("┌───┬") == 1
    assert "Opening roll" in ended.out
    assert "wins" in ended.out
    assert "To play yourself" in ended.out
    assert ended.out == command("play").out


def test_without_a_terminal_what_was_asked_for_is_played(command: Command) -> None:
    assert "scenario random, seed 5" in command("play", "--scenario", "random", "--seed", "5").out


def test_two_machines_need_no_terminal(command: Command) -> None:
    ended = command(*BRIEF, "--seat", "greedy", "--seat", "random")
    assert ended.code == 0
    assert ended.out.count("┌───┬") > 3
    assert "White is greedy, Black is random" in ended.out


def test_a_board_fits_the_screen(command: Command) -> None:
    out = command(*WHITE_CHOOSES, typed=["attack", "moves", "danger", "help", "quit"]).out
    assert max(len(line.removeprefix("White> ")) for line in out.splitlines()) <= 79
    boards = out.split("┌───┬")
    assert all(board.count("\n") <= 24 for board in boards[1:2])


def test_actions_are_typed_and_the_board_is_drawn_after_each(command: Command) -> None:
    out = command(*WHITE_CHOOSES, typed=["attack", "b2-b3", "quit"]).out
    assert "White chooses to attack." in out
    assert "White: axemen b2 to b3 for 2; points left: 18." in out
    assert out.count("┌───┬") == 3
    assert "│(H)│" in out
    assert "`save FILE` before `quit`" in out


def test_the_machine_answers(command: Command) -> None:
    out = command(*WHITE_CHOOSES, typed=["attack", "end", "last", "quit"]).out
    assert "⚃ ⚁  Black rolls 4 and 2" in out
    assert out.count("Black rolls 4 and 2: points to spend: 12.") == 2  # when it happened, and for `last`
    assert after(out, "White> ", 3).startswith("White ends the turn")


def test_help_lists_every_word_with_what_can_be_typed_now(command: Command) -> None:
    out = command(*WHITE_CHOOSES, typed=["help", "attack", "help", "quit"]).out
    for word in (*words.COMMANDS, "danger"):
        assert f"\n  {word} " in out
    assert "moves d1" in out
    assert "odds end" in out


def test_moves(command: Command) -> None:
    out = command(*WHITE_CHOOSES, typed=["attack", "moves", "moves b2", "moves B2", "moves e5", "quit"]).out
    assert "  b2    b2-b3  b2-b4  b2-b1" in out
    assert "│ H6│" in after(out, "White> ", 2)  # six actions from b2
    assert "│ 2 │" in after(out, "White> ", 3)  # what a step costs
    assert after(out, "White> ", 3) == after(out, "White> ", 4)
    assert "Nothing can be done from 'e5' now; something can from: " in out


def test_odds_why_and_danger(command: Command) -> None:
    typed = ["attack", "odds end", "odds", "odds b2-b3", "odds e9", "why e2-e5", "why b2-b3", "danger", "quit"]
    out = command(*WHITE_CHOOSES, typed=typed).out
    assert "6 in 36  Black: move or charge with a piece (14 points left)" in after(out, "White> ", 2)
    assert after(out, "White> ", 2) == after(out, "White> ", 3)
    assert "certain  White: move or charge with a piece (18 points left)" in after(out, "White> ", 4)
    assert "Column 1: expected attack" in after(out, "White> ", 5)
    assert "(T3.2)" in after(out, "White> ", 6)
    assert "b2-b3 is allowed." in after(out, "White> ", 7)
    assert "Danger: " in after(out, "White> ", 8)


def test_danger_is_written_on_the_board(command: Command, tmp_path: Path) -> None:
    position = sandtable.game("tactics").deal("brief", seed=7)
    while position.to_act != (0,) or not position.overlay("danger", 0):
        seat = position.to_act[0]
        position.play(position.actions(seat)[0 if position.actions(seat)[0] != "end" else -1], seat)
    path = tmp_path / "match.txt"
    path.write_text(position.match().text(), "utf-8")
    out = command("play", "--load", path, typed=["danger", "odds", "quit"]).out
    cell, told = next(iter(position.overlay("danger", 0).items()))
    assert f"{cell} {told}" in after(out, "White> ", 1)
    mark = told.split()[0] if told != "certain" else "!!"
    assert f"{mark}│" in after(out, "White> ", 1) or f"{mark} │" in after(out, "White> ", 1)
    assert f"Danger then: {cell} {told}" in after(out, "White> ", 2)


def test_a_refused_action_is_explained_and_what_can_be_done_instead_is_said(command: Command) -> None:
    out = command(*WHITE_CHOOSES, typed=["attack", "b2-b5", "edn", "xyzzy", "attack", "", "resing", "quit"]).out
    assert "(T3.2)\nFrom b2 you may: b2-b3, b2-b4" in out
    assert "Did you mean: end?" in out
    assert "Did you mean: resign?" in out
    assert "`moves` lists what you may do" in after(out, "White> ", 4)
    assert "That is not an action of this phase" in after(out, "White> ", 5)
    assert "or end the turn. `help`" in " ".join(after(out, "White> ", 6).split())


@pytest.mark.parametrize(
    "line", ["\0", "é" * 500, "e2-" * 2000, "\x1b[2J", "moves \x07", "rules T99", "odds \t", "load", "save"]
)
def test_any_text_may_be_typed(command: Command, line: str) -> None:
    ended = command(*WHITE_CHOOSES, typed=["attack", line, "b2-b3", "quit"])
    assert ended.code == 0
    assert "axemen b2 to b3" in ended.out


def test_undo(command: Command) -> None:
    out = command(*WHITE_CHOOSES, typed=["attack", "b2-b3", "undo", "undo", "b2-b3", "quit"]).out
    assert "Taken back: b2-b3" in out
    assert "Nothing can be taken back past a roll" in after(out, "White> ", 4)
    assert out.count("axemen b2 to b3") == 2


def test_rules_at_the_table(command: Command) -> None:
    out = command(*WHITE_CHOOSES, typed=["rules", "rules T3.2", "rules t3", "quit"]).out
    assert "  T3 A turn" in out
    assert "**T3.2** A step" in after(out, "White> ", 2)
    assert "**T3.4**" in after(out, "White> ", 3)


def test_resign_and_what_can_be_done_afterwards(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    typed = ["attack", "resign", "moves", "help", "rules T1", f"save {path}", "last", "quit"]
    ended = command(*WHITE_CHOOSES, typed=typed)
    assert ended.code == 0
    assert "Black wins: White has given up." in ended.out
    assert "The match is over: `save FILE` keeps it" in ended.out
    match = sandtable.read_match(path.read_text("utf-8"))
    assert match.outcome == ((2, 1), "conceded")


def test_a_draw_between_two_people(command: Command) -> None:
    two = ("--seat", "me", "--seat", "me")
    out = command(*WHITE_CHOOSES, *two, typed=["attack", "draw", "draw", "end", "draw", "quit"]).out
    assert "White offers a draw." in out
    assert "Your draw offer still stands." in out
    assert "White offers a draw: `draw` accepts it." in out
    assert "Drawn by agreement." in out


def test_setting_up(command: Command) -> None:
    typed = ["defend", "moves", "moves R", "place e8 R", "place e8 H", "list", "random", "ready", "quit"]
    out = command(*OPENING, "--seat", "greedy", "--seat", "me", typed=typed).out
    assert "24 actions: `moves H` shows them" in out
    assert "place d7 R, place e7 R, place d8 R, place e8 R" in out
    assert "Black places Royal Guard on e8." in out
    assert "(T2.2)\nFrom H you may: place a6 H" in out
    assert "23 in all" in out
    assert "  H   axemen: 2" in out
    assert out.count("Black places") == 15
    assert "White places" not in out
    assert "Both armies are revealed." in out


def test_two_people_do_not_see_each_other_set_up(command: Command) -> None:
    two = ("--seat", "me", "--seat", "me")
    typed = ["defend", "random", "ready", "", "list", "random", "ready", "quit"]
    out = command(*OPENING, *two, typed=typed).out
    cleared, rest = out.split("White, it is your turn at the keyboard; nobody else may look.")
    assert cleared.endswith("\n" * 100)
    until_reveal = rest.split("Both armies are revealed.")[0]
    assert "Black places" not in until_reveal
    assert "░" in until_reveal
    assert "it is your turn at the keyboard" not in rest  # nothing is secret any more
    assert rest.count("White places") == 15


def test_save_and_load_at_the_table(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "my match.txt"
    first = command(*WHITE_CHOOSES, typed=["attack", "b2-b3", f"save {path}", "quit"])
    assert f"Saved: {path.resolve()}" in " ".join(first.out.split())
    again = command("play", "--scenario", "brief", typed=[f"load {path}", "last", "undo", "quit"])
    assert "Taken back: b2-b3" in again.out
    resumed = command("play", "--load", path, typed=["last", "end", "quit"])
    assert "axemen b2 to b3" in resumed.out
    assert "Black rolls 4 and 2" in resumed.out  # the dice of the file


def test_load_refuses_what_is_no_match(command: Command, tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"\xff\xfe")
    typed = ["attack", f"load {tmp_path}", f"load {tmp_path}/bad", f"load {tmp_path}/none", "b2-b3", "quit"]
    ended = command(*WHITE_CHOOSES, typed=typed)
    assert ended.code == 0
    for sentence in ("'a folder'", "UTF-8", "No such file", "axemen b2 to b3"):
        assert sentence in " ".join(ended.out.split())


def test_load_takes_no_other_book(command: Command, match_file: Path) -> None:
    assert "--load brings its own" in command("play", "--load", match_file, "--book", "standard", typed=[]).err


def test_a_match_without_dice_gets_new_ones(command: Command, tmp_path: Path) -> None:
    position = sandtable.game("tactics").deal("classic", dice=[(6, 1), (3, 4)])
    position.play("attack")
    path = tmp_path / "match.txt"
    path.write_text(position.match().text(), "utf-8")
    rolls = [command("play", "--load", path, "--seed", seed, typed=["end", "quit"]).out for seed in "1112"]
    assert rolls[0] == rolls[1] == rolls[2] != rolls[3]
    assert "Black rolls" in command("play", "--load", path, typed=["end", "quit"]).out


@pytest.mark.parametrize(
    ("answer", "said"),
    [("raise ValueError('lost')", "gives up: Bot failed: ValueError: lost"), ("return 7", "which is no action")],
)
def test_a_bot_that_fails_gives_up(command: Command, tmp_path: Path, answer: str, said: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text(f"class Bot:\n    def choose(self, position, seat):\n        {answer}\n", "utf-8")
    ended = command(*BRIEF, "--seat", "me", "--seat", f"{path}:Bot", typed=["attack", "end", "quit"])
    assert ended.code == 0
    assert said in " ".join(ended.out.split())
    assert "White wins: Black has given up." in ended.out


def test_books_and_settings_reach_the_match(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    options = ("--book", "slow-start", "--set", "draw_after=40")
    command(*WHITE_CHOOSES, *options, typed=[f"save {path}", "quit"])
    book = sandtable.read_match(path.read_text("utf-8")).book
    assert (book["draw_after"], book["initial_charge"]) == (40, 0)


def test_a_screen_without_the_signs_gets_letters(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.cli.screen._can_show", lambda stream, signs: False)
    out = command(*BRIEF, "--seat", "greedy", "--seat", "greedy").out
    assert out.isascii()
    assert "[6] [3]" in out or "] [" in out


def test_end_of_input_leaves_the_table(command: Command) -> None:
    ended = command(*WHITE_CHOOSES, typed=["attack"])
    assert ended.code == 0
    assert "You leave the table." in ended.out
