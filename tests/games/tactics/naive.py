"""The rule book of Tactics once more, in plain Python objects: slow, readable, and written from RULES.md alone.

It shares nothing with the engine, so that a mistake has to be made twice to go unseen. Sides are 0 (White)
and 1 (Black), squares are pairs (file, rank) counted from 1, pieces are pairs (side, letter).
`python tests/games/tactics/naive.py` plays random games to their end.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Square = tuple[int, int]
Piece = tuple[int, str]

LETTERS = "HECPABMR"  # T1.3
SIDES = ("white", "black")
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
MARKED = ({(4, 1), (5, 1), (4, 2), (5, 2)}, {(4, 8), (5, 8), (4, 7), (5, 7)})  # T2.3

DEFAULT_BOOK: dict[str, Any] = {
    "army": dict.fromkeys("HECPABM", 2) | {"R": 1},  # T1.2
    "takes": {  # T4.2, T4.3
        "H": "ABMR",
        "E": "HBMR",
        "P": "HECR",
        "C": "HEAR",
        "A": "EPBR",
        "B": "PCMR",
        "M": "PCAR",
        "R": "HECPABMR",
    },
    "straight_cost": 2,  # T3.2
    "diagonal_cost": 3,
    "home_ranks": 3,  # T1.1
    "reserve_guard_squares": False,  # T2.3
    "initial_charge": True,  # T5.2
    "draw_after": 60,  # T6.2
}


def name(square: Square) -> str:
    return "abcdefgh"[square[0] - 1] + str(square[1])


def square(text: str) -> Square:
    return "abcdefgh".index(text[0]) + 1, int(text[1])


BOARD = [(file, rank) for rank in range(1, 9) for file in range(1, 9)]
ON_BOARD = set(BOARD)


@dataclass
class Naive:
    book: dict[str, Any]
    board: dict[Square, Piece] = field(default_factory=dict)
    phase: str = "opening"
    mover: int = 0  # who chooses, then whose turn it is
    attacker: int | None = None  # until it is chosen
    turn: int = 0  # 1 is the attacker's first turn, 2 the defender's
    dice: tuple[int, int] | None = None
    points: int = 0
    moved: set[Square] = field(default_factory=set)
    quiet: int = 0  # turns in a row without a capture, the running one included
    ready: set[int] = field(default_factory=set)
    reason: str | None = None
    winner: int | None = None

    # ---- beginning ------------------------------------------------------------------------------------------

    @classmethod
    def deal(cls, placement: str | None = None, book: dict[str, Any] | None = None) -> Naive:
        """A game before its opening roll: an empty board, or the pieces of a position text."""
        game = cls(DEFAULT_BOOK | (book or {}))
        if placement is not None:
            game.board = cls.read(placement, game.book).board
        return game

    @classmethod
    def read(cls, text: str, book: dict[str, Any] | None = None) -> Naive:
        """The position of a well-formed position text."""
        game = cls(DEFAULT_BOOK | (book or {}))
        lines = [line.split() for line in text.strip().splitlines()]
        for row in lines[2:10]:
            for column, sign in enumerate(row[1:9], start=1):
                if sign != ".":
                    game.board[column, int(row[0])] = (0 if sign.isupper() else 1, sign.upper())
        for word, *rest in lines[11:]:
            if word == "phase":
                game.phase = rest[0]
                game.mover = SIDES.index(rest[1]) if rest[1:] else 0
            elif word == "attacker":
                game.attacker = SIDES.index(rest[0])
            elif word == "turn":
                game.turn = int(rest[0])
            elif word == "dice":
                game.dice = int(rest[0]), int(rest[1])
            elif word == "points":
                game.points = int(rest[0])
            elif word == "moved":
                game.moved = {square(at) for at in rest}
            elif word == "quiet":
                game.quiet = int(rest[0])
            elif word == "ready":
                game.ready = {SIDES.index(side) for side in rest}
            elif word == "result":
                game.reason = rest[0]
                game.winner = SIDES.index(rest[1]) if rest[1:] else None
        return game

    def text(self) -> str:
        lines = ["tactics 1", "  a b c d e f g h"]
        for rank in range(8, 0, -1):
            signs = [self.sign((file, rank)) for file in range(1, 9)]
            lines.append(f"{rank} {' '.join(signs)} {rank}")
        lines.append("  a b c d e f g h")
        whose = f" {SIDES[self.mover]}" if self.phase in ("choose", "roll", "act") else ""
        lines.append(f"phase {self.phase}{whose}")
        if self.attacker is not None:
            lines.append(f"attacker {SIDES[self.attacker]}")
        if self.turn:
            lines.append(f"turn {self.turn}")
        if self.dice:
            lines.append(f"dice {self.dice[0]} {self.dice[1]}")
        if self.phase == "act":
            lines.append(f"points {self.points}")
        if self.moved:
            lines.append(" ".join(["moved", *(name(at) for at in BOARD if at in self.moved)]))
        if self.quiet:
            lines.append(f"quiet {self.quiet}")
        if self.ready and self.phase == "deploy":
            lines.append(" ".join(["ready", *(SIDES[side] for side in sorted(self.ready))]))
        if self.reason:
            winner = "" if self.winner is None else f" {SIDES[self.winner]}"
            lines.append(f"result {self.reason}{winner}")
        return "\n".join(lines) + "\n"

    def sign(self, at: Square) -> str:
        if at not in self.board:
            return "."
        side, letter = self.board[at]
        return letter if side == 0 else letter.lower()

    # ---- who and what ---------------------------------------------------------------------------------------

    def who(self) -> tuple[int, ...]:
        if self.phase == "deploy":
            return tuple(side for side in (0, 1) if side not in self.ready)
        return (self.mover,) if self.phase in ("choose", "act") else ()

    def legal(self, seat: int) -> list[str]:
        """Every action text this seat may play now: of all that can be tried, what is not refused."""
        if seat not in self.who():
            return []
        if self.phase == "act":
            return ["end", *(f"{name(at)}{mark}{name(to)}" for at, mark, to in self.moves())]
        if self.phase == "choose":
            return ["attack", "defend"]
        left = self.left(seat)
        if not any(left.values()):
            return ["ready"]
        pairs = [(letter, at) for letter in LETTERS if left[letter] for at in BOARD if self.is_home(seat, at)]
        return [f"place {name(at)} {letter}" for letter, at in pairs if self.why_not_place(seat, at, letter) is None]

    def moves(self) -> Iterator[tuple[Square, str, Square]]:
        """The legal moves of the side whose turn it is, from a1, b1 … to h8."""
        lengths = (1, 2) if self.is_charge() else (1,)
        for at in BOARD:
            if at not in self.board or self.board[at][0] != self.mover:
                continue
            for across, up in STRAIGHT + DIAGONAL:
                for length in lengths:
                    to = at[0] + length * across, at[1] + length * up
                    mark = "x" if to in self.board else "-"
                    if to in ON_BOARD and self.why_not_move(self.mover, at, mark, to) is None:
                        yield at, mark, to

    def why_not(self, seat: int, text: str) -> str | None:
        """The first refusal that applies, in the order of T6.3; None where the action is legal."""
        if self.phase == "over":
            return "over"
        if self.rolls_due():
            return "dice_due"
        if seat not in self.who():
            return "seat"
        if self.phase == "choose":
            return None if text in ("attack", "defend") else "notation"
        if self.phase == "deploy":
            if text == "ready":
                return "not_ready" if any(self.left(seat).values()) else None
            match = re.fullmatch(r"place ([a-h][1-8]) ([HECPABMR])", text)
            return self.why_not_place(seat, square(match[1]), match[2]) if match else "notation"
        if text == "end":
            return None
        match = re.fullmatch(r"([a-h][1-8])([-x])([a-h][1-8])", text)
        return self.why_not_move(seat, square(match[1]), match[2], square(match[3])) if match else "notation"

    # ---- placing (T2) ---------------------------------------------------------------------------------------

    def left(self, side: int) -> dict[str, int]:
        """What this side still has to place (T1.2)."""
        standing = [piece for piece in self.board.values() if piece[0] == side]
        return {letter: self.book["army"][letter] - standing.count((side, letter)) for letter in LETTERS}

    def is_home(self, side: int, at: Square) -> bool:
        return (at[1] if side == 0 else 9 - at[1]) <= self.book["home_ranks"]  # T2.2

    def why_not_place(self, seat: int, at: Square, letter: str) -> str | None:
        left = self.left(seat)
        if left[letter] == 0:
            return "left"
        if not self.is_home(seat, at):
            return "home"
        if at in self.board:
            return "occupied"
        if letter == "R":
            return None if at in MARKED[seat] else "guard_square"
        if at in MARKED[seat]:
            if self.book["reserve_guard_squares"]:  # T2.3
                return "reserved"
            free = [marked for marked in MARKED[seat] if marked not in self.board]
            if left["R"] and len(free) == 1:  # T2.5
                return "reserved"
        return None

    # ---- moving (T3, T4, T5) --------------------------------------------------------------------------------

    def is_charge(self) -> bool:
        """Double points and two-square moves: T5.1 by the dice, T5.2 in each side's first turn."""
        return self.dice[0] == self.dice[1] or (self.book["initial_charge"] and self.turn <= 2)

    def why_not_move(self, seat: int, at: Square, mark: str, to: Square) -> str | None:
        if self.board.get(at, (None, ""))[0] != seat:
            return "owner"
        if at in self.moved:
            return "moved"
        across, up = to[0] - at[0], to[1] - at[1]
        length = max(abs(across), abs(up))
        if length not in (1, 2) or across % length or up % length:  # a bent line leaves a remainder
            return "distance"
        if length == 2:
            if not self.is_charge():
                return "charge"
            if (at[0] + across // 2, at[1] + up // 2) in self.board:
                return "middle"
        if to in self.board:
            owner, letter = self.board[to]
            if owner == seat:
                return "target"
            if letter not in self.book["takes"][self.board[at][1]]:
                return "capture"
        if mark != ("x" if to in self.board else "-"):
            return "mark"
        return "points" if self.cost(at, to) > self.points else None

    def cost(self, at: Square, to: Square) -> int:
        across, up = abs(to[0] - at[0]), abs(to[1] - at[1])
        return max(across, up) * self.book["diagonal_cost" if across and up else "straight_cost"]

    # ---- playing --------------------------------------------------------------------------------------------

    def play(self, seat: int, text: str) -> None:
        refusal = self.why_not(seat, text)
        if refusal:
            raise ValueError(f"{text} is refused: {refusal}")
        if self.phase == "choose":
            self.choose(seat if text == "attack" else 1 - seat)
        elif self.phase == "deploy":
            self.deploy(seat, text)
        elif text == "end":
            self.end_turn()
        else:
            self.move(square(text[:2]), square(text[3:]))

    def choose(self, attacker: int) -> None:
        self.attacker = attacker
        self.dice = None
        if self.board:  # the pieces stand already
            self.begin_turn(attacker)
        else:
            self.phase, self.mover = "deploy", 0

    def deploy(self, seat: int, text: str) -> None:
        if text != "ready":
            _, at, letter = text.split()
            self.board[square(at)] = (seat, letter)
            return
        self.ready.add(seat)
        if self.ready == {0, 1}:
            self.begin_turn(self.attacker)  # T2.4

    def begin_turn(self, side: int) -> None:
        self.phase, self.mover, self.dice, self.points = "roll", side, None, 0

    def move(self, at: Square, to: Square) -> None:
        captured = self.board.get(to)
        self.points -= self.cost(at, to)
        self.board[to] = self.board.pop(at)
        self.moved.add(to)
        if captured:
            self.quiet = 0
            if captured[1] == "R":  # T6.1
                self.finish("guard", self.mover)
                return
        self.end_turn_if_stuck()

    def end_turn_if_stuck(self) -> None:
        if next(self.moves(), None) is None:  # T3.4
            self.end_turn()

    def end_turn(self) -> None:
        self.moved.clear()
        if self.quiet >= self.book["draw_after"]:  # T6.2
            self.finish("quiet", None)
        else:
            self.begin_turn(1 - self.mover)

    # ---- chance and end -------------------------------------------------------------------------------------

    def rolls_due(self) -> bool:
        return self.phase in ("opening", "roll")

    def roll(self, first: int, second: int) -> None:
        self.dice = first, second
        if self.phase == "opening":  # T2.1
            if first != second:
                self.phase, self.mover = "choose", 0 if first > second else 1
            return
        self.phase = "act"
        self.turn += 1
        self.quiet += 1
        self.points = (first + second) * (2 if self.is_charge() else 1)
        self.end_turn_if_stuck()

    def concede(self, seat: int) -> None:
        if self.phase != "over":
            self.finish("conceded", 1 - seat)

    def finish(self, reason: str, winner: int | None) -> None:
        self.phase, self.reason, self.winner = "over", reason, winner
        self.dice = None
        self.moved.clear()

    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        if self.reason is None:
            return None
        places = (1, 1) if self.winner is None else tuple(1 if side == self.winner else 2 for side in (0, 1))
        return places, self.reason


def random_game(seed: int, book: dict[str, Any] | None = None, start: str | None = None) -> tuple[Naive, int]:
    """One game of random choices from the opening roll to its end, and how many actions it took."""
    dice = random.Random(seed)
    game = Naive.deal(start, book)
    actions = 0
    while game.outcome() is None:
        if game.rolls_due():
            game.roll(dice.randint(1, 6), dice.randint(1, 6))
        else:
            seat = dice.choice(game.who())
            game.play(seat, dice.choice(game.legal(seat)))
            actions += 1
        assert Naive.read(game.text(), game.book).text() == game.text()
    return game, actions


if __name__ == "__main__":
    for seed in range(20):
        final, count = random_game(seed)
        print(f"seed {seed}: {final.outcome()} after {count} actions, turn {final.turn}")
