"""A table's door for programs: the same words a browser's socket speaks, by plain requests and a cookie."""

from __future__ import annotations

import json
import time
from http.client import HTTPException
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from sandtable.protocol.errors import Refusal, SandtableError

TIMEOUT = 10.0  # seconds for one request
PATIENCE = 60.0  # seconds a server may be away
LONGEST = 4_000_000  # bytes of an answer
LOOPBACK = ("localhost", "127.0.0.1", "::1")

Answer = dict[str, Any]


class Refused(SandtableError):
    """The server says no; `.refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class Twins:
    """One guest at one table."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.table = parts.path.rstrip("/").rpartition("/")[2].upper()
        if parts.scheme not in ("http", "https") or not parts.netloc or not self.table:
            raise SandtableError(f"expected a table's link such as http://127.0.0.1:8844/t/K3V9X, found {url[:60]!r}")
        self._root = f"{parts.scheme}://{parts.netloc}"
        direct = [ProxyHandler({})] if parts.hostname in LOOPBACK else []
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()), *direct)

    def get(self, path: str, **query: Any) -> Answer:
        given = urlencode({name: value for name, value in query.items() if value is not None})
        return self._ask(Request(f"{self._root}{path}" + (f"?{given}" if given else "")))

    def post(self, path: str, **body: Any) -> Answer:
        headers = {"Content-Type": "application/json", "X-Sandtable": "1"}
        return self._ask(Request(self._root + path, json.dumps(body).encode(), headers))

    def at_table(self, what: str = "") -> str:
        return f"/api/tables/{quote(self.table, safe='')}/{what}"

    def _ask(self, request: Request) -> Answer:
        """The answer, however often the line breaks: every request may be sent again."""
        begun, pause = time.monotonic(), 0.5
        while True:
            try:
                return self._ask_once(request)
            except (URLError, HTTPException, OSError) as error:
                if time.monotonic() - begun > PATIENCE:
                    reason = getattr(error, "reason", error)
                    raise SandtableError(f"{self._root} does not answer ({reason})") from None
            time.sleep(pause)
            pause = min(2 * pause, 10.0)

    def _ask_once(self, request: Request) -> Answer:
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                return self._read(answer.read(LONGEST + 1))
        except HTTPError as error:
            with error:
                told = error.read(LONGEST)
            if error.code >= 500 and not told.startswith(b"{"):
                raise URLError(f"{error.code} {error.reason}") from None
            given = self._read(told)
            refusal = Refusal(*(str(given.get(name) or "")[:300] for name in ("code", "clause", "say")))
            raise Refused(refusal) from None

    def _read(self, told: bytes) -> Answer:
        try:
            given = json.loads(told) if len(told) <= LONGEST else None
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            raise SandtableError(f"{self._root} does not speak as a Sandtable server does")
        return given
