"""A small app in place of the real one, started as a process: `python standin.py DATA [WORD …]`.

Words: `stuck-hall`, `stuck-request`, `stuck-loop` hang in the place they name; `port=N`, `origin=URL`, `open`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sandtable.protocol.errors import SandtableError
from sandtable.serve.config import Config
from sandtable.serve.doors import doors
from sandtable.serve.limits import Limits
from sandtable.serve.origins import Origins
from sandtable.serve.run import run
from sandtable.store.folder import DataFolder

WORDS = sys.argv[2:]


class Hall:
    """Sockets that are told when the server ends."""

    def __init__(self) -> None:
        self.sockets: set[WebSocket] = set()

    async def serve(self, socket: WebSocket) -> None:
        await socket.accept(subprotocol="sandtable.v1")
        self.sockets.add(socket)
        try:
            while True:
                await socket.send_text(str(len(await socket.receive_text())))
        except WebSocketDisconnect:
            self.sockets.discard(socket)

    async def close(self) -> None:
        for socket in list(self.sockets):
            await socket.send_text('{"t":"drain","in_s":3}')
            await socket.close(1001)
        if "stuck-hall" in WORDS:
            await asyncio.sleep(60)


def make_app(config: Config, folder: DataFolder) -> Starlette:
    origins, hall = Origins(config.origins, config.port or 0), Hall()

    async def here(request: Request) -> Response:
        return PlainTextResponse("here")

    async def stuck(request: Request) -> Response:
        if "stuck-loop" in WORDS:
            time.sleep(60)
        await asyncio.sleep(60)
        return PlainTextResponse("late")

    async def socket(socket: WebSocket) -> None:
        await hall.serve(socket)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if "newer" in WORDS:
            raise SandtableError("This folder is from a newer version.")
        yield
        (folder.path / "committed").touch()

    app = Starlette(
        routes=[Route("/", here), Route("/stuck", stuck), WebSocketRoute("/ws", socket)],
        middleware=doors(config, origins, Limits(config.limits)),
        lifespan=lifespan,
    )
    app.state.hall = hall
    return app


if __name__ == "__main__":
    named = {word.partition("=")[0]: word.partition("=")[2] for word in WORDS if "=" in word}
    config = Config(
        Path(sys.argv[1]),
        port=int(named.get("port", "0")),
        origins=tuple(named["origin"].split(",")) if "origin" in named else (),
    )
    if "open" in WORDS:
        os.environ.pop("CI", None)
    try:
        sys.exit(run(config, "open" in WORDS, make_app))
    except SandtableError as error:
        sys.exit(f"refused: {error}")
