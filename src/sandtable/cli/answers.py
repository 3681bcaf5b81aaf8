"""What a person at a table may type beside actions: a method for each word of typed.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sandtable.cli import options, typed
from sandtable.cli.files import read_match, write_match
from sandtable.cli.rulebook import clause_text, sections

if TYPE_CHECKING:
    from sandtable.cli.table import Table


class Answers:
    """The words of one person, who sits at a seat of a table."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.say, self.lines = table.screen.say, table.screen.lines

    def answer(self, word: str, rest: str) -> None:
        getattr(self, f"do_{word}")(rest)

    # ---- what may be done

    def do_help(self, rest: str) -> None:
        position = self.table.position
        if position.outcome is not None:
            self.say("`save FILE` keeps the match, `last` tells what happened, `rules` reads the rules, `quit` leaves.")
            return
        source, action = options.example(position, self.seat)
        self.lines(typed.help_lines(source, action, position.game.letter, position.game.traits.overlays))
        self.say(f"Anything else is an action as the game writes it, now for example: {action}")

    def do_moves(self, rest: str) -> None:
        position = self.table.position
        if not rest:
            if counts := options.counts(position, self.seat):
                self._show(counts)
            self.lines(options.listed(position, self.seat))
            return
        key = options.source_named(position, self.seat, rest)
        if key is None:
            names = ", ".join(map(options.name_of, position.sources(self.seat)))
            self.say(f"Nothing can be done from {rest!r} now; something can from: {names}")
            return
        actions = position.actions_from(key, self.seat)
        self._show(options.targets(position, self.seat, actions))
        self.say(f"From {options.name_of(key)}: {', '.join(actions)}")

    def do_odds(self, rest: str) -> None:
        position = self.table.position
        action = rest or options.example(position, self.seat)[1]
        if refusal := position.why_not(action, self.seat):
            self.say(str(refusal))
            return
        self.say(f"After {action}:")
        self.lines(options.odds(position, self.seat, action))
        self.say(*options.overlays_after(position, self.seat, action))

    def do_why(self, rest: str) -> None:
        refusal = self.table.position.why_not(rest, self.seat)
        self.say(str(refusal) if refusal else f"{rest} is allowed.")

    def overlay(self, which: str) -> None:
        shown = self.table.position.overlay(which, self.seat)
        self._show(options.overlay_marks(shown))
        self.say(f"{which.capitalize()}: {options.told(shown) if shown else 'none'}")

    # ---- setting up

    def do_list(self, rest: str) -> None:
        """What is left of the palette."""
        left = self._left()
        if not left:
            self.say("Nothing is left to place; `moves` lists what you may do.")
            return
        self.lines(f"  {one['sign']:<3} {one['kind']}: {one['left']}" for one in left)
        self.say(f"`moves {left[0]['sign']}` shows where, `random` places all of it by chance.")

    def do_random(self, rest: str) -> None:
        from sandtable.ai.players import find_player
        from sandtable.cli.players import choose

        table = self.table
        if not self._left():
            self.say("`random` places what is left while you set up; nothing is left to place.")
            return
        player = find_player("random", table.seed + len(table.position.rows))
        while self.seat in table.position.to_act and self._left():
            table.act(choose(player, table.position, self.seat), self.seat)

    def _left(self) -> list[dict[str, Any]]:
        """The entries of the palette of which something is left."""
        entries = [value for key, value in self.table.scene.items() if key.startswith("palette/")]
        return [entry for entry in entries if entry.get("left", 1)]

    # ---- looking back

    def do_last(self, rest: str) -> None:
        told = self.table.last(self.seat)
        for event in told:
            self.say(event.sentence)
        if not told:
            self.say("Nothing has happened yet.")

    def do_board(self, rest: str) -> None:
        self._show({})

    def do_undo(self, rest: str) -> None:
        position = self.table.position
        position.undo(self.seat)
        row = int(position.rows[-1].text.split()[-1])
        self.table.is_drawn = False
        self.say(f"Taken back: {position.rows[row].text}")

    # ---- reading and writing

    def do_rules(self, rest: str) -> None:
        game = self.table.position.game
        text = game.rules_text()
        if rest:
            self.lines(clause_text(text, rest).splitlines())
        else:
            self.lines(f"  {section}" for section in sections(text))
            self.say(f"`rules {game.letter}1` reads a section, `rules {game.letter}1.1` a clause.")

    def do_save(self, rest: str) -> None:
        if not rest:
            self.say("Say where: `save FILE`.")
            return
        path = write_match(rest, self.table.position.match())
        self.say(f"Saved: {path}")

    def do_load(self, rest: str) -> None:
        from sandtable.cli.play import resumed

        if not rest:
            self.say("Say which: `load FILE`.")
            return
        position = resumed(read_match(rest))
        if position.seats != len(self.table.names) or position.game is not self.table.position.game:
            self.say("That match is of another game or for other seats: `sandtable play --load FILE` opens it.")
            return
        self.table.sit_at(position)
        self.say(f"Loaded: {rest}")

    def _show(self, marks: dict[str, str]) -> None:
        self.table.screen.board(self.table.scene, marks)
