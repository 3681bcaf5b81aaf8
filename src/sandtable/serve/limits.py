"""How much anybody may ask for: rates as token buckets, connections and tables as counts, machines by the second."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from sandtable.protocol.errors import Refusal
from sandtable.serve.buckets import Bucket, Buckets, Clock
from sandtable.serve.figures import Figures
from sandtable.serve.refusals import answer

LONGEST_WAIT_S = 3_600


class Socket:
    """One open socket in the counts, until it is closed."""

    def __init__(self, limits: Limits, guest: str, address: str) -> None:
        self._limits, self._keys = limits, (guest, address)
        self._messages = Bucket(limits.figures.socket_messages, limits.clock)

    def message(self) -> Refusal | None:
        """One more message of any kind came in."""
        return _take("messages", (self._messages.wait(),), self._messages.take)

    def close(self) -> None:
        """Once or more often."""
        keys, self._keys = self._keys, ("", "")
        if keys != ("", ""):
            self._limits.leave(*keys)


class Limits:
    """What one server counts. `clock` runs forward and is another one in tests."""

    def __init__(self, figures: Figures | None = None, clock: Clock = time.monotonic) -> None:
        self.figures = figures = figures or Figures()
        self.clock = clock
        self._guest_commands = Buckets(figures.guest_commands, clock)
        self._address_commands = Buckets(figures.address_commands, clock)
        self._requests = Buckets(figures.address_requests, clock)
        self._guesses = Buckets(figures.address_guesses, clock)
        self._newcomers = Buckets(figures.address_newcomers, clock)
        self._guest_tables = Buckets(figures.guest_tables, clock)
        self._address_tables = Buckets(figures.address_tables, clock)
        self._thinking = Buckets(figures.guest_thinking, clock)
        self._guest_sockets: Counter[str] = Counter()
        self._address_sockets: Counter[str] = Counter()

    def command(self, guest: str, address: str) -> Refusal | None:
        return _both("commands", (self._guest_commands, guest), (self._address_commands, address))

    def request(self, address: str) -> Refusal | None:
        return _both("requests", (self._requests, address))

    def newcomer(self, address: str) -> Refusal | None:
        """A guest who is about to be stored."""
        return _both("newcomers from your address", (self._newcomers, address))

    def table(self, guest: str, address: str, open_tables: int) -> Refusal | None:
        """One more table for a guest who has so many that are not over."""
        if open_tables >= self.figures.open_tables_a_guest:
            most = self.figures.open_tables_a_guest
            return Refusal("busy", "", f"You have {most} tables that are not over; end one of them first.")
        return _both("new tables", (self._guest_tables, guest), (self._address_tables, address))

    def guess(self, address: str) -> Refusal | None:
        """Before an ID is looked up for somebody who does not sit there; the same whether it exists or not."""
        return _refusal("unknown IDs", self._guesses.wait(address))

    def missed(self, address: str) -> None:
        """The ID was not there."""
        self._guesses.take(address)

    def think(self, guest: str) -> Refusal | None:
        """Before a machine thinks for this guest."""
        wait = self._thinking.wait(guest, 0.0)
        return _refusal("seconds of machines", wait)

    def thought(self, guest: str, seconds: float) -> None:
        self._thinking.take(guest, max(0.0, seconds))

    def enter(self, guest: str, address: str) -> Socket | Refusal:
        """A socket opens. Close what comes back, or it counts for ever."""
        figures = self.figures
        if self._guest_sockets[guest] >= figures.sockets_a_guest:
            return Refusal("busy", "", f"You have {figures.sockets_a_guest} connections open; close a tab first.")
        if self._address_sockets[address] >= figures.sockets_an_address:
            most = figures.sockets_an_address
            return Refusal("busy", "", f"There are {most} connections from your address; close one of them first.")
        self._guest_sockets[guest] += 1
        self._address_sockets[address] += 1
        return Socket(self, guest, address)

    def leave(self, guest: str, address: str) -> None:
        for counts, key in ((self._guest_sockets, guest), (self._address_sockets, address)):
            counts[key] -= 1
            if counts[key] <= 0:
                del counts[key]


class Turnstile:
    """Counts requests of /api and handshakes by address before anything else is done for them."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self._limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        counted = scope["type"] == "websocket" or (scope["type"] == "http" and scope["path"].startswith("/api/"))
        if counted and (refusal := self._limits.request(address_of(scope))):
            await answer(429, refusal)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def address_of(scope: Mapping[str, Any]) -> str:
    """Whom to count a connection for. A household with IPv6 has 2⁶⁴ addresses, so there it is the network."""
    client = scope.get("client")
    try:
        address = ipaddress.ip_address(str(client[0]).partition("%")[0] if client else "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.IPv6Network((address, 64), strict=False))
    return str(address)


def _both(what: str, *keyed: tuple[Buckets, str]) -> Refusal | None:
    """One from each, or from none."""

    def take() -> None:
        for buckets, key in keyed:
            buckets.take(key)

    return _take(what, tuple(buckets.wait(key) for buckets, key in keyed), take)


def _take(what: str, waits: tuple[float, ...], take: Callable[[], None]) -> Refusal | None:
    if not any(waits):
        take()
    return _refusal(what, max(waits))


def _refusal(what: str, wait: float) -> Refusal | None:
    if not wait:
        return None
    seconds = math.ceil(min(wait, LONGEST_WAIT_S))
    return Refusal("too_fast", "", f"Too many {what}; wait {seconds} second{'s' * (seconds > 1)}.")
