"""How a server is set up: one value, made by the command line and handed to whatever needs it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from sandtable.protocol.errors import SandtableError
from sandtable.serve.figures import Figures

PORT = 8844  # nobody else's as far as known; the next ones are tried when it is taken
WEB = Path(__file__).parents[1] / "web"


class BadConfig(SandtableError):
    """A server cannot be set up like that; the sentence says why, and how it can."""


@dataclass(frozen=True)
class Config:
    """`port` and `origins` are what was asked for; once the server listens, run.py puts in what became of it."""

    data: Path
    host: str = "127.0.0.1"
    port: int | None = None  # None: PORT or the next free one; 0: any free one
    origins: tuple[str, ...] = ()  # as a browser names them: https://sand.example
    proxies: tuple[str, ...] = ()  # addresses whose X-Forwarded-For and -Proto are believed
    lan: bool = False  # also on this machine's addresses in the local network
    limits: Figures = field(default_factory=Figures)
    workers: int = max(1, min(2, (os.cpu_count() or 2) - 1))  # processes in which machines think
    sync_delay_ms: float = 0.0  # plays a slow disk, for measurements
    web: Path = WEB

    @property
    def is_secure(self) -> bool:
        """Whether guests come by https only. Cookies go by the request's own origin, see origins.py."""
        return bool(self.origins) and all(origin.startswith("https://") for origin in self.origins)
