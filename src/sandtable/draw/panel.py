"""What stands beside the board in text: seats, turn, what is still to place, what is asked, what the signs mean."""

from __future__ import annotations

from textwrap import wrap

from sandtable.draw.lines import Line, padded, width
from sandtable.draw.scene import Scene, entries, marks_of, plain, side_names

NAME = 14  # columns for a seat's name
TIED = "\N{NO-BREAK SPACE}"  # where a line must not break


def panel(scene: Scene, columns: int, fog: str, guard: str) -> list[Line]:
    """The paragraphs that have something to say, a blank line between them, at most `columns` wide."""
    said = [_seats(scene), _turn(scene), _palette(scene, columns), _ask(scene, columns)]
    lines = [line for paragraph in said if paragraph for line in [*paragraph, []]]
    lines += [[(text.replace(TIED, " "), "quiet")] for text in wrap(_legend(scene, fog, guard), columns)]
    return lines if not lines or lines[-1] else lines[:-1]


def _seats(scene: Scene) -> list[Line]:
    seats = [seat for _, seat in entries(scene, "seat")]
    longest = min(NAME, max((len(plain(seat["name"])) for seat in seats), default=0))
    lines: list[Line] = []
    for seat in seats:
        state = str(seat.get("state", ""))
        acting = state in ("to act", "deploying")
        units = f"{seat['units']:>3} units" if "units" in seat else ""
        text = f"{'>' if acting else ' '} {_cut(plain(seat['name']), NAME):<{longest}} {units}  {state}"
        lines.append([(text.rstrip(), "strong" if acting else "")])
    return lines


def _turn(scene: Scene) -> list[Line]:
    turn = scene.get("turn")
    if not turn:
        return []
    lines: list[Line] = []
    seat = scene.get(f"seat/{turn.get('seat')}")
    if turn.get("number"):
        whose = f", {_cut(plain(seat['name']), NAME)}" if seat else ""
        lines.append([(f"Turn {turn['number']}{whose}", "")])
    told: list[str] = []
    if turn.get("dice"):
        told.append("dice " + " ".join(map(str, turn["dice"])))
    if turn.get("charge"):
        told.append("charge")
    if turn.get("number") and turn.get("points") is not None:
        told.append(f"{turn['points']} point{'' if turn['points'] == 1 else 's'} left")
    if told:
        text = ", ".join(told)
        lines.append([(text[0].upper() + text[1:], "strong")])
    return lines


def _palette(scene: Scene, columns: int) -> list[Line]:
    """Two entries to a line, as far apart as the panel allows."""
    told = [f"{plain(one['sign'])} {plain(one['kind'])} {one['left']}" for _, one in entries(scene, "palette")]
    if not told:
        return []
    lines: list[Line] = [[("To place", "strong")]]
    for first in range(0, len(told), 2):
        line: Line = []
        for text in told[first : first + 2]:
            line = padded([*line, (_cut(text, columns // 2 - 1), "")], width(line) + columns // 2)
        lines.append(line)
    return lines


def _ask(scene: Scene, columns: int) -> list[Line]:
    ask = scene.get("ask")
    if not ask:
        return []
    return [[(text, "strong" if ask.get("act") else "")] for text in wrap(plain(ask["text"]), columns)]


def _legend(scene: Scene, fog: str, guard: str) -> str:
    """Only what is there to be seen."""
    units, cells = [unit for _, unit in entries(scene, "unit")], [cell for _, cell in entries(scene, "cell")]
    said: list[str] = []
    for side, name in sorted(side_names(scene).items()):
        if any(unit["side"] == side for unit in units):
            said.append(f"{'small letters' if side == 1 else 'CAPITALS'} {_cut(name, NAME)}")
    if any("moved" in marks_of(unit) for unit in units):
        said.append("( ) has moved")
    if any("guard" in marks_of(cell) for cell in cells):
        said.append(f"{guard} guard square")
    if any(cell.get("fog") for cell in cells):
        said.append(f"{fog} hidden")
    return ", ".join(one.replace(" ", TIED) for one in said)


def _cut(text: str, columns: int) -> str:
    return text if len(text) <= columns else text[: columns - 3] + "..."
