"""What every room's tests share: how hard Hypothesis tries, and that a lane's kernels run on the side it is for."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

import sandtable

# The same examples every time, so that a red build is red for everybody.
settings.register_profile(
    "sandtable", derandomize=True, database=None, deadline=None, max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)  # fmt: skip
settings.register_profile("interpreted", parent=settings.get_profile("sandtable"), max_examples=25)
settings.register_profile("long", parent=settings.get_profile("sandtable"), max_examples=5000, derandomize=False)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE")
    or ("interpreted" if os.environ.get("SANDTABLE_COMPILE") == "0" else "sandtable")
)


def pytest_runtest_setup(item: Any) -> None:
    """Tests of kernels run compiled, except in the lane where the compiler is off."""
    if item.get_closest_marker("kernels"):
        for name in sandtable.games():
            sandtable.game(name).engine.compile()
