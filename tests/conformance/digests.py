"""Golden digests: what seeded games of every game end in, to the byte. `python -m tests.conformance.digests` writes
them anew; a change of them is a change of play and moves the game's rules_version."""

from __future__ import annotations

import tomllib
from pathlib import Path

from sandtable.kit.digest import digest_bytes
from sandtable.protocol.batch import Batch
from sandtable.protocol.game import Game

FILE = Path(__file__).with_name("digests.toml")
STYLES = ("random", "listing", "greedy")
GAMES = 1  # of each scenario, style and number of seats: the interpreted lane plays them too
MANY = 500  # the same, in the compiled lanes alone
SEED = 2024

HEAD = """\
# What seeded games end in: a digest over final positions, places, reasons and plies of {games} game (and of {many}),
# dealt from seed {seed}, every seat played by the same scripted player. Equal in all lanes and on every machine.
# Written by `python -m tests.conformance.digests`.
"""


def digest(batch: Batch) -> str:
    arrays = (batch.positions, batch.places, batch.reasons, batch.plies)
    return digest_bytes(*(array.tobytes() for array in arrays))


def batches(game: Game, count: int) -> dict[str, Batch]:
    """Every line-up, not yet played out."""
    return {
        f"{scenario}-{seats}-{style}": game.batch(count, scenario, seed=SEED, seats=seats)
        for scenario in game.scenarios for seats in game.traits.seats for style in STYLES
    }  # fmt: skip


def played_out(name: str, batch: Batch) -> Batch:
    style = name.rpartition("-")[2]
    return batch.play_out(*[style] * batch.seats)


def golden(game_name: str) -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, dict[str, str]]] = tomllib.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    return table.get(game_name, {})


def write() -> None:
    from tests.conformance.games import GAMES as ALL_GAMES

    lines = [HEAD.format(games=GAMES, many=MANY, seed=SEED)]
    for game_name, game in ALL_GAMES.items():
        for size, count in (("few", GAMES), ("many", MANY)):
            lines.append(f"[{game_name}.{size}]")
            lines += [f'{name} = "{digest(played_out(name, batch))}"' for name, batch in batches(game, count).items()]
            lines.append("")
    FILE.write_text("\n".join(lines).rstrip("\n") + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    write()
