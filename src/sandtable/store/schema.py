"""The tables of the database, step by step.

`user_version` counts the steps a file has been through. A step that was released is never changed; a change is another
step at the end. The long texts stand last in a row: reading what stands before them does not touch their pages.
"""

from __future__ import annotations

APPLICATION = 0x53414E44  # "SAND", in the file's header: no other program's database is taken for ours

STEPS = (
    """
    CREATE TABLE tables (
        id           TEXT PRIMARY KEY,
        game         TEXT NOT NULL,
        scenario     TEXT NOT NULL,
        seats        TEXT NOT NULL,               -- JSON: [[kind, guest, player, seed], …]
        created_ms   INTEGER NOT NULL,
        host         TEXT NOT NULL,
        listed       INTEGER NOT NULL CHECK (listed IN (0, 1)),
        state        TEXT NOT NULL CHECK (state IN ('open', 'running', 'over', 'closed')),
        result       TEXT NOT NULL,
        rematch      TEXT NOT NULL,
        to_act       TEXT NOT NULL,               -- JSON: [seat, …]
        number       INTEGER NOT NULL DEFAULT 0,  -- entries so far: the number of the next one
        touched_ms   INTEGER NOT NULL,
        rules_version INTEGER NOT NULL,
        map_seed     INTEGER NOT NULL,
        machine_seed INTEGER NOT NULL,
        secret       TEXT NOT NULL,
        dice         TEXT NOT NULL,
        opened       INTEGER NOT NULL CHECK (opened IN (0, 1)),
        book         TEXT NOT NULL,
        start        TEXT NOT NULL
    );
    CREATE TABLE entries (
        table_id   TEXT NOT NULL REFERENCES tables (id),
        number     INTEGER NOT NULL CHECK (number >= 0),
        seat       INTEGER,
        command_id TEXT NOT NULL,
        rows       TEXT NOT NULL,                 -- JSON: [[seat, text, salt in hex], …]
        answer     TEXT NOT NULL,
        at_ms      INTEGER NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX commands ON entries (table_id, ifnull(seat, -1), command_id) WHERE command_id <> '';
    CREATE TABLE guests (
        token_hash TEXT PRIMARY KEY,
        name       TEXT NOT NULL,
        created_ms INTEGER NOT NULL
    ) WITHOUT ROWID;
    """,
)

VERSION = len(STEPS)
