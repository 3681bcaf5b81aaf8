"""How much a request may bring, and how long it may take to."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandtable.protocol.errors import Refusal
from sandtable.serve.refusals import answer

BODY, LARGE_BODY = 64 * 1_024, 1_024 * 1_024  # bytes; the large one for imported matches
BODY_S = 10.0  # a body that takes longer is given up


class Bodies:
    """Hands a request on once its body is here, whole and not too large."""

    def __init__(self, app: ASGIApp, large: frozenset[str] = frozenset(), patience_s: float = BODY_S) -> None:
        self.app, self._large, self._patience_s = app, large, patience_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = LARGE_BODY if scope["path"] in self._large else BODY
        try:
            async with asyncio.timeout(self._patience_s):
                body = await _body(Headers(scope=scope), receive, limit)
        except TimeoutError:
            body = 408, Refusal("bad", "", "The body took too long to come.")
        except ConnectionResetError:
            return  # nobody is there to answer
        if isinstance(body, bytes):
            await self.app(scope, _replay(body, receive), send)
        else:
            await answer(*body)(scope, receive, send)


async def _body(headers: Headers, receive: Receive, limit: int) -> bytes | tuple[int, Refusal]:
    """The whole body, or what to answer."""
    if headers.get("content-encoding", "identity").lower() != "identity":
        return 415, Refusal("bad", "", "Send the body as it is, without compression.")
    length = headers.get("content-length", "0")
    is_short = length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= limit
    body = await _read(receive, limit) if is_short else None
    return (413, Refusal("bad", "", f"A body has at most {limit // 1_024} KiB here.")) if body is None else body


async def _read(receive: Receive, limit: int) -> bytes | None:
    """The whole body; None if it is longer than that."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        part = message.get("body", b"")
        size += len(part)
        if size > limit:
            return None
        parts.append(part)
        if not message.get("more_body"):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed
