"""The real server as a process: `python wide.py DATA [narrow] [workers=N]`.

Without `narrow` it has no limits worth the name; without `workers` machine seats play some legal action at once.
"""

from __future__ import annotations

import sys
from pathlib import Path

from starlette.applications import Starlette

from sandtable.serve.app import make_app
from sandtable.serve.config import Config
from sandtable.serve.figures import Figures
from sandtable.serve.machines import Machines
from sandtable.serve.run import run
from sandtable.store.folder import DataFolder
from tests.serve.client import NoWorkers

if __name__ == "__main__":  # its workers import this file again
    words = sys.argv[2:]
    workers = next((int(word[8:]) for word in words if word.startswith("workers=")), 0)
    limits = Figures() if "narrow" in words else Figures.wide()

    def make(config: Config, folder: DataFolder) -> Starlette:
        return make_app(config, folder, Machines(workers) if workers else NoWorkers())

    sys.exit(run(Config(Path(sys.argv[1]), port=0, limits=limits), make_app=make))
