"""Who may come in: foreign, null, absent and look-alike origins, other names, other methods, and where we listen."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from sandtable.serve.config import BadConfig, Config
from sandtable.serve.origins import Gate, Origin, Origins, check_listening, is_loopback
from tests.serve.asgi import HOST, OWN, PROGRAM, Answer, ask

FOREIGN = [
    "https://evil.example",
    "null",
    "",
    "http://127.0.0.1",
    "http://127.0.0.1:8845",
    "https://127.0.0.1:8844",
    "http://127.0.0.1:8844.evil.example",
    "http://127.0.0.1:88440",
    "http://127.0.0.1:8844/",
    "http://127.0.0.1:8844@evil.example",
    "http://localhost.evil.example:8844",
    "http://user@localhost:8844",
    "HTTP://LOCALHOST:8844",
    "http://sand.example",
    "https://sand.example:8844",
    "https://sand.example.evil.example",
    "https://notsand.example",
    "https://xn--snd-5na.example",
    "file://",
]
OWN_ONES = [OWN, "http://localhost:8844", "http://[::1]:8844", "https://sand.example"]


async def inside(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await PlainTextResponse(str(scope["sandtable.origin"]))(scope, receive, send)


APP = Gate(inside, Origins(["https://sand.example"], 8844))


def post(**headers: str) -> Answer:
    return ask(APP, "/api/me", "POST", {**PROGRAM, **{name.replace("_", "-"): text for name, text in headers.items()}})


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_page_gets_no_further(origin: str) -> None:
    answer = post(origin=origin)
    assert (answer.status, answer.code) == (403, "origin")
    answer = ask(APP, "/ws", kind="websocket", headers={"origin": origin})
    assert (answer.status, answer.code, answer.accepted) == (403, "origin", False)
    answer = ask(APP, "/ws", kind="websocket", headers={"origin": origin, "x-sandtable": "1"})
    assert answer.status == 403


@pytest.mark.parametrize("origin", OWN_ONES)
def test_our_own_pages_do(origin: str) -> None:
    assert post(origin=origin, sec_fetch_site="same-origin").status == 200
    assert ask(APP, "/ws", kind="websocket", headers={"origin": origin}).accepted


def test_programs_send_no_origin() -> None:
    assert post().status == 200
    assert ask(APP, "/ws", kind="websocket", headers={"x-sandtable": "1"}).accepted
    assert ask(APP, "/ws", kind="websocket").status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "same-origin", "none"])
def test_browsers_do(site: str) -> None:
    assert post(sec_fetch_site=site).status == 403


def test_two_origins_are_none() -> None:
    given = [*PROGRAM.items(), ("origin", OWN), ("origin", "https://evil.example")]
    assert ask(APP, "/api/me", "POST", given).status == 403


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"content-type": "application/json"}, 403, "header"),
        ({"content-type": "application/json", "x-sandtable": "yes"}, 403, "header"),
        ({"x-sandtable": "1"}, 415, "bad"),
        ({"x-sandtable": "1", "content-type": "text/plain"}, 415, "bad"),
        ({"x-sandtable": "1", "content-type": "application/x-www-form-urlencoded"}, 415, "bad"),
        ({"x-sandtable": "1", "content-type": "application/jsonp"}, 415, "bad"),
    ],
)
def test_a_form_cannot_post(headers: dict[str, str], status: int, code: str) -> None:
    answer = ask(APP, "/api/me", "POST", {**headers, "origin": OWN})
    assert (answer.status, answer.code) == (status, code)


def test_json_with_a_charset_is_json() -> None:
    assert post(content_type="application/json; charset=utf-8").status == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get"])
def test_other_methods_are_not_understood(method: str) -> None:
    answer = ask(APP, "/api/me", method, {"origin": "https://evil.example"})
    assert (answer.status, answer.code) == (405, "method")
    assert not answer.get("access-control-allow-origin")


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:80", "sand.example:8844", "", "a, b", "evil.example:8844"]
)
def test_it_answers_to_no_other_name(host: str) -> None:
    """Else a page elsewhere could point its own name at this machine, and read."""
    assert ask(APP, "/", host=host).status == 421
    assert ask(APP, "/", host=None).status == 421
    assert ask(APP, "/ws", kind="websocket", host=host, headers={"origin": OWN}).status == 421


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        (HOST, OWN),
        ("LocalHost:8844", "http://localhost:8844"),
        ("[::1]:8844", "http://[::1]:8844"),
        ("sand.example", "https://sand.example"),
        ("sand.example:443", "https://sand.example"),
    ],
)
def test_it_knows_by_which_name_it_was_reached(host: str, origin: str) -> None:
    assert ask(APP, "/", host=host).body.decode() == origin


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)]
)
def test_foreign_pages_do_not_read_either(site: str, status: int) -> None:
    assert ask(APP, "/api/tables", headers={"sec-fetch-site": site}).status == status
    assert ask(APP, "/t/K3V9X", headers={"sec-fetch-site": site}).status == 200  # a link may lead here


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("https://Sand.Example/", "https://sand.example"),
        ("https://sand.example:443", "https://sand.example"),
        ("http://sand.example:443", "http://sand.example:443"),
        ("http://192.168.1.7:8844", "http://192.168.1.7:8844"),
        ("http://[fd00::2]:80", "http://[fd00::2]"),
    ],
)
def test_origins_are_written_as_browsers_write_them(text: str, written: str) -> None:
    assert str(Origin.read(text)) == written


@pytest.mark.parametrize(
    "text",
    [
        "*",
        "sand.example",
        "https://*.example",
        "https://a/b",
        "ws://a",
        "https://",
        "http://a:0",
        "http://a:70000",
        "https://ä.example",
        "https://a.-",
    ],
)
def test_what_is_no_origin_is_refused_with_a_sentence(text: str) -> None:
    assert Origin.read(text) is None
    with pytest.raises(BadConfig, match="expected an origin like"):
        check_listening(Config(Path(), origins=(text,)))


def test_nobody_listens_to_others_by_mistake() -> None:
    for host in ("0.0.0.0", "::", "192.168.1.7", "sand.example", ""):
        with pytest.raises(BadConfig, match=r"lets others in.*--origin"):
            check_listening(Config(Path(), host=host))
        check_listening(Config(Path(), host=host, origins=("https://sand.example",)))
    for host in ("127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost"):
        check_listening(Config(Path(), host=host))
        assert is_loopback(host)


def test_secure_is_when_all_guests_come_by_https() -> None:
    assert Config(Path(), origins=("https://sand.example",)).is_secure
    assert not Config(Path()).is_secure
    assert not Config(Path(), origins=("https://sand.example", "http://sand.example")).is_secure


def test_a_proxy_nobody_named_is_mentioned_once(caplog: pytest.LogCaptureFixture) -> None:
    gate = Gate(inside, Origins([], 8844))
    for _ in range(2):
        ask(gate, headers={"x-forwarded-for": "192.0.2.9"})
    assert [record.msg for record in caplog.records] == ["proxy_unknown"]
