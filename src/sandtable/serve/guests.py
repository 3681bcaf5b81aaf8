"""Guests: browsers without account, known by a cookie; their names; and tickets, with which they open a socket."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from starlette.requests import HTTPConnection

from sandtable.protocol.errors import Refusal
from sandtable.serve.buckets import Clock
from sandtable.serve.headers import COOKIES
from sandtable.serve.limits import Limits, address_of
from sandtable.serve.origins import Origin
from sandtable.serve.refusals import Refused
from sandtable.store.interface import Guest, Store

NAME = "sandtable_guest"
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")  # 256 bits
TOKENS = 4  # cookies know no ports: servers on one machine share one, each with a token of its own in it
AGE_S = 400 * 24 * 3_600  # browsers keep none longer
MOST_GUESTS, MOST_TICKETS = 20_000, 10_000
TICKET_S = 30.0
LONGEST_NAME, MOST_MARKS = 24, 4
# Letters by their class that show nothing: fillers, the blank Braille sign, the joiner that joins nothing.
INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10)}


class Guests:
    """Who asks. A token counts only if this server gave it; of those in use it keeps nothing but the SHA-256."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store, self._limits = store, limits
        self._known: OrderedDict[str, Guest] = OrderedDict()  # with `_new`, guests not stored yet
        self._new: set[str] = set()
        self._saving = asyncio.Lock()

    async def of(self, request: HTTPConnection) -> Guest:
        """The guest behind a request; a new one, with a cookie in the answer, where the cookie names none we gave.

        A guest is stored with the first POST, so that whoever only looks leaves nothing behind.
        """
        origin: Origin | None = request.scope.get("sandtable.origin")
        is_secure = origin is not None and origin.is_secure
        tokens = tokens_of(request.cookies, is_secure)
        guest = await self._find(tokens)
        if guest is None:
            token = secrets.token_urlsafe(32)
            guest = Guest(hash_of(token), "", time.time_ns() // 1_000_000)
            self._new.add(guest.token_hash)
            self._remember(guest)
            cookies: list[str] = request.scope.setdefault(COOKIES, [])
            cookies.append(cookie([token, *tokens][:TOKENS], is_secure))
        if request.scope.get("method") == "POST" and guest.token_hash in self._new:
            await self._keep(guest, address_of(request.scope))
        return self._known.get(guest.token_hash, guest)

    async def rename(self, guest: Guest, name: str) -> Guest:
        """`name` as it came from `read_name`."""
        async with self._saving:
            guest = replace(guest, name=name)
            await self._store.save_guest(guest)
            self._new.discard(guest.token_hash)
            self._remember(guest)
        return guest

    async def named(self, token_hash: str) -> str:
        """The name of somebody at a table; "" for none."""
        guest = self._known.get(token_hash) or await self._store.guest(token_hash)
        return guest.name if guest else ""

    def welcome(self, request: HTTPConnection) -> None:
        """On a page: the first cookie, or the one that is there for another 400 days."""
        origin: Origin | None = request.scope.get("sandtable.origin")
        is_secure = origin is not None and origin.is_secure
        tokens = tokens_of(request.cookies, is_secure)
        if not tokens:
            tokens = [secrets.token_urlsafe(32)]
            guest = Guest(hash_of(tokens[0]), "", time.time_ns() // 1_000_000)
            self._new.add(guest.token_hash)
            self._remember(guest)
        cookies: list[str] = request.scope.setdefault(COOKIES, [])
        cookies.append(cookie(tokens, is_secure))

    async def _find(self, tokens: Iterable[str]) -> Guest | None:
        hashes = [hash_of(token) for token in tokens]
        for token_hash in sorted(hashes, key=lambda known: known not in self._known):  # those at hand first
            guest = self._known.get(token_hash) or await self._store.guest(token_hash)
            if guest is not None and hmac.compare_digest(guest.token_hash, token_hash):
                self._remember(guest)
                return guest
        return None

    async def _keep(self, guest: Guest, address: str) -> None:
        async with self._saving:
            if guest.token_hash not in self._new:
                return  # another request of the same guest was faster
            if refusal := self._limits.newcomer(address):
                raise Refused(429, refusal)
            await self._store.save_guest(guest)
            self._new.discard(guest.token_hash)

    def _remember(self, guest: Guest) -> None:
        self._known[guest.token_hash] = guest
        self._known.move_to_end(guest.token_hash)
        if len(self._known) > MOST_GUESTS:
            forgotten, _ = self._known.popitem(last=False)
            self._new.discard(forgotten)  # not stored: gets a new cookie, and had nothing to lose


async def guest_of(request: HTTPConnection) -> Guest:
    guests: Guests = request.app.state.guests
    return await guests.of(request)


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def cookie(tokens: list[str], is_secure: bool) -> str:
    """The header that sets it. `__Host-`: only this host over https can have set it."""
    name, more = (f"__Host-{NAME}", "; Secure") if is_secure else (NAME, "")
    return f"{name}={'.'.join(tokens)}; Path=/; Max-Age={AGE_S}; HttpOnly; SameSite=Lax{more}"


def tokens_of(cookies: Mapping[str, str], is_secure: bool) -> list[str]:
    given = cookies.get(f"__Host-{NAME}" if is_secure else NAME, "").split(".", TOKENS)[:TOKENS]
    return [token for token in given if TOKEN.fullmatch(token)]


def read_name(text: str) -> str | Refusal:
    """A nickname fit to be shown to others: nothing in it turns text around, hides, or piles up."""
    if len(text) > 20 * LONGEST_NAME:
        return Refusal("bad", "", f"A name has at most {LONGEST_NAME} signs.")
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(sign)
        if kind in ("Zs", "Zl", "Zp") or sign in "\t\n\r":
            sign, kind = " ", "Zs"
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        is_seen = kind[0] != "C" and ord(sign) not in INVISIBLE
        if is_seen and marks <= MOST_MARKS and (kept or not marks):  # a mark needs a letter to sit on
            kept.append(sign)
    name = unicodedata.normalize("NFC", " ".join("".join(kept).split()))
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in name):
        return Refusal("bad", "", "A name needs at least one sign that can be seen.")
    if len(name) > LONGEST_NAME:
        return Refusal("bad", "", f"A name has at most {LONGEST_NAME} signs, this one has {len(name)}.")
    return name


@dataclass(frozen=True)
class Ticket:
    """What a ticket was given for."""

    guest: str  # token hash
    table: str
    seat: int | None
    until: float


class Tickets:
    """Good for one socket, within half a minute. In memory only: after a restart the client asks again."""

    def __init__(self, clock: Clock = time.monotonic, lasts_s: float = TICKET_S) -> None:
        self._clock, self._lasts_s = clock, lasts_s
        self._given: OrderedDict[str, Ticket] = OrderedDict()  # the first one ends first

    def give(self, guest: str, table: str, seat: int | None) -> str:
        now, text = self._clock(), secrets.token_urlsafe(32)
        while self._given and (len(self._given) >= MOST_TICKETS or next(iter(self._given.values())).until <= now):
            self._given.popitem(last=False)
        self._given[hash_of(text)] = Ticket(guest, table, seat, now + self._lasts_s)
        return text

    def take(self, text: str, table: str) -> Ticket | None:
        """What it was given for, once; None if it is unknown, used, too old, or for another table."""
        ticket = self._given.pop(hash_of(text), None) if TOKEN.fullmatch(text) else None
        return ticket if ticket is not None and ticket.until > self._clock() and ticket.table == table else None
