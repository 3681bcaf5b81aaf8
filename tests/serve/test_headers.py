"""The headers of every answer, faults of ours included, and bodies that are too large, too slow or packed."""

from __future__ import annotations

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from sandtable.serve.bodies import BODY, LARGE_BODY, Bodies
from sandtable.serve.config import Config
from sandtable.serve.doors import doors
from sandtable.serve.headers import Headers
from sandtable.serve.limits import Limits
from sandtable.serve.origins import Origins
from tests.serve.asgi import OWN, PROGRAM, Answer, ask, ask_in

SECRET = "a1b2c3d4-secret-in-the-text-of-an-exception"


async def size(request: Request) -> Response:
    return JSONResponse(len(await request.body()))


async def broken(request: Request) -> Response:
    raise ValueError(SECRET)


async def broken_socket(socket: WebSocket) -> None:
    await socket.accept()
    raise ValueError(SECRET)


async def kept(request: Request) -> Response:
    return PlainTextResponse("kept", headers={"cache-control": "no-cache"})


def app() -> Starlette:
    origins = Origins(["https://sand.example", "http://192.168.1.7:8844"], 8844)
    routes = [
        Route("/api/me", size, methods=["GET", "POST"]),
        Route("/api/matches", size, methods=["POST"]),
        Route("/broken", broken),
        Route("/kept", kept),
        WebSocketRoute("/ws", broken_socket),
    ]
    return Starlette(routes=routes, middleware=doors(Config(__file__), origins, Limits()))  # type: ignore[arg-type]


def is_strict(answer: Answer) -> bool:
    policy = {part.split()[0]: part.split()[1:] for part in answer.get("content-security-policy").split(";")}
    assert policy["default-src"] == policy["script-src"] == policy["style-src"] == policy["font-src"] == ["'self'"]
    for name in ("object-src", "base-uri", "frame-ancestors"):
        assert policy[name] == ["'none'"]
    assert policy["form-action"] == ["'self'"]
    assert policy["img-src"] == ["'self'", "data:"]
    assert policy["connect-src"][0] == "'self'"
    assert "unsafe" not in str(policy)
    assert "*" not in str(policy)
    assert answer.get("x-content-type-options") == "nosniff"
    assert answer.get("referrer-policy") == "no-referrer"
    assert answer.get("cross-origin-resource-policy") == "same-origin"
    assert "camera=()" in answer.get("permissions-policy")
    return True


@pytest.mark.parametrize("path", ["/api/me", "/kept", "/broken", "/nothing/here", "/api/nothing"])
def test_every_answer_is_strict(path: str) -> None:
    assert is_strict(ask(app(), path))
    assert is_strict(ask(app(), path, host="evil.example"))
    assert is_strict(ask(app(), path, "DELETE"))
    assert is_strict(ask(app(), "/ws", kind="websocket", headers={"origin": "null"}))


@pytest.mark.parametrize(
    ("host", "socket", "opener"),
    [
        ("127.0.0.1:8844", "ws://127.0.0.1:8844", "same-origin"),
        ("sand.example", "wss://sand.example", "same-origin"),
        ("192.168.1.7:8844", "ws://192.168.1.7:8844", ""),  # browsers would complain
        ("evil.example", "", ""),
    ],
)
def test_sockets_only_to_the_own_server(host: str, socket: str, opener: str) -> None:
    answer = ask(app(), "/api/me", host=host)
    assert answer.get("content-security-policy").partition("connect-src")[2].split() == ["'self'", *socket.split()]
    assert answer.get("cross-origin-opener-policy") == opener


def test_nothing_is_kept_unless_it_says_so() -> None:
    assert ask(app(), "/api/me").get("cache-control") == "no-store"
    assert ask(app(), "/kept").get("cache-control") == "no-cache"


def test_a_fault_of_ours_is_an_answer_and_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    answer = ask(app(), "/broken")
    assert (answer.status, answer.code) == (500, "internal")
    assert SECRET.encode() not in answer.body
    assert [record.msg for record in caplog.records if record.name == "sandtable.serve"] == ["internal"]
    answer = ask(app(), "/ws", kind="websocket", headers={"origin": OWN})
    assert (answer.accepted, answer.closed) == (True, 1011)


def test_cookies_of_whoever_answers_go_out() -> None:
    async def answers(scope, receive, send):  # type: ignore[no-untyped-def]
        scope["sandtable.cookies"].append("a=b; Path=/")
        scope["sandtable.cookies"].append("c=d; Path=/")
        await PlainTextResponse("")(scope, receive, send)

    assert ask(Headers(answers, Origins([], 8844))).all("set-cookie") == ["a=b; Path=/", "c=d; Path=/"]


def post(body: bytes, path: str = "/api/me", **headers: str) -> Answer:
    return ask(app(), path, "POST", {**PROGRAM, **headers}, body)


def test_bodies_are_small_and_those_of_matches_larger() -> None:
    assert post(b"x" * BODY).json == BODY
    assert (post(b"x" * (BODY + 1)).status, post(b"x" * (BODY + 1)).code) == (413, "bad")
    assert post(b"x" * LARGE_BODY, "/api/matches").json == LARGE_BODY
    assert post(b"x" * (LARGE_BODY + 1), "/api/matches").status == 413


@pytest.mark.parametrize("length", [str(BODY + 1), "9" * 30, "-1", "many", "²"])
def test_a_length_is_believed_before_a_byte_is_read(length: str) -> None:
    answer = ask(app(), "/api/me", "POST", {**PROGRAM, "content-length": length}, parts=[None])
    assert answer.status == 413


def test_parts_are_added_up() -> None:
    parts: list[bytes | None] = [b"x" * 40_000, b"x" * 20_000, b"", b"x"]
    assert ask(app(), "/api/me", "POST", PROGRAM, parts=parts).json == 60_001
    parts = [b"x" * 40_000] * 3 + [None]
    assert ask(app(), "/api/me", "POST", PROGRAM, parts=parts).status == 413


def test_packed_bodies_are_not_opened() -> None:
    assert post(b"x", **{"content-encoding": "gzip"}).status == 415
    assert post(b"x", **{"content-encoding": "identity"}).status == 200


def test_a_body_that_dribbles_is_given_up() -> None:
    async def never(scope, receive, send):  # type: ignore[no-untyped-def]
        raise AssertionError("the request must not get here")

    async def asked() -> Answer:
        return await ask_in(Bodies(never, patience_s=0.05), "/api/me", "POST", parts=[b"x", None])

    assert asyncio.run(asked()).status == 408
