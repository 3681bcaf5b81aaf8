"""What can go wrong with stored matches: each has a code for programs and a sentence for people."""

from __future__ import annotations

from typing import ClassVar

from sandtable.protocol import errors


class StoreError(errors.SandtableError):
    """The storage could not do it. Nothing of it was stored."""

    code: ClassVar[str] = "internal"


class Conflict(StoreError):
    """What was to be stored does not fit what is there: another number is next, or this name is taken."""

    code = "conflict"


class Unknown(StoreError, errors.Unknown):
    """No table of this ID. Unlike the protocol's, the sentence never lists the names there are."""

    code = "unknown"

    def __init__(self, table_id: str) -> None:
        errors.SandtableError.__init__(self, f"There is no table {table_id[:12]!r}.")


class Closed(StoreError):
    """The store was closed and takes nothing more."""

    code = "gone"


class Damaged(StoreError):
    """What is on the disk cannot be read back."""

    code = "damaged"


class Newer(StoreError):
    """A newer version of the program wrote this; to go on here could spoil it."""

    code = "newer"


class Unfit(StoreError):
    """A folder that nothing should be stored in."""

    code = "unfit"
