"""An app asked directly, without a network: what a request or a handshake gets as an answer."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message

PORT = 8844
HOST = f"127.0.0.1:{PORT}"
OWN = f"http://{HOST}"
PROGRAM = {"x-sandtable": "1", "content-type": "application/json"}


@dataclass
class Answer:
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    accepted: bool = False
    closed: int = 0

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]

    def get(self, name: str) -> str:
        return ", ".join(self.all(name))

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        told = self.json
        assert set(told) == {"code", "clause", "say"}
        assert told["say"].endswith(".")
        return str(told["code"])


def ask(app: ASGIApp, path: str = "/", method: str = "GET", *given: Any, **more: Any) -> Answer:
    """One request; `ask_in` with more to say."""
    return asyncio.run(ask_in(app, path, method, *given, **more))


async def ask_in(
    app: ASGIApp,
    path: str = "/",
    method: str = "GET",
    headers: dict[str, str] | list[tuple[str, str]] | None = None,
    body: bytes = b"",
    parts: list[bytes | None] | None = None,
    kind: str = "http",
    host: str | None = HOST,
    client: tuple[str, int] | None = ("127.0.0.1", 40_000),
) -> Answer:
    """`parts`: the body as it comes; None: nothing more comes for ever."""
    listed = list(headers.items()) if isinstance(headers, dict) else headers or []
    if host is not None:
        listed = [("host", host), *listed]
    scope: dict[str, Any] = {
        "type": kind, "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in listed],
        "client": client, "server": ("127.0.0.1", PORT), "scheme": "http", "root_path": "", "http_version": "1.1",
        "state": {}, "subprotocols": [], "extensions": {"websocket.http.response": {}}, "asgi": {"version": "3.0"},
    }  # fmt: skip
    if kind == "websocket":
        del scope["method"]
    coming = list(parts if parts is not None else [body])
    answer = Answer()

    async def receive() -> Message:
        if kind == "websocket":
            return {"type": "websocket.connect"}
        if coming and (part := coming.pop(0)) is not None:
            return {"type": "http.request", "body": part, "more_body": bool(coming)}
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        name = message["type"].removeprefix("websocket.")
        if name.endswith("response.start"):
            answer.status = message["status"]
            answer.headers = [(key.decode("latin-1"), value.decode("latin-1")) for key, value in message["headers"]]
        elif name.endswith("response.body"):
            answer.body += message.get("body", b"")
        elif name == "accept":
            answer.accepted = True
        elif name == "close":
            answer.closed = message.get("code", 1000)

    await app(scope, receive, send)
    return answer
