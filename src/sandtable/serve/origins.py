"""Who may come in: names this server answers to, and pages whose scripts may talk to it.

A browser sends a page's origin along with what the page asks for, and the cookie of the server it asks. So a page
elsewhere could play with a guest's seats, unless everything that changes anything is asked for its origin.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from sandtable.protocol.errors import Refusal
from sandtable.serve.config import BadConfig, Config
from sandtable.serve.logs import log
from sandtable.serve.refusals import answer

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
DEFAULT_PORTS = {"http": 80, "https": 443}
PATTERN = re.compile(r"(https?)://(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([1-9][0-9]{0,4}))?")
AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::([0-9]{1,5}))?")
PROGRAM = "x-sandtable"  # no page elsewhere can send it without being allowed to first
FOREIGN = "A page of another site asked for this; open the table's own page."


@dataclass(frozen=True)
class Origin:
    """Scheme, host and port, as `str` written the way browsers write it: https://sand.example, http://[::1]:8844."""

    scheme: str
    host: str
    port: int

    @staticmethod
    def read(text: str) -> Origin | None:
        found = PATTERN.fullmatch(text.lower().removesuffix("/"))
        if found is None or (found[3] and int(found[3]) > 65_535):
            return None
        return Origin(found[1], found[2], int(found[3] or DEFAULT_PORTS[found[1]]))

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """As in a Host header."""
        return self.host if self.port == DEFAULT_PORTS[self.scheme] else f"{self.host}:{self.port}"

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

    @property
    def is_trusted(self) -> bool:
        """Whether a browser takes it for safe: what it gives no plain http page, it gives those of the own machine."""
        return self.is_secure or is_loopback(self.host)


class Origins:
    """The allow-list: exact, nothing is derived from what a request says."""

    def __init__(self, texts: Iterable[str], port: int) -> None:
        named = [read_origin(text) for text in texts]
        self.all = (*named, *(Origin("http", host, port) for host in LOOPBACK))
        self._texts = {str(origin) for origin in self.all}

    def allows(self, header: str) -> bool:
        return header in self._texts

    def reached(self, scope: Mapping[str, Any]) -> Origin | None:
        """The origin by which a request reached the server; None if the server does not answer to that name.

        The scheme comes from the list: no proxy can forget to say it, and nobody else can claim it.
        """
        hosts = Headers(scope=dict(scope)).getlist("host")
        found = AUTHORITY.fullmatch(hosts[0].lower()) if len(hosts) == 1 else None
        if found is None:
            return None
        for origin in self.all:
            port = int(found[2]) if found[2] else DEFAULT_PORTS[origin.scheme]
            if (origin.host, origin.port) == (found[1], port):
                return origin
        return None


class Gate:
    """Lets in what the allow-list allows; `scope["sandtable.origin"]` says by which origin it came."""

    def __init__(self, app: ASGIApp, origins: Origins, has_proxies: bool = False) -> None:
        self.app, self._origins = app, origins
        self._has_warned = has_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._has_warned and "x-forwarded-for" in headers:
            self._has_warned = True
            log("proxy_unknown", is_warning=True)  # every guest behind it counts as one address
        scope["sandtable.origin"] = self._origins.reached(scope)
        status, refusal = self._judge(scope, headers)
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            log("refused", code=refusal.code, status=status)
            await answer(status, refusal)(scope, receive, send)

    def _judge(self, scope: Scope, headers: Headers) -> tuple[int, Refusal | None]:
        if scope["sandtable.origin"] is None:
            return 421, Refusal("host", "", "This server does not go by that name; --origin tells it another one.")
        if scope["type"] == "websocket":
            return 403, None if self._is_own(headers, headers.get(PROGRAM) == "1") else Refusal("origin", "", FOREIGN)
        site = headers.get("sec-fetch-site")
        if scope["method"] in ("GET", "HEAD"):
            is_foreign = scope["path"].startswith("/api/") and site in ("cross-site", "same-site")
            return 403, Refusal("origin", "", FOREIGN) if is_foreign else None
        if scope["method"] != "POST":
            return 405, Refusal("method", "", "Only GET and POST are understood here.")
        if headers.get(PROGRAM) != "1":
            return 403, Refusal("header", "", "A POST needs the header X-Sandtable: 1.")
        if not self._is_own(headers, site is None):
            return 403, Refusal("origin", "", FOREIGN)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, Refusal("bad", "", "A POST needs the content type application/json.")
        return 200, None

    def _is_own(self, headers: Headers, may_be_absent: bool) -> bool:
        named = headers.getlist("origin")
        return self._origins.allows(named[0]) if len(named) == 1 else not named and may_be_absent


def read_origin(text: str) -> Origin:
    """An origin somebody typed."""
    origin = Origin.read(text)
    if origin is None:
        raise BadConfig(f"expected an origin like https://sand.example or http://192.168.1.7:8844, found {text[:60]!r}")
    return origin


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def check_listening(config: Config) -> None:
    """BadConfig if others could reach the server and nobody said by which name."""
    for text in config.origins:
        read_origin(text)
    if not config.origins and not is_loopback(config.host):
        raise BadConfig(
            f"listening on {config.host} lets others in: name the address they will type with "
            "--origin https://…, or use --lan for the local network"
        )
