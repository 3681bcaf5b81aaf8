"""`sandtable serve`: the table in the browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from sandtable.cli.parser import Commands, add_command, count, number

MORE = (
    "People play in the browser, against machines and against each other. It listens on this machine only, unless told "
    "otherwise; docs/hosting.md is about servers for others. Ctrl-C ends it, and every match is kept."
)
EXAMPLES = """\
  sandtable serve --open                     for yourself, and open the browser
  sandtable serve --lan                      with friends in the same network
  sandtable serve --data /var/lib/sandtable --origin https://sand.example
"""
HIGHEST_PORT = 65_535


def add(commands: Commands) -> None:
    parser = add_command(commands, "serve", serve, "serve the table to browsers", MORE, EXAMPLES)
    parser.add_argument("--host", metavar="ADDRESS", help="the address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", metavar="N", type=port, help="the port (default: 8844 or the next free one; 0: any)")
    parser.add_argument("--data", metavar="DIR", help="where matches are kept (default: SANDTABLE_DATA, or your data)")
    parser.add_argument(
        "--origin", metavar="URL", action="append", default=[],
        help="an address browsers may come by, as they name it: https://sand.example; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--proxy", metavar="ADDRESS", action="append", default=[],
        help="a proxy whose word about its guests' addresses is believed; may be repeated",
    )  # fmt: skip
    parser.add_argument("--lan", action="store_true", help="also listen in the local network, and print the link")
    parser.add_argument("--workers", metavar="N", type=count, help="processes machines think in (default: 1 or 2)")
    parser.add_argument("--open", action="store_true", help="open the browser, where there is one")


def serve(wanted: argparse.Namespace) -> int:
    from sandtable.serve.config import Config
    from sandtable.serve.run import run
    from sandtable.store.folder import default_folder

    config = Config(
        data=(Path(wanted.data).expanduser() if wanted.data else default_folder()).absolute(),
        port=wanted.port,
        origins=tuple(wanted.origin),
        proxies=tuple(wanted.proxy),
        lan=wanted.lan,
        **({"host": wanted.host} if wanted.host else {}),
        **({"workers": wanted.workers} if wanted.workers else {}),
    )
    return run(config, wanted.open)


def port(text: str) -> int:
    """A port, or 0 for any."""
    value = number(text)
    if value > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to {HIGHEST_PORT}, found {text[:40]!r}")
    return value
