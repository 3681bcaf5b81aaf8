"""What each viewer of a table has been told: a scene, a gapless count, and the last events to make up for a gap."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from sandtable.protocol.events import Event
from sandtable.protocol.past import Row
from sandtable.protocol.position import Position
from sandtable.protocol.scene import Scene, changes, scene_hash
from sandtable.serve.messages import Message, write

LONGEST_GAP = 500  # events kept to make up for a lost line; beyond that a snapshot is sent
LONGEST_LOG = 200
LARGEST_GAP = 256 * 1024


@dataclass(frozen=True)
class Told:
    """One event as a viewer is told it, with the scene after it."""

    text: str  # the frame as it is sent
    hash: str
    scene: Scene
    log: list[Message]


def hex_hash(scene: Scene) -> str:
    return f"{scene_hash(scene):08x}"


def line_of(event: Event) -> Message:
    """An event as a line of the log."""
    return {
        "text": event.sentence, "clause": event.clause, "refs": list(event.refs), "faces": list(event.faces),
        "who": event.who, "name": event.name,
    }  # fmt: skip


@dataclass
class Viewer:
    """A seat, or an onlooker (None)."""

    seat: int | None
    scene: Scene
    ver: int = 0
    log: deque[Message] = field(default_factory=lambda: deque(maxlen=LONGEST_LOG))
    events: deque[Told] = field(default_factory=lambda: deque(maxlen=LONGEST_GAP))

    def look(self, position: Position, row: Row, events: list[Event], before: list[Told]) -> Told | None:
        """What this viewer is told of a row, after what it was told `before` in the same command; None: nothing."""
        scene = before[-1].scene if before else self.scene
        after = position.view(self.seat)
        changed = changes(scene, after)
        log = [line_of(event) for event in events if event.is_seen_by(self.seat)]
        if not changed and not log:
            return None
        is_open = bool(log) or row.is_roll
        faces = [face for line in log for face in line["faces"]] if row.is_roll else []
        digest = hex_hash(after)
        message = {
            "t": "ev", "ver": self.ver + len(before) + 1, "by": row.seat if is_open else None,
            "act": row.text if is_open and not row.is_roll else None, "ch": changed, "log": log,
            "roll": {"faces": faces} if row.is_roll else None, "hash": digest,
            "actions": self._actions(position),
        }  # fmt: skip
        return Told(write(message), digest, after, log)

    def _actions(self, position: Position) -> int:
        return 1 if self.seat is not None and self.seat in position.to_act else 0

    def accept(self, told: list[Told]) -> None:
        """These events are stored now."""
        for one in told:
            self.ver += 1
            self.scene = one.scene
            self.log.extend(one.log)
            self.events.append(one)

    def missed(self, have: int, digest: str) -> list[str] | None:
        """The frames after `have`, if the receiver had what we sent; None: it needs a snapshot."""
        gap = self.ver - have
        if not 0 <= gap <= len(self.events) or have == 0:
            return None
        known = self.events[-gap - 1].hash if gap < len(self.events) else ""
        if gap == 0 and digest != hex_hash(self.scene):
            return None
        if gap > 0 and digest != known:
            return None
        frames = [one.text for one in list(self.events)[len(self.events) - gap :]]
        return frames if sum(map(len, frames)) <= LARGEST_GAP else None

    def snapshot(self) -> str:
        return write(
            {"t": "snap", "ver": self.ver, "hash": hex_hash(self.scene), "scene": self.scene, "log": list(self.log)}
        )
