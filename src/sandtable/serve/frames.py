"""uvicorn's socket with fewer calls into the system: they are what a message costs most."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import OPEN

TEXT, SHORT, MIDDLE = 0x81, 126, 1 << 16  # a whole text frame; lengths that fit in one byte, in two more

FAREWELL_S = 5.0  # for the last bytes to go out, once nobody of ours speaks to it any more


def text_frame(text: str) -> bytes:
    """A server's frame: never masked, never in parts."""
    body = text.encode()
    size = len(body)
    if size < SHORT:
        return bytes((TEXT, size)) + body
    if size < MIDDLE:
        return bytes((TEXT, 126)) + size.to_bytes(2, "big") + body
    return bytes((TEXT, 127)) + size.to_bytes(8, "big") + body


class Swift(WebSocketsSansIOProtocol):
    """What one turn of the loop brings for a socket, an answer and its events, goes out in one write."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._waiting: list[bytes] = []

    async def send(self, message: Any) -> None:
        text = message.get("text")
        is_plain = text is not None and self.handshake_complete and not (self.close_sent or self.disconnected)
        if is_plain and self.conn.state is OPEN and self.writable.is_set():
            if not self._waiting:
                self.loop.call_soon(self._flush)
            self._waiting.append(text_frame(text))
            return
        self._flush()
        await super().send(message)

    def send_receive_event_to_app(self) -> None:
        """Leaves reading on while few messages wait: switched off and on for each, it costs as much as a view."""
        was_paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if not was_paused and self.queue.qsize() >= self.config.ws_max_queue:
            self.read_paused = True
            self.transport.pause_reading()

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting and not self.close_sent and not self.transport.is_closing():
            self.transport.write(b"".join(waiting))

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(FAREWELL_S, self.transport.abort)  # who never reads would keep it for ever
