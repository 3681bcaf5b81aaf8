"""What a browser may do with our pages, said in headers of every answer."""

from __future__ import annotations

from contextlib import suppress

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from sandtable.protocol.errors import Refusal
from sandtable.serve.logs import log
from sandtable.serve.origins import Origin, Origins
from sandtable.serve.refusals import answer

POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; "
    "script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; worker-src 'none'; frame-src 'none'; "
    "connect-src 'self'"
)
ALWAYS = (
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-frame-options", "DENY"),  # for browsers that do not know frame-ancestors
    (
        "permissions-policy",
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), "
        "microphone=(), midi=(), payment=(), usb=()",
    ),
)
COOKIES = "sandtable.cookies"  # in the scope: cookies to set, whoever answers


def policy(origin: Origin | None) -> str:
    """The content security policy. Older browsers do not count sockets to the own server among 'self'."""
    if origin is None:
        return POLICY
    return f"{POLICY} {'wss' if origin.is_secure else 'ws'}://{origin.authority}"


class Headers:
    """The outermost door: puts the headers on whatever goes out, and turns a fault of ours into an answer."""

    def __init__(self, app: ASGIApp, origins: Origins) -> None:
        self.app, self._origins = app, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        origin, has_started = self._origins.reached(scope), False
        cookies: list[str] = scope.setdefault(COOKIES, [])

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started
            has_started = True
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                _put(MutableHeaders(scope=message), origin, cookies)
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except (ClientDisconnect, ClientDisconnected, WebSocketDisconnect):
            return  # nobody is there any more
        except Exception as error:
            log("internal", error=error)
            if not has_started:
                fault = Refusal("internal", "", "Something went wrong here. Nothing was lost; try again.")
                await answer(500, fault)(scope, receive, send_with_headers)
            elif scope["type"] == "http":
                raise  # half an answer is out: only the end of the connection says so
            else:
                with suppress(Exception):  # it may be closed already
                    await send({"type": "websocket.close", "code": 1011})


def _put(headers: MutableHeaders, origin: Origin | None, cookies: list[str]) -> None:
    for name, value in ALWAYS:
        headers.setdefault(name, value)
    headers["content-security-policy"] = policy(origin)
    if origin is not None and origin.is_trusted:  # elsewhere browsers ignore it, with a complaint
        headers["cross-origin-opener-policy"] = "same-origin"
    headers.setdefault("cache-control", "no-store")
    for cookie in cookies:
        headers.append("set-cookie", cookie)
