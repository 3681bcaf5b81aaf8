"""The command `sandtable`: one file per group of commands, which parse and print and do nothing else.

Exit codes: 0 done, 1 a check failed, 2 bad input (one sentence on stderr), 130 stopped by Ctrl-C.
Nothing is imported before a command needs it, so that help and mistakes are answered at once.
"""

from __future__ import annotations

import os
import sys

from sandtable.cli.parser import build, command_of

OK, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
LONGEST = 500  # signs of a sentence


def main(arguments: list[str] | None = None) -> int:
    """Run one command; what a shell is told."""
    given = sys.argv[1:] if arguments is None else arguments
    _forgive_signs()
    try:
        parser = build()
        if not given:
            parser.print_help()
            return OK
        wanted = parser.parse_args(given)
        code: int = wanted.run(wanted)
        if sys.stdout is not None:  # None where it was closed before the start
            sys.stdout.flush()
        return code
    except SystemExit as done:  # argparse has said what there was to say
        return done.code if isinstance(done.code, int) else OK
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # `sandtable rules tactics | head`: the reader has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        return _refuse(given, f"{error.filename or 'the system'}: {error.strerror or error}")
    except Exception as error:
        from sandtable.protocol.errors import SandtableError

        if not isinstance(error, SandtableError):
            raise
        return _refuse(given, str(error))


def _refuse(given: list[str], sentence: str) -> int:
    """One sentence; what a person or a file called something cannot move the cursor or fill the screen."""
    printable = "".join(sign if sign.isprintable() else " " for sign in sentence)
    print(f"{command_of(given)}: {printable[:LONGEST]}", file=sys.stderr)
    return BAD_INPUT


def _forgive_signs() -> None:
    """A terminal shows a question mark for a sign it does not have; bytes that are no text are read all the same."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
