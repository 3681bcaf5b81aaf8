"""What each viewer of a table has been told: a scene, a gapless count, and the last events to make up for a gap."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from sandtable.protocol.events import Event
from sandtable.protocol.past import Row
from sandtable.protocol.position import Position
from sandtable.protocol.scene import Scene, changes, line_sum, scene_hash
from sandtable.serve.messages import Message, write

LONGEST_GAP = 500  # events kept to make up for a lost line; beyond that a snapshot is sent
LONGEST_LOG = 200
LARGEST_GAP = 256 * 1024


class Lines:
    """The sums of the lines a row changed: what several viewers see alike is written out once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Any, int]] = {}

    def sum_of(self, key: str, value: Any) -> int:
        known = self._known.get(key)
        if known is None or known[0] != value:
            known = self._known[key] = (value, line_sum(key, value))
        return known[1]


@dataclass(frozen=True)
class Shown:
    """A scene with the sums of its lines, from which the next one's hash follows line by line."""

    scene: Scene
    sums: dict[str, int]
    total: int

    @staticmethod
    def of(scene: Scene) -> Shown:
        sums = {key: line_sum(key, value) for key, value in scene.items()}
        return Shown(scene, sums, sum(sums.values()))

    def after(self, scene: Scene, changed: list[tuple[str, Any]], lines: Lines) -> Shown:
        """The scene that these changes made of it."""
        sums, total = dict(self.sums), self.total
        for key, value in changed:
            total -= sums.pop(key, 0)
            if value is not None:
                sums[key] = added = lines.sum_of(key, value)
                total += added
        return Shown(scene, sums, total)

    @property
    def hash(self) -> str:
        return f"{self.total % 2**32:08x}"


@dataclass(frozen=True)
class Told:
    """One event as a viewer is told it, with the scene after it."""

    text: str  # the frame as it is sent
    shown: Shown
    log: list[Message]


def hex_hash(scene: Scene) -> str:
    return f"{scene_hash(scene):08x}"


def line_of(event: Event) -> Message:
    """An event as a line of the log."""
    return {
        "text": event.sentence, "clause": event.clause, "refs": list(event.refs), "faces": list(event.faces),
        "who": event.who, "name": event.name,
    }  # fmt: skip


class Viewer:
    """A seat, or an onlooker (None)."""

    def __init__(self, seat: int | None, scene: Scene) -> None:
        self.seat, self.ver = seat, 0
        self.log: deque[Message] = deque(maxlen=LONGEST_LOG)
        self._shown = Shown.of(scene)
        self._events: deque[tuple[str, str]] = deque(maxlen=LONGEST_GAP)  # frames, and the hash after each

    @property
    def scene(self) -> Scene:
        return self._shown.scene

    @property
    def hash(self) -> str:
        return self._shown.hash

    def look(self, position: Position, row: Row, events: list[Event], before: list[Told], lines: Lines) -> Told | None:
        """What this viewer is told of a row, after what it was told `before` in the same command; None: nothing."""
        shown = before[-1].shown if before else self._shown
        after = position.view(self.seat)
        changed = changes(shown.scene, after)
        log = [line_of(event) for event in events if event.is_seen_by(self.seat)]
        if not changed and not log:
            return None
        is_open = bool(log) or row.is_roll
        faces = [face for line in log for face in line["faces"]] if row.is_roll else []
        shown = shown.after(after, changed, lines)
        message = {
            "t": "ev", "ver": self.ver + len(before) + 1, "by": row.seat if is_open else None,
            "act": row.text if is_open and not row.is_roll else None, "ch": changed, "log": log,
            "roll": {"faces": faces} if row.is_roll else None, "hash": shown.hash,
            "actions": self._actions(position),
        }  # fmt: skip
        return Told(write(message), shown, log)

    def _actions(self, position: Position) -> int:
        return 1 if self.seat is not None and self.seat in position.to_act else 0

    def accept(self, told: list[Told]) -> None:
        """These events are stored now."""
        for one in told:
            self.ver += 1
            self._shown = one.shown
            self.log.extend(one.log)
            self._events.append((one.text, one.shown.hash))

    def missed(self, have: int, digest: str) -> list[str] | None:
        """The frames after `have`, if the receiver had what we sent; None: it needs a snapshot."""
        gap = self.ver - have
        if not 0 <= gap <= len(self._events) or have == 0:
            return None
        known = self._events[-gap - 1][1] if gap < len(self._events) else ""
        if gap == 0 and digest != self.hash:
            return None
        if gap > 0 and digest != known:
            return None
        frames = [text for text, _ in list(self._events)[len(self._events) - gap :]]
        return frames if sum(map(len, frames)) <= LARGEST_GAP else None

    def snapshot(self) -> str:
        return write({"t": "snap", "ver": self.ver, "hash": self.hash, "scene": self.scene, "log": list(self.log)})
