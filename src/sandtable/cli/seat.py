"""`sandtable seat`: a player of one's own at somebody's table, with what a browser gets and no more."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import time
from typing import TYPE_CHECKING, Any

from sandtable.cli.parser import Commands, add_command, number

if TYPE_CHECKING:
    from sandtable.ai.players import Player
    from sandtable.cli.twins import Twins
    from sandtable.protocol.position import Position

SOONEST, LATEST = 0.2, 2.0  # seconds between two looks while others act
LONGEST_NAME = 24
DONE = ("over", "closed")  # states of a table
ENDED = ("won", "drew", "lost")  # states of a seat
AGAIN = ("stale", "not_your_turn", "too_fast", "busy", "paused", "over")  # look again and see

MORE = "The link is the table's own. The player is told what the seat may see; Ctrl-C gives the seat back."
EXAMPLES = """\
  sandtable seat http://127.0.0.1:8844/t/K3V9X --player greedy
  sandtable seat https://example.org/t/K3V9X --player mybot.py:Bot
"""


def add(commands: Commands) -> None:
    parser = add_command(commands, "seat", seat, "let a player take a seat at a table", MORE, EXAMPLES)
    parser.add_argument("url", metavar="URL", help="the table's link")
    parser.add_argument("--player", metavar="PLAYER", required=True, help="greedy, random or FILE.py:CLASS")
    parser.add_argument("--seat", metavar="N", type=number, help="which (default: the first one open)")
    parser.add_argument("--name", metavar="NAME", help="what others read at the seat (default: the player's)")


def seat(wanted: argparse.Namespace) -> int:
    from sandtable.ai.players import find_player
    from sandtable.cli.twins import Twins

    player = find_player(wanted.player, secrets.randbits(32))
    twins = Twins(wanted.url)
    name = wanted.name or wanted.player.rpartition(":")[2]
    twins.get("/api/me")
    twins.post("/api/me", name=name[:LONGEST_NAME])
    taken = int(twins.post(twins.at_table("join"), seat=wanted.seat)["seat"])
    print(f"{name} sits at table {twins.table}, seat {taken}.", flush=True)
    is_over = False
    try:
        print(Guest(twins, player, taken).play())
        is_over = True
    finally:
        if not is_over:
            with contextlib.suppress(Exception):
                twins.post(twins.at_table("leave"))
    return 0


class Guest:
    """A player at a seat, one look and one action at a time."""

    def __init__(self, twins: Twins, player: Player, seat: int) -> None:
        self.twins, self.player, self.seat = twins, player, seat

    def play(self) -> str:
        """To the end; the sentence about it."""
        pause = SOONEST
        while True:
            view = self.twins.get(self.twins.at_table("view"), seat=self.seat)
            scene = view["scene"]
            if view.get("state") in DONE or any(
                value.get("state") in ENDED for key, value in scene.items() if key.startswith("seat/")
            ):
                return str(scene.get("ask", {}).get("text") or "The table was closed.")
            position = self._position(view) if scene.get("ask", {}).get("act") else None
            if position is not None and self.seat in position.to_act and self._act(position, int(view["ver"])):
                pause = SOONEST
            else:
                time.sleep(pause)
                pause = min(1.3 * pause, LATEST)

    def _position(self, view: dict[str, Any]) -> Position:
        import sandtable
        from sandtable.store.matches import read_book

        game = sandtable.game(view["game"])
        return game.read(view["position"], book=read_book(view["book"], game))

    def _act(self, position: Position, base: int) -> bool:
        """One action, if the table takes it; False: look again later."""
        from sandtable.cli.players import choose
        from sandtable.cli.twins import Refused
        from sandtable.protocol.errors import Refusal, SandtableError

        text = choose(self.player, position, self.seat)
        if refusal := position.why_not(text, self.seat):
            raise SandtableError(f"{type(self.player).__name__} answered {text[:40]!r}: {refusal}")
        command = {"id": secrets.token_hex(13), "base": base, "act": text, "salt": secrets.token_hex(16)}
        try:
            answer = self.twins.post(self.twins.at_table("cmd"), seat=self.seat, **command)
        except Refused as error:
            answer = {"t": "nak", "code": error.refusal.code, "clause": "", "say": error.refusal.sentence}
        if answer.get("t") == "nak":
            if answer.get("code") in AGAIN:
                return False
            raise Refused(Refusal(str(answer.get("code")), str(answer.get("clause") or ""), str(answer.get("say"))))
        print(text, flush=True)
        return True
