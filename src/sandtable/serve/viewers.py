"""What each viewer of a table has been told: a scene, a gapless count, and the last events to make up for a gap."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sandtable.protocol.events import Event
from sandtable.protocol.past import Row
from sandtable.protocol.position import Position
from sandtable.protocol.scene import Scene, changes, line_sum
from sandtable.serve.messages import Message, write

LONGEST_GAP = 500  # events kept to make up for a lost line; beyond that a snapshot is sent
LONGEST_LOG = 200
LARGEST_GAP = 256 * 1024


@dataclass(frozen=True)
class Part:
    """A part of a scene with the sums of its lines, from which the next one's follow line by line."""

    scene: Scene
    sums: dict[str, int]
    total: int

    @staticmethod
    def of(scene: Scene) -> Part:
        sums = {key: line_sum(key, value) for key, value in scene.items()}
        return Part(scene, sums, sum(sums.values()))

    def after(self, scene: Scene, changed: list[tuple[str, Any]]) -> Part:
        """The part that these changes made of it."""
        sums, total = dict(self.sums), self.total
        for key, value in changed:
            total -= sums.pop(key, 0)
            if value is not None:
                sums[key] = added = line_sum(key, value)
                total += added
        return Part(scene, sums, total)


@dataclass(frozen=True)
class Shown:
    """What a viewer has before him: what others see as well, and what only he is shown."""

    common: Part
    own: Part

    @property
    def hash(self) -> str:
        return f"{(self.common.total + self.own.total) % 2**32:08x}"


class Seen:
    """A row and what came of it, for all viewers: what is the same for several of them is worked out once."""

    def __init__(self, position: Position, row: Row, events: list[Event], seats: Iterable[int | None]) -> None:
        self.row = row
        self.to_act = position.to_act
        self._scenes = position.views(seats)
        self._lines = [(event, line_of(event)) for event in events]
        self._parts: dict[int, Part] = {}  # by the scene's identity
        self._changes: dict[tuple[int, int], list[tuple[str, Any]]] = {}

    def log(self, seat: int | None) -> list[Message]:
        return [line for event, line in self._lines if event.is_seen_by(seat)]

    def after(self, shown: Shown, seat: int | None) -> tuple[Shown, list[tuple[str, Any]]]:
        """What this seat is shown now, and what of it changed."""
        common, own = self._scenes[seat]
        pair = id(shown.common), id(common)
        if pair not in self._changes:
            self._changes[pair] = changes(shown.common.scene, common)
        if id(common) not in self._parts:
            self._parts[id(common)] = shown.common.after(common, self._changes[pair])
        changed = changes(shown.own.scene, own)
        after = Shown(self._parts[id(common)], shown.own.after(own, changed))
        return after, _merged(self._changes[pair], changed)


def _merged(common: list[tuple[str, Any]], own: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Both, without saying of a line that it is gone from one part when it stands in the other now."""
    new = {key for key, value in own if value is not None}
    kept = [(key, value) for key, value in common if value is not None or key not in new]
    here = {key for key, value in common if value is not None}
    return kept + [(key, value) for key, value in own if value is not None or key not in here]


@dataclass(frozen=True)
class Told:
    """One event as a viewer is told it, with the scene after it."""

    text: str  # the frame as it is sent
    shown: Shown
    log: list[Message]


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
        self._shown = Shown(Part.of(scene), Part.of({}))
        self._events: deque[tuple[str, str]] = deque(maxlen=LONGEST_GAP)  # frames, and the hash after each

    @property
    def scene(self) -> Scene:
        return self._shown.common.scene | self._shown.own.scene

    @property
    def hash(self) -> str:
        return self._shown.hash

    def look(self, seen: Seen, before: list[Told]) -> Told | None:
        """What this viewer is told of a row, after what it was told `before` in the same command; None: nothing."""
        shown, row = before[-1].shown if before else self._shown, seen.row
        shown, changed = seen.after(shown, self.seat)
        log = seen.log(self.seat)
        if not changed and not log:
            return None
        is_open = bool(log) or row.is_roll
        faces = [face for line in log for face in line["faces"]] if row.is_roll else []
        message = {
            "t": "ev", "ver": self.ver + len(before) + 1, "by": row.seat if is_open else None,
            "act": row.text if is_open and not row.is_roll else None, "ch": changed, "log": log,
            "roll": {"faces": faces} if row.is_roll else None, "hash": shown.hash,
            "actions": 1 if self.seat is not None and self.seat in seen.to_act else 0,
        }  # fmt: skip
        return Told(write(message), shown, log)

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
