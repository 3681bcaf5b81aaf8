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


# With real processes and real time: only with --deep until the table is finished.
SLOW = ("test_machines.py", "test_run.py", "test_kill.py", "test_stateful.py", "test_hostile.py", "test_day.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name in SLOW:
            item.add_marker("deep")
