"""Cookies, names and tickets: who is who, and that nobody becomes somebody else."""

from __future__ import annotations

import asyncio
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandtable.protocol.errors import Refusal
from sandtable.serve import guests as module
from sandtable.serve.config import Config
from sandtable.serve.doors import doors
from sandtable.serve.figures import Figures, Rate
from sandtable.serve.guests import Guests, Tickets, guest_of, hash_of, read_name
from sandtable.serve.limits import Limits
from sandtable.serve.origins import Origins
from sandtable.serve.refusals import Refused, answer_refused
from tests.serve.asgi import OWN, PROGRAM, Answer, ask
from tests.store.memory import Contents, MemoryStore


async def me(request: Request) -> Response:
    guest = await guest_of(request)
    if request.method == "POST":
        guest = await request.app.state.guests.rename(guest, f"{guest.name}!")
    return JSONResponse({"hash": guest.token_hash, "name": guest.name})


def server(contents: Contents, figures: Figures | None = None, port: int = 8844) -> Starlette:
    limits, origins = Limits(figures), Origins(["https://sand.example"], port)
    app = Starlette(
        routes=[Route("/api/me", me, methods=["GET", "POST"])],
        middleware=doors(Config(Path()), origins, limits),
        exception_handlers={Refused: answer_refused},
    )
    app.state.guests = Guests(MemoryStore(contents), limits)
    return app


@pytest.fixture
def contents() -> Contents:
    return Contents()


def get(app: Starlette, cookie: str = "", **more: Any) -> Answer:
    return ask(app, "/api/me", headers={"cookie": cookie} if cookie else {}, **more)


def post(app: Starlette, cookie: str = "", **more: Any) -> Answer:
    return ask(app, "/api/me", "POST", {**PROGRAM, **({"cookie": cookie} if cookie else {})}, b"{}", **more)


def value(answer: Answer) -> str:
    """What a browser sends back."""
    (line,) = answer.all("set-cookie")
    return line.partition(";")[0]


def test_a_newcomer_gets_a_cookie_and_stays_the_same(contents: Contents) -> None:
    app = server(contents)
    first = get(app)
    (line,) = first.all("set-cookie")
    name, _, token = value(first).partition("=")
    assert name == "sandtable_guest"
    assert len(token) == 43
    assert line.split("; ")[1:] == ["Path=/", "Max-Age=34560000", "HttpOnly", "SameSite=Lax"]
    again = get(app, value(first))
    assert again.json == first.json
    assert not again.all("set-cookie")
    assert first.json["hash"] == hash_of(token)


def test_over_https_the_cookie_is_bound_to_the_host(contents: Contents) -> None:
    app = server(contents)
    first = get(app, host="sand.example")
    (line,) = first.all("set-cookie")
    assert line.startswith("__Host-sandtable_guest=")
    assert line.endswith("; Secure")
    plain = value(first).removeprefix("__Host-")
    assert get(app, plain, host="sand.example").all("set-cookie")  # one without the prefix counts for nothing there
    assert not get(app, value(first), host="sand.example").all("set-cookie")


def test_whoever_only_looks_leaves_nothing_behind(contents: Contents) -> None:
    app = server(contents)
    cookie = value(get(app))
    assert not contents.guests
    post(app, cookie)
    assert list(contents.guests) == [hash_of(cookie.partition("=")[2])]


def test_tokens_are_nowhere_in_the_storage(contents: Contents) -> None:
    app = server(contents)
    token = value(post(app)).partition("=")[2]
    assert contents.guests
    assert token not in repr(contents)


def test_a_stored_guest_is_known_after_a_restart_and_one_who_only_looked_is_new(contents: Contents) -> None:
    app = server(contents)
    looked, played = value(get(app)), value(post(app))
    app = server(contents)
    assert get(app, played).json["name"] == "!"
    assert get(app, looked).all("set-cookie")


@pytest.mark.parametrize(
    "token", ["", "x", "A" * 42, "A" * 43, "A" * 44, "A" * 5_000, "ä" * 43, "." * 300, "A" * 42 + "'", "\x00" * 43]
)
def test_only_tokens_we_gave_count(contents: Contents, token: str) -> None:
    """Else one could be slipped to somebody, and used together with him."""
    app = server(contents)
    answer = post(app, f"sandtable_guest={token}")
    assert answer.status == 200
    assert answer.json["hash"] != hash_of(token)
    assert value(answer).partition("=")[2].split(".")[0] != token


def test_two_servers_on_one_machine_share_a_cookie_and_keep_their_guests(contents: Contents) -> None:
    other = Contents()
    here, there = server(contents), server(other)
    cookie = value(post(here))
    mine = get(here, cookie).json
    cookie = value(post(there, cookie))  # the other server adds its own token
    assert get(here, cookie).json == mine
    assert get(here, cookie).all("set-cookie") == []
    theirs = get(there, cookie).json
    assert theirs["hash"] != mine["hash"]
    here, there = server(contents), server(other)
    assert (get(here, cookie).json, get(there, cookie).json) == (mine, theirs)


def test_tokens_in_a_cookie_do_not_pile_up(contents: Contents) -> None:
    cookie = ""
    for _ in range(10):
        cookie = value(get(server(Contents()), cookie))
    assert len(cookie.partition("=")[2].split(".")) == 4


def test_newcomers_from_one_address_are_rate_limited(contents: Contents) -> None:
    app = server(contents, Figures(address_newcomers=Rate(3, 0.001)))
    assert [post(app).status for _ in range(5)] == [200, 200, 200, 429, 429]
    assert post(app).code == "too_fast"
    assert post(app, client=("192.0.2.9", 1)).status == 200
    assert len(contents.guests) == 4


def test_requests_at_once_store_a_guest_once_and_never_lose_his_name(contents: Contents) -> None:
    app = server(contents)

    async def scene() -> None:
        guests: Guests = app.state.guests
        scope = {"type": "http", "method": "GET", "headers": [], "app": app}
        guest = await guests.of(Request(scope))
        token = scope["sandtable.cookies"][0].partition("=")[2].partition(";")[0]  # type: ignore[index]
        headers = [(b"cookie", f"sandtable_guest={token}".encode())]
        requests = [Request({"type": "http", "method": "POST", "headers": headers, "app": app}) for _ in range(8)]

        async def named(request: Request) -> None:
            await guests.rename(await guests.of(request), "Ada")

        await asyncio.gather(
            *(guests.of(request) for request in requests[:4]),
            named(requests[4]),
            *(guests.of(request) for request in requests[5:]),
        )
        assert (await guests.of(requests[0])).name == "Ada"
        assert contents.guests[guest.token_hash].name == "Ada"
        assert await guests.named(guest.token_hash) == "Ada"

    asyncio.run(scene())


def test_a_crowd_of_lookers_does_not_fill_the_memory(contents: Contents, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GUESTS", 10)
    app = server(contents, Figures.wide())
    for _ in range(30):
        get(app)
    assert len(app.state.guests._known) == len(app.state.guests._new) == 10


# ---- names


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ada", "Ada"),
        ("  Ada \t  of\nLovelace ", "Ada of Lovelace"),
        ("A\u0308da", "Äda"),
        ("A\u202eda\u2066", "Ada"),  # turned around
        ("A\u200bd\u200d\ufeffa\u00ad", "Ada"),  # zero-width
        ("A\x00\x1bd\x7fa\x9b", "Ada"),
        ("A\U000e0041da\ufe0f\u3164", "Ada"),
        ("Z" + "\u0300" * 40, "Z" + "\u0300" * 4),
        ("\u0301Ada", "Ada"),
        ("<img src=x onerror=1>", "<img src=x onerror=1>"),  # data, shown as text
        ("نور", "نور"),
        ("हिन्दी", "हिन्दी"),
        ("李清照", "李清照"),
        ("♜", "♜"),
    ],
)
def test_names_are_cleaned(typed: str, name: str) -> None:
    assert read_name(typed) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "typed", ["", "   ", "\u200b", "\u3164\u2800", "\u0301", "\u202e \u2066", "x" * 25, "x" * 100_000, "ab " * 9]
)
def test_names_that_cannot_be_shown_are_refused(typed: str) -> None:
    refusal = read_name(typed)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad"
    assert refusal.sentence.startswith("A name ")


@given(st.text(max_size=60))
def test_a_name_is_short_visible_and_stays_what_it_is(typed: str) -> None:
    name = read_name(typed)
    if isinstance(name, str):
        assert 1 <= len(name) <= 24
        assert name == name.strip() == unicodedata.normalize("NFC", name) == read_name(name)
        assert not any(unicodedata.category(sign)[0] == "C" for sign in name)


# ---- tickets


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_ticket_is_good_once_for_its_table_within_half_a_minute() -> None:
    clock = Clock()
    tickets = Tickets(clock)
    text = tickets.give("ada", "K3V9X", 1)
    ticket = tickets.take(text, "K3V9X")
    assert ticket is not None
    assert (ticket.guest, ticket.table, ticket.seat) == ("ada", "K3V9X", 1)
    assert tickets.take(text, "K3V9X") is None
    text = tickets.give("ada", "K3V9X", None)
    clock.now += 29.9
    assert tickets.take(text, "K3V9X") is not None
    text = tickets.give("ada", "K3V9X", None)
    clock.now += 30
    assert tickets.take(text, "K3V9X") is None
    text = tickets.give("ada", "K3V9X", 0)
    assert tickets.take(text, "OTHER") is None
    assert tickets.take(text, "K3V9X") is None  # shown at the wrong door it is used up
    assert tickets.take("x" * 43, "K3V9X") is None
    assert tickets.take("", "K3V9X") is None


def test_tickets_do_not_pile_up() -> None:
    clock = Clock()
    tickets = Tickets(clock)
    for _ in range(100):
        clock.now += 1
        tickets.give("ada", "K3V9X", 0)
    assert len(tickets._given) <= 31
    for _ in range(module.MOST_TICKETS + 10):
        tickets.give("ada", "K3V9X", 0)
    assert len(tickets._given) == module.MOST_TICKETS


def test_the_own_origin_is_needed_to_become_somebody(contents: Contents) -> None:
    app = server(contents)
    assert ask(app, "/api/me", "POST", {**PROGRAM, "origin": "https://evil.example"}).status == 403
    assert ask(app, "/api/me", "POST", {**PROGRAM, "origin": OWN}).status == 200
