"""One server from start to end: folder, port, uvicorn, the link for a friend, the browser, and the way out."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import uvicorn
from starlette.applications import Starlette

from sandtable.serve.browser import show
from sandtable.serve.config import Config
from sandtable.serve.frames import Swift
from sandtable.serve.listening import listen, local_address
from sandtable.serve.logs import end_logs, log, start_logs
from sandtable.serve.patience import Impatient
from sandtable.serve.stopping import Stopping
from sandtable.store.folder import DataFolder, Held, read_holder

Maker = Callable[[Config, DataFolder], Starlette]
FRAME, QUEUE, HEAD = 16 * 1_024, 8, 16 * 1_024  # bytes a frame, messages waiting, bytes of a request's head
PING_S = 20.0
CONNECTIONS = 4_000
FILES = 8_192  # descriptors asked of the system; many allow 1,024 unasked
DRAIN_S, REQUESTS_S = 1.0, 1  # at the end: for telling everybody, for answers under way
OPENING_S, STARTING_S = 5.0, 5.0  # for the browser; for the first of two servers started at once to say where it is
LAG_EVERY_S, LAG_MS = 0.5, 100


def run(config: Config, open_browser: bool = False, make_app: Maker | None = None) -> int:
    """Serve until a signal comes; the exit code. SandtableError where that cannot begin."""
    try:
        folder = DataFolder.take(config.data)
    except Held as held:
        return _point_to_the_other(config, held, open_browser)
    in_order = False
    try:
        start_logs(config.data)
        with Stopping() as stopping:
            asyncio.run(_serve(config, folder, open_browser, make_app or _the_app, stopping))
        in_order = True
    finally:
        folder.release(in_order)
        end_logs()
    return 0


def _the_app(config: Config, folder: DataFolder) -> Starlette:
    from sandtable.serve.app import make_app  # late: what it brings along takes longest to load

    return make_app(config, folder)


async def _serve(config: Config, folder: DataFolder, open_browser: bool, make_app: Maker, stopping: Stopping) -> None:
    allow_many_files()
    config, sockets, taken = listen(config)
    app = make_app(config, folder)
    server = _Server(settings(app, config), app)
    address = local_address(config)

    def up() -> None:
        folder.announce(address)
        for port in taken:
            say(f"Port {port} is taken by another program; Sandtable takes {config.port}.")
        say(f"Sandtable is at {address}")
        if config.lan:
            links = [origin for origin in config.origins if origin != address]
            say(f"For a friend in your network: {' or '.join(links)}", "(plain http: who shares it could listen in)")
        elif config.origins:
            say(f"Guests come by {' or '.join(config.origins)}")
        say(f"Matches are kept in {config.data}. Ctrl-C ends it.")
        log("started", port=config.port, pid=os.getpid())
        if open_browser:
            show(address)

    def stop() -> None:
        server.should_exit = True

    server.when_up, stopping.stop = up, stop
    try:
        async with app.router.lifespan_context(app), _watching():
            server.should_exit = stopping.is_wanted
            await server.serve(sockets)
    finally:
        for sock in sockets:
            sock.close()
    log("stopped")
    say("Stopped; every match is kept.")


def settings(app: Starlette, config: Config) -> uvicorn.Config:
    """uvicorn, as strict as it gets."""
    return uvicorn.Config(
        app,
        http=Impatient,
        ws=Swift,
        ws_max_size=FRAME,
        ws_max_queue=QUEUE,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        ws_per_message_deflate=False,  # half a megabyte a socket, and a way to send bombs
        h11_max_incomplete_event_size=HEAD,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=REQUESTS_S,
        lifespan="off",  # _serve does it, so that what goes wrong there is told in one sentence
        loop="asyncio",
        log_config=None,
        access_log=False,  # addresses hold IDs
        server_header=False,
        proxy_headers=bool(config.proxies),
        forwarded_allow_ips=list(config.proxies),
    )


class _Server(uvicorn.Server):
    """uvicorn's server, which says when it is up, and says good-bye before it hangs up."""

    def __init__(self, config: uvicorn.Config, app: Starlette) -> None:
        super().__init__(config)
        self._app = app
        self.when_up: Callable[[], None] = lambda: None

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield  # stopping.py has them, from before the start on

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.when_up()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()  # nobody comes in any more
        hall = getattr(self._app.state, "hall", None)
        if hall is not None:
            try:
                await asyncio.wait_for(hall.close(), DRAIN_S)
            except Exception as error:  # the rest must come to its end all the same
                log("drain", error=error)
        await super().shutdown(sockets)


@asynccontextmanager
async def _watching() -> AsyncIterator[None]:
    """Notes when the loop was kept from its work."""

    async def watch() -> None:
        clock = asyncio.get_running_loop().time
        while True:
            before = clock()
            await asyncio.sleep(LAG_EVERY_S)
            if (late_ms := int((clock() - before - LAG_EVERY_S) * 1_000)) > LAG_MS:
                log("loop_lag", ms=late_ms)

    task = asyncio.create_task(watch())
    try:
        yield
    finally:
        task.cancel()


def _point_to_the_other(config: Config, held: Held, open_browser: bool) -> int:
    holder = held.holder if held.holder.address else read_holder(config.data, STARTING_S)
    if not holder.address:
        raise held
    say(f"Sandtable is running already, at {holder.address}")
    if open_browser:
        show(holder.address, OPENING_S)
    return 0


def say(*sentences: str) -> None:
    """To the terminal, which may be gone by now."""
    with suppress(OSError, ValueError):
        print(*sentences, flush=True)


def allow_many_files() -> None:
    """Every connection is a file to the system."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wished = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wished:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wished, hard))
