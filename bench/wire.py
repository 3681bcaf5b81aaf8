"""A WebSocket client and an HTTP request of as little work as can be: the load must not be what is measured.

It speaks to servers of this machine only, so it masks with zeros and believes every length it is told.
"""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any

HOST = "127.0.0.1"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

Hear = Callable[["Wire", bytes], None]


class Wire(asyncio.Protocol):
    """One socket. Every text frame goes to `hear`, as bytes."""

    def __init__(self, hear: Hear) -> None:
        self.hear = hear
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: str | None = None  # why, once it is
        self._waiting = b""
        self._transport: asyncio.Transport | None = None

    @staticmethod
    async def open(port: int, path: str, hear: Hear, headers: Mapping[str, str] | None = None) -> Wire:
        """Shaken hands; OSError if the server will not."""
        loop = asyncio.get_running_loop()
        _, wire = await loop.create_connection(lambda: Wire(hear), HOST, port)
        lines = [
            f"GET {path} HTTP/1.1", f"Host: {HOST}:{port}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(secrets.token_bytes(16)).decode()}", "Sec-WebSocket-Version: 13",
            *(f"{name}: {value}" for name, value in (headers or {}).items()),
        ]  # fmt: skip
        assert wire._transport is not None
        wire._transport.write("\r\n".join([*lines, "", ""]).encode())
        await wire.ready
        return wire

    def send(self, text: str) -> None:
        self._send(TEXT, text.encode())

    def end(self) -> None:
        if self._transport is not None and self.closed is None:
            self._send(CLOSE, b"\x03\xe8")
            self._transport.close()

    def _send(self, kind: int, body: bytes) -> None:
        size = len(body)
        head = bytes((0x80 | kind, 0x80 | size)) if size < 126 else bytes((0x80 | kind, 0xFE, *size.to_bytes(2, "big")))
        assert self._transport is not None
        self._transport.write(head + b"\0\0\0\0" + body)

    # ---- asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = self.closed or "lost"
        if not self.ready.done():
            self.ready.set_exception(OSError("the server hung up"))

    def data_received(self, data: bytes) -> None:
        data = self._waiting + data if self._waiting else data
        if not self.ready.done():
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._waiting = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.ready.set_exception(OSError(head.split(b"\r\n")[0].decode()))
                return
            self.ready.set_result(None)
        at, there = 0, len(data)
        while there - at >= 2:
            size, body = data[at + 1], at + 2
            if size >= 126:
                width = 2 if size == 126 else 8
                if there - at < 2 + width:
                    break
                size, body = int.from_bytes(data[body : body + width], "big"), body + width
            if there - body < size:
                break
            self._heard(data[at] & 15, data[body : body + size])
            at = body + size
        self._waiting = data[at:]

    def _heard(self, kind: int, body: bytes) -> None:
        if kind == TEXT:
            self.hear(self, body)
        elif kind == PING:
            self._send(PONG, body)
        elif kind == CLOSE:
            self.closed = f"{int.from_bytes(body[:2], 'big')} {body[2:].decode()}"


async def ask(port: int, path: str, body: Any = None, cookie: str = "") -> tuple[Any, str]:
    """One request on a connection of its own; the answer read as JSON, and the cookie that came with it."""
    reader, writer = await asyncio.open_connection(HOST, port)
    content = b"" if body is None else json.dumps(body).encode()
    head = [
        f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", f"Host: {HOST}:{port}", "Connection: close",
        "X-Sandtable: 1", "Content-Type: application/json", f"Content-Length: {len(content)}",
        *([f"Cookie: {cookie}"] if cookie else []), "", "",
    ]  # fmt: skip
    writer.write("\r\n".join(head).encode() + content)
    answer = await reader.read()
    writer.close()
    top, _, rest = answer.partition(b"\r\n\r\n")
    lines = top.decode().split("\r\n")
    if lines[0].split()[1] != "200":
        raise OSError(f"{path}: {lines[0]} {rest[:200]!r}")
    cookies = [line.partition(":")[2] for line in lines if line.lower().startswith("set-cookie:")]
    return json.loads(rest), "; ".join(each.partition(";")[0].strip() for each in cookies)
