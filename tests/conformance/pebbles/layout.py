"""Records and names of Pebbles."""

import numpy as np

from sandtable.protocol.records import work_fields

SIDES = ("red", "green", "blue")
RUNNING, LAST_TAKEN, CONCEDED = range(3)
REASONS = ("", "last_taken", "conceded")
TAKE = 1  # the only kind of action; `arg` is how many
LONGEST_LIST = 8

POSITION = np.dtype(
    (
        np.record,
        [
            ("heap", "u1"),
            ("seats", "u1"),
            ("mover", "u1"),  # whose turn; when it is over, who did it
            ("reason", "u1"),  # RUNNING and so on
        ],
    )
)
BOOK = np.dtype((np.record, [("heap", "u1"), ("most_taken", "u1")]))
WORK = np.dtype((np.record, work_fields(4, LONGEST_LIST)))
