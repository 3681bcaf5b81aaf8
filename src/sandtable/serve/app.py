"""The application put together: store, machines, hall, doors and routes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from sandtable.games import find as find_game
from sandtable.games import names as game_names
from sandtable.serve.api import Api
from sandtable.serve.config import Config
from sandtable.serve.doors import doors
from sandtable.serve.guests import Guests, Tickets
from sandtable.serve.hall import Hall, read_id
from sandtable.serve.limits import Limits, address_of
from sandtable.serve.machines import Machines
from sandtable.serve.origins import Origins
from sandtable.serve.pages import Shelf, error_answers, page_routes
from sandtable.serve.refusals import Refused
from sandtable.serve.socket import Reception
from sandtable.serve.warming import warm_up
from sandtable.store.folder import DataFolder
from sandtable.store.sqlite import SqliteStore


def make_app(config: Config, folder: DataFolder, machines: Machines | None = None) -> Starlette:
    """An app whose lifespan opens the store and ends everything it began."""
    limits = Limits(config.limits)
    shelf = Shelf(config.web)
    house = _House(config, folder, machines or Machines(config.workers), limits)
    app = Starlette(
        middleware=doors(config, Origins(config.origins, config.port or 0), limits),
        exception_handlers=error_answers(shelf),
        lifespan=house.lifespan,
    )
    house.app, house.shelf = app, shelf
    return app


class _House:
    """What lives as long as the server."""

    app: Starlette
    shelf: Shelf

    def __init__(self, config: Config, folder: DataFolder, machines: Machines, limits: Limits) -> None:
        self.config, self.folder, self.machines, self.limits = config, folder, machines, limits

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        store = await SqliteStore.open(self.folder, sync_delay_ms=self.config.sync_delay_ms)
        guests, tickets = Guests(store, self.limits), Tickets()
        hall = Hall(store, self.machines, self.config, self.limits, guests.named)
        self.machines.start()
        try:
            await hall.open()
            app.state.hall, app.state.guests = hall, guests
            self._add_routes(hall, guests, tickets)
            warming = asyncio.create_task(warm_up(find_game(name).engine for name in game_names()))
            yield
            warming.cancel()
        finally:
            await hall.close()
            await self.machines.close()
            await store.close()

    def _add_routes(self, hall: Hall, guests: Guests, tickets: Tickets) -> None:
        async def is_there(request: Request, kind: str, name: str) -> bool:
            if kind == "rules":
                return name in game_names()
            table_id = read_id(name)
            if table_id is not None and hall.has(table_id):
                return True
            address = address_of(request.scope)
            if (refusal := self.limits.guess(address)) is not None:
                raise Refused(429, refusal)
            self.limits.missed(address)
            return False

        def take(text: str, table: str) -> tuple[str, int | None] | None:
            ticket = tickets.take(text, table)
            return (ticket.guest, ticket.seat) if ticket else None

        async def guest_hash(socket: WebSocket) -> str:
            return (await guests.of(socket)).token_hash

        reception = Reception(hall, self.limits, take, guest_hash)
        api = Api(hall, guests, tickets, self.limits)
        routes: list[Any] = [
            *page_routes(self.shelf, guests, is_there),
            *api.routes(),
            WebSocketRoute("/ws", reception.__call__),
        ]
        self.app.router.routes[:] = routes
