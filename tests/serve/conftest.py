"""What tests of the server share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.client import MEMORY


@pytest.fixture
def data() -> Iterator[Path]:
    """A place for data folders, in memory where the system has such: what syncs cost is measured elsewhere."""
    with tempfile.TemporaryDirectory(prefix="sandtable-", dir=MEMORY, ignore_cleanup_errors=os.name == "nt") as place:
        yield Path(place)
