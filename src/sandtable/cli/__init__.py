"""The command `sandtable`: one file per group of commands, which parse and print and do nothing else."""

from __future__ import annotations

import argparse


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="sandtable")
    parser.parse_known_args(arguments)
    return 0
