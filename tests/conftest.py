"""What every room's tests share: how hard Hypothesis tries, and which of the two sides of a kernel can be had here."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# The same examples every time, so that a red build is red for everybody; tests marked deep ask for more by themselves.
settings.register_profile(
    "sandtable", derandomize=True, database=None, deadline=None, max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)  # fmt: skip
settings.register_profile("interpreted", parent=settings.get_profile("sandtable"), max_examples=25)
settings.load_profile("interpreted" if os.environ.get("SANDTABLE_COMPILE") == "0" else "sandtable")
