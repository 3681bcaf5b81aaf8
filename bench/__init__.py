"""Named benchmarks. They belong to a checkout, so they find its sources from wherever `python -m bench.NAME` starts."""

import sys
from pathlib import Path

if (SOURCES := str(Path(__file__).parents[1] / "src")) not in sys.path:
    sys.path.insert(0, SOURCES)
