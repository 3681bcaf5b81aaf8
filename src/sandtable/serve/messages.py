"""Every frame and body, as structs: what is read is checked while it is read, unknown fields are refused.

The JSON Schema of all of them is docs/protocol.schema.json; a test keeps it true.
"""

from __future__ import annotations

from typing import Any

import msgspec

Message = dict[str, Any]

PROTOCOL = 1
DEEPEST = 16


class Frame(msgspec.Struct, tag_field="t", forbid_unknown_fields=True, omit_defaults=False):
    """A message of the socket; `t` says which."""


# ---------------------------------------------------------------- from the client


class Hello(Frame, tag="hello"):
    p: int
    table: str
    ticket: str
    have: int = 0
    hash: str = ""
    client: str = ""


class Command(Frame, tag="cmd"):
    id: str
    act: str
    base: int = 0
    salt: str = ""


class AskOptions(Frame, tag="options"):
    at: str | None = None


class AskPreview(Frame, tag="preview"):
    act: str


class AskOverlay(Frame, tag="overlay"):
    which: str


class AskWhy(Frame, tag="why"):
    act: str


class Resync(Frame, tag="resync"):
    have: int = 0
    hash: str = ""


class Ping(Frame, tag="ping"):
    n: int = 0


Request = Hello | Command | AskOptions | AskPreview | AskOverlay | AskWhy | Resync | Ping
_decoder = msgspec.json.Decoder(Request)


# ---------------------------------------------------------------- bodies of POST


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """What a POST brings."""


class Name(Body):
    name: str


class NewTable(Body):
    game: str
    seats: list[str]
    scenario: str | None = None
    book: str | None = None
    set: dict[str, Any] = {}
    seed: int | None = None
    listed: bool = True


class Sit(Body):
    seat: int | None = None


class Listing(Body):
    listed: bool


class Absent(Body):
    seat: int
    do: str


class TwinCommand(Body):
    seat: int
    id: str
    act: str
    base: int = 0
    salt: str = ""


class Import(Body):
    text: str


class Empty(Body):
    """Nothing."""


BODIES = (Name, NewTable, Sit, Listing, Absent, TwinCommand, Import, Empty)


def read_frame(text: str) -> Request:
    """A frame from the client; ValueError with a sentence for anything else."""
    if depth(text) > DEEPEST:
        raise ValueError(f"nested deeper than {DEEPEST}")
    try:
        frame: Request = _decoder.decode(text)
        return frame
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise ValueError(str(error)) from None


def depth(text: str | bytes) -> int:
    """How deep brackets are nested at most; those inside strings count too, which errs on the safe side."""
    deepest = now = 0
    for sign in text if isinstance(text, str) else text.decode("latin-1"):
        if sign in "[{":
            now += 1
            deepest = max(deepest, now)
        elif sign in "]}":
            now -= 1
    return deepest


def write(message: dict[str, Any]) -> str:
    return msgspec.json.encode(message).decode()


def schema() -> dict[str, Any]:
    """JSON Schema of everything a client may send."""
    (_, *_), components = msgspec.json.schema_components((Request, *BODIES), ref_template="#/$defs/{name}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": components}
