"""Texts of Tactics: actions, rolls and positions, both ways. Whatever cannot be read is refused with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from sandtable.games.tactics.layout import (
    ACT,
    ATTACK,
    BORDER,
    CAPTURE,
    CELLS,
    CHOOSE,
    CLASSES,
    DEFEND,
    DEPLOY,
    END,
    GUARD_TAKEN,
    MOVE,
    MOVED,
    NOBODY,
    OPENING,
    OVER,
    PHASES,
    PIECE,
    PLACE,
    POSITION,
    QUIET,
    READY,
    REASONS,
    ROLL,
    SIDES,
    SIGNS,
    WIDTH,
)  # fmt: skip
from sandtable.protocol.book import Book
from sandtable.protocol.errors import BadText

WORDS = {"attack": ATTACK, "defend": DEFEND, "ready": READY, "end": END}
WORD_OF = {kind: word for word, kind in WORDS.items()}
FILES = "abcdefgh"
HEADER = "  a b c d e f g h"
MOST_TURNS = 30_000  # no match lasts longer, and its turns still fit the record


# ---------------------------------------------------------------- squares and pieces


def square_name(cell: int) -> str:
    return f"{FILES[cell % WIDTH - 1]}{cell // WIDTH}"


def square(name: str) -> int:
    """The cell of a name known to be one."""
    return int(name[1]) * WIDTH + FILES.index(name[0]) + 1


def squares() -> list[int]:
    """The 64 cells: a1 … h1, a2 …"""
    return [rank * WIDTH + file for rank in range(1, 9) for file in range(1, 9)]


def piece_sign(piece: int) -> str:
    """White's pieces in capitals, Black's small."""
    return SIGNS[piece - 1] if piece <= CLASSES else SIGNS[piece - CLASSES - 1].lower()


# ---------------------------------------------------------------- actions and rolls


def write_action(action: Any) -> str:
    kind, _, what, at, to, _ = action.item() if hasattr(action, "item") else action
    if kind in WORD_OF:
        return WORD_OF[kind]
    if kind == PLACE:
        return f"place {square_name(to)} {SIGNS[what - 1]}"
    return f"{square_name(at)}{'x' if kind == CAPTURE else '-'}{square_name(to)}"


def _read_square(text: str, column: int) -> int:
    """The square written in these two columns (from 1)."""
    if text[column - 1 : column] not in tuple(FILES):
        raise BadText("a file from a to h", text[column - 1 : column] or "the end", column=column)
    if text[column : column + 1] not in tuple("12345678"):
        raise BadText("a rank from 1 to 8", text[column : column + 1] or "the end", column=column + 1)
    return square(text[column - 1 : column + 1])


def _read_end(text: str, column: int) -> None:
    if len(text) >= column:
        raise BadText("nothing more", text[column - 1 :], column=column)


def read_action(text: str) -> tuple[int, int, int, int, int, int]:
    """An action's fields (kind, marks, what, at, to, arg)."""
    if text in WORDS:
        return WORDS[text], 0, 0, 0, 0, 0
    if text.startswith("place "):
        to = _read_square(text, 7)
        if text[8:9] != " ":
            raise BadText("one blank", text[8:9] or "the end", column=9)
        if text[9:10] not in tuple(SIGNS):
            raise BadText(f"a class, one of {SIGNS}", text[9:10] or "the end", column=10)
        _read_end(text, 11)
        return PLACE, 0, SIGNS.index(text[9]) + 1, 0, to, 0
    if text[:1] not in tuple(FILES) or text[1:2] not in tuple("12345678"):
        raise BadText("attack, defend, place, ready, end or a move like e2-e3", text or "nothing", column=1)
    at = _read_square(text, 1)
    if text[2:3] not in ("-", "x"):
        raise BadText("- or x", text[2:3] or "the end", column=3)
    to = _read_square(text, 4)
    _read_end(text, 6)
    return (CAPTURE if text[2] == "x" else MOVE), 0, 0, at, to, 0


def faces_of(outcome: int) -> tuple[int, int]:
    return outcome // 6 + 1, outcome % 6 + 1


def outcome_of(faces: Sequence[int]) -> int:
    if not isinstance(faces, Sequence) or len(faces) != 2 or any(face not in range(1, 7) for face in faces):
        raise BadText("two faces from 1 to 6", repr(faces))
    return (faces[0] - 1) * 6 + faces[1] - 1


def write_roll(outcome: int) -> str:
    return f"roll {outcome // 6 + 1} {outcome % 6 + 1}"


def read_roll(text: str) -> int:
    if not (found := re.fullmatch(r"roll ([1-6]) ([1-6])", text)):
        raise BadText("roll and two faces, like roll 3 5", text)
    return outcome_of((int(found[1]), int(found[2])))


# ---------------------------------------------------------------- positions


def write_position(position: Any, book: Book) -> str:
    cells = position["cell"].tolist()
    turn, quiet, phase = (int(position[name]) for name in ("turn", "quiet", "phase"))
    mover, attacker, points = (int(position[name]) for name in ("mover", "attacker", "points"))
    lines = ["tactics 1", HEADER]
    for rank in range(8, 0, -1):
        row = [cells[rank * WIDTH + file] & PIECE for file in range(1, 9)]
        lines.append(f"{rank} {' '.join(piece_sign(piece) if piece else '.' for piece in row)} {rank}")
    lines.append(HEADER)
    lines.append(f"phase {PHASES[phase]}" + (f" {SIDES[mover]}" if phase in (CHOOSE, ROLL, ACT) else ""))
    if attacker != NOBODY:
        lines.append(f"attacker {SIDES[attacker]}")
    if turn:
        lines.append(f"turn {turn}")
    if position["die"][0]:
        lines.append(f"dice {position['die'][0]} {position['die'][1]}")
    if phase == ACT:
        lines.append(f"points {points}")
    if moved := [square_name(cell) for cell in squares() if cells[cell] & MOVED]:
        lines.append(f"moved {' '.join(moved)}")
    if quiet:
        lines.append(f"quiet {quiet}")
    if ready := [SIDES[side] for side in (0, 1) if position["ready"][side]]:
        lines.append(f"ready {' '.join(ready)}")
    if phase == OVER:
        winner = int(position["winner"])
        lines.append(f"result {REASONS[int(position['reason'])]}" + (f" {SIDES[winner]}" if winner != NOBODY else ""))
    return "\n".join(lines) + "\n"


class _Lines:
    """The lines of a position text, read one by one; every complaint names line and column."""

    def __init__(self, text: str) -> None:
        self.lines = text.rstrip("\n").split("\n")
        self.number = 0

    def bad(self, expected: str, found: str, column: int = 1) -> BadText:
        return BadText(expected, found, self.number, column)

    def next(self, expected: str) -> str:
        self.number += 1
        if self.number > len(self.lines):
            raise self.bad(expected, "the end")
        return self.lines[self.number - 1]

    def exactly(self, wanted: str) -> None:
        if (line := self.next(f"{wanted!r}")) != wanted:
            raise self.bad(repr(wanted), line)

    def field(self, name: str) -> list[str] | None:
        """The words after this name, if the next line begins with it."""
        if self.number < len(self.lines) and self.lines[self.number].split(" ")[0] == name:
            self.number += 1
            return self.lines[self.number - 1].split(" ")[1:]
        return None

    def one_of(self, words: list[str], n: int, choices: Sequence[str]) -> int:
        """The place of word n among the choices."""
        word = words[n] if n < len(words) else ""
        if word not in choices:
            raise self.bad(" or ".join(choices), word or "the end", self.column(words, n))
        return list(choices).index(word)

    def whole(self, words: list[str], n: int, least: int, most: int) -> int:
        word = words[n] if n < len(words) else ""
        if not re.fullmatch(r"0|[1-9][0-9]{0,5}", word) or not least <= int(word) <= most:
            raise self.bad(f"a whole number from {least} to {most}", word or "the end", self.column(words, n))
        return int(word)

    def count(self, words: list[str], most: int) -> None:
        if len(words) > most:
            raise self.bad("nothing more", words[most], self.column(words, most))

    def column(self, words: list[str], n: int) -> int:
        line = self.lines[self.number - 1] if self.number <= len(self.lines) else ""
        return len(line.split(" ")[0]) + 2 + sum(len(word) + 1 for word in words[:n])


def read_position(text: str, book: Book) -> np.ndarray[Any, Any]:
    """The position of a text, as an array of one record; refused unless it could stand on a board."""
    lines = _Lines(text)
    position = np.zeros(1, dtype=POSITION)
    p = position[0]
    lines.exactly("tactics 1")
    cells = _read_board(lines)
    words = lines.field("phase")
    if words is None:
        raise _unread(lines, "phase")
    phase = lines.one_of(words, 0, PHASES)
    has_side = phase in (CHOOSE, ROLL, ACT)
    p["phase"] = phase
    p["mover"] = lines.one_of(words, 1, SIDES) if has_side else 0
    lines.count(words, 2 if has_side else 1)
    p["attacker"] = p["winner"] = NOBODY
    if (words := lines.field("attacker")) is not None:
        p["attacker"] = lines.one_of(words, 0, SIDES)
        lines.count(words, 1)
    if (words := lines.field("turn")) is not None:
        p["turn"] = lines.whole(words, 0, 1, MOST_TURNS)
        lines.count(words, 1)
    if (words := lines.field("dice")) is not None:
        p["die"] = lines.whole(words, 0, 1, 6), lines.whole(words, 1, 1, 6)
        lines.count(words, 2)
    _read_points(lines, p, book)
    _read_moved(lines, p, cells)
    if (words := lines.field("quiet")) is not None:
        p["quiet"] = lines.whole(words, 0, 1, int(book["draw_after"]))
        lines.count(words, 1)
    if phase == DEPLOY and (words := lines.field("ready")) is not None:
        for n in range(len(words)):
            p["ready"][lines.one_of(words, n, SIDES)] = 1
    if phase == OVER:
        _read_result(lines, p)
    if lines.number < len(lines.lines):
        raise _unread(
            lines, "nothing more, or one of phase attacker turn dice points moved quiet ready result in this order"
        )
    p["cell"] = cells
    _finish(lines, p, cells, book)
    return position


def _unread(lines: _Lines, expected: str) -> BadText:
    found = lines.lines[lines.number] if lines.number < len(lines.lines) else "the end"
    lines.number += 1
    return lines.bad(expected, found)


def _read_board(lines: _Lines) -> list[int]:
    cells = [BORDER] * CELLS
    lines.exactly(HEADER)
    for rank in range(8, 0, -1):
        line = lines.next(f"rank {rank} of the board")
        for file in range(1, 9):
            column = 2 * file + 1
            sign = line[column - 1 : column]
            if sign != "." and (not sign or sign.upper() not in SIGNS):
                raise lines.bad(f"a piece ({SIGNS}, small for Black) or .", sign or "the end", column)
            piece = 0 if sign == "." else SIGNS.index(sign.upper()) + 1
            cells[rank * WIDTH + file] = piece + CLASSES if sign.islower() else piece
        wanted = f"{rank} {' '.join(line[2:17:2])} {rank}"
        if line != wanted:
            wrong = next(n for n in range(len(line) + 1) if line[n : n + 1] != wanted[n : n + 1])
            raise lines.bad(f"a rank written like {wanted!r}", line, wrong + 1)
    lines.exactly(HEADER)
    return cells


def _read_points(lines: _Lines, p: Any, book: Book) -> None:
    if p["phase"] != ACT:
        return
    first, second = p["die"].tolist()
    if not first:
        raise _unread(lines, "dice, since somebody is to act")
    if not p["turn"]:
        raise _unread(lines, "turn, since somebody is to act")
    is_charge = first == second or (p["turn"] <= 2 and book["initial_charge"])
    p["charge"] = is_charge
    words = lines.field("points")
    if words is None:
        raise _unread(lines, "points")
    p["points"] = lines.whole(words, 0, 0, (first + second) * (2 if is_charge else 1))
    lines.count(words, 1)


def _read_moved(lines: _Lines, p: Any, cells: list[int]) -> None:
    words = lines.field("moved")
    for n, word in enumerate(words or ()):
        if not re.fullmatch("[a-h][1-8]", word):
            raise lines.bad("a square", word, lines.column(words or [], n))
        cell = square(word)
        if not cells[cell] or cells[cell] & MOVED:
            raise lines.bad("a square with a piece, named once", word, lines.column(words or [], n))
        if p["phase"] == ACT and (cells[cell] > CLASSES) != bool(p["mover"]):
            raise lines.bad("a piece of the side that moves", word, lines.column(words or [], n))
        if p["phase"] != ACT:
            raise lines.bad("no moved pieces in this phase", word, lines.column(words or [], n))
        cells[cell] |= MOVED


def _read_result(lines: _Lines, p: Any) -> None:
    words = lines.field("result")
    if words is None:
        raise _unread(lines, "result")
    p["reason"] = lines.one_of(words, 0, REASONS[1:]) + 1
    if p["reason"] != QUIET:
        p["winner"] = lines.one_of(words, 1, SIDES)
    lines.count(words, 1 if p["reason"] == QUIET else 2)


def _finish(lines: _Lines, p: Any, cells: list[int], book: Book) -> None:
    """What follows from the rest, and what no game could have led to."""
    lines.number = 3
    army = book["army"]
    standing = [[0] * CLASSES for _ in SIDES]
    for cell in squares():
        if piece := cells[cell] & PIECE:
            standing[(piece - 1) // CLASSES][(piece - 1) % CLASSES] += 1
    for side, counts in enumerate(standing):
        for unit, count in enumerate(counts):
            if count > army[unit]:
                raise lines.bad(
                    f"at most {army[unit]} of class {SIGNS[unit]} of {SIDES[side]} on the board", str(count)
                )
    if p["phase"] == DEPLOY:
        p["left"] = [[most - count for most, count in zip(army, counts, strict=True)] for counts in standing]
        _finish_deploy(lines, p, cells, book)
    if p["phase"] in (ROLL, ACT) and not (standing[0][-1] and standing[1][-1]):
        raise lines.bad("a Guard of each side on the board", "none")
    if p["phase"] in (DEPLOY, ROLL, ACT) and p["attacker"] == NOBODY:
        raise BadText("a line attacker", "none", len(lines.lines), 1)
    if p["die"][0] and p["phase"] not in (OPENING, CHOOSE, ACT):
        raise BadText("no dice in this phase", "", len(lines.lines), 1)
    if p["phase"] == CHOOSE and (int(p["die"][0]) < int(p["die"][1])) != bool(p["mover"]):
        raise BadText(f"the opening roll that {SIDES[int(p['mover'])]} won", "", len(lines.lines), 1)
    if p["phase"] == CHOOSE and p["die"][0] == p["die"][1]:
        raise BadText("the dice of the opening roll, not equal", "", len(lines.lines), 1)
    if p["phase"] == ROLL and p["quiet"] >= book["draw_after"]:
        raise BadText(f"fewer than {book['draw_after']} quiet turns before a roll", "", len(lines.lines), 1)
    if p["phase"] == OVER and p["reason"] == GUARD_TAKEN and standing[1 - int(p["winner"])][-1]:
        raise BadText("no Guard of the side that lost it", "", len(lines.lines), 1)
    if p["phase"] in (OPENING, CHOOSE, DEPLOY) and (p["turn"] or p["quiet"]):
        raise BadText("no turn and no quiet turns before play begins", "", len(lines.lines), 1)
    if p["phase"] == OPENING and p["attacker"] != NOBODY:
        raise BadText("no attacker before the choice", "", len(lines.lines), 1)


def _finish_deploy(lines: _Lines, p: Any, cells: list[int], book: Book) -> None:
    home = int(book["home_ranks"])
    for cell in squares():
        if piece := cells[cell]:
            rank = cell // WIDTH if piece <= CLASSES else 9 - cell // WIDTH
            if rank > home:
                raise lines.bad("pieces in their home ranks while placing", square_name(cell))
    for side in (0, 1):
        # A seat's view shows nothing of a foe that is ready: an empty home beside `ready` is right.
        if p["ready"][side] and p["left"][side].any() and p["left"][side].tolist() != list(book["army"]):
            raise lines.bad(f"all pieces of {SIDES[side]} placed, since it is ready", "fewer")
