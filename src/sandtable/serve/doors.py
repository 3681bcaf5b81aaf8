"""The doors in the order a request meets them; the first one is also the last an answer passes."""

from __future__ import annotations

from starlette.middleware import Middleware

from sandtable.serve.bodies import Bodies
from sandtable.serve.config import Config
from sandtable.serve.headers import Headers
from sandtable.serve.limits import Limits, Turnstile
from sandtable.serve.origins import Gate, Origins

LARGE = frozenset({"/api/matches"})  # a whole match may be brought there


def doors(config: Config, origins: Origins, limits: Limits) -> list[Middleware]:
    """As Starlette's `middleware`."""
    return [
        Middleware(Headers, origins),
        Middleware(Gate, origins, bool(config.proxies)),
        Middleware(Turnstile, limits),
        Middleware(Bodies, LARGE),
    ]
