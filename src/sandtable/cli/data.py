"""`sandtable doctor`, `sandtable backup` and `sandtable restore`: the data folder of a server."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from sandtable.cli.parser import Commands, Parser, add_command, add_json

if TYPE_CHECKING:
    from sandtable.store.doctor import Report

DOCTOR = (
    "Plays every stored match again and checks rows, dice, results and the file itself. It changes nothing, and a "
    "server may run meanwhile. Exit code 1 if anything does not fit."
)
DOCTOR_EXAMPLES = """\
  sandtable doctor
  sandtable doctor --data /srv/sandtable --json
"""
BACKUP = "Copies all matches into one file, while a server runs or not. An older backup of that name gives way."
BACKUP_EXAMPLES = """\
  sandtable backup matches.db
  sandtable backup --data /srv/sandtable /mnt/backups/monday.db
"""
RESTORE = (
    "Puts a backup in the place of the matches in a data folder. No server may run there. What stood there is kept."
)
RESTORE_EXAMPLES = """\
  sandtable restore matches.db
  sandtable restore /mnt/backups/monday.db --data /srv/sandtable
"""


def add(commands: Commands) -> None:
    parser = add_command(commands, "doctor", doctor, "check every stored match", DOCTOR, DOCTOR_EXAMPLES)
    add_data(parser)
    add_json(parser)
    parser = add_command(commands, "backup", backup, "copy all stored matches to a file", BACKUP, BACKUP_EXAMPLES)
    parser.add_argument("file", metavar="FILE", help="the backup to write")
    add_data(parser)
    parser = add_command(commands, "restore", restore, "bring a backup back", RESTORE, RESTORE_EXAMPLES)
    parser.add_argument("file", metavar="FILE", help="a file written by `sandtable backup`")
    add_data(parser)


def add_data(parser: Parser) -> None:
    parser.add_argument(
        "--data", metavar="DIR", type=Path, help="the data folder (default: SANDTABLE_DATA, or the user's own)"
    )


def folder_of(wanted: argparse.Namespace) -> Path:
    """The data folder a command is about."""
    from sandtable.store.folder import default_folder

    named: Path | None = wanted.data
    return named.expanduser() if named else default_folder()


def doctor(wanted: argparse.Namespace) -> int:
    import asyncio
    from dataclasses import asdict

    report = asyncio.run(_examine(folder_of(wanted)))
    if wanted.json:
        print(json.dumps({"ok": report.ok, **asdict(report)}))
    else:
        print("\n".join(report.sentences))
    return 0 if report.ok else 1


async def _examine(data: Path) -> Report:
    import sandtable
    from sandtable.store.doctor import examine
    from sandtable.store.sqlite import SqliteStore

    store = await SqliteStore.look(data)
    try:
        return await examine(store, sandtable.game, await store.faults())
    finally:
        await store.close()


def backup(wanted: argparse.Namespace) -> int:
    from sandtable.store.backup import back_up

    target = Path(wanted.file).expanduser()
    back_up(folder_of(wanted), target)
    print(f"The matches of {folder_of(wanted)} are copied to {target}.")
    return 0


def restore(wanted: argparse.Namespace) -> int:
    from sandtable.store import backup
    from sandtable.store.folder import DataFolder

    source = Path(wanted.file).expanduser()
    with DataFolder.take(folder_of(wanted)) as folder:
        kept = backup.restore(source, folder)
    print(f"The matches of {source} are now those of {folder.path}.")
    if kept:
        print(f"What stood there before is kept in {kept}.")
    return 0
