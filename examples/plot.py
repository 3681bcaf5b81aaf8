"""How long games last: a plot in letters of 2,000 random games under two books."""

import numpy as np

import sandtable

game = sandtable.game("tactics")
for book in ("standard", "slow-start"):
    batch = game.batch(2000, "random", seed=1, book=book).play_out("random", "random")
    counts, edges = np.histogram(batch.plies, bins=12, range=(0, 600))
    print(f"{book}: {batch.plies.mean():.0f} actions a game, first seat wins {(batch.places[:, 0] == 1).mean():.0%}")
    for count, edge in zip(counts, edges, strict=False):
        print(f"{edge:5.0f} {'#' * round(60 * count / counts.max())}")
