"""The HTTP side: the lobby's questions and wishes, and twins of the socket for programs."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from sandtable.games import find as find_game
from sandtable.games import names as game_names
from sandtable.protocol.book import Book
from sandtable.protocol.errors import Refusal, SandtableError
from sandtable.protocol.game import Game, Start
from sandtable.protocol.scene import Scene
from sandtable.protocol.standing import Standing
from sandtable.serve import messages, replays
from sandtable.serve.guests import Guests, Tickets, guest_of, read_name
from sandtable.serve.hall import Hall, read_id
from sandtable.serve.limits import Limits, address_of
from sandtable.serve.logs import log
from sandtable.serve.messages import Message, depth
from sandtable.serve.refusals import Refused, refused
from sandtable.serve.socket import answer, wish_of
from sandtable.serve.table import Table, nak
from sandtable.store.interface import Guest

Read = TypeVar("Read", bound=messages.Body)
PLAYERS = {  # in the order they are offered
    "greedy": "takes what it can and hurries forward; it never looks at your answer",
    "random": "any legal action, without a thought",
}


def say(body: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, media_type="application/json")


async def body_of(request: Request, kind: type[Read]) -> Read:
    raw = await request.body()
    try:
        if depth(raw) > messages.DEEPEST:
            raise ValueError(f"nested deeper than {messages.DEEPEST}")
        return msgspec.json.decode(raw or b"{}", type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError, UnicodeError) as error:
        raise refused(400, "bad", f"That cannot be read: {error}.") from None


class Api:
    """Every handler below /api."""

    def __init__(self, hall: Hall, guests: Guests, tickets: Tickets, limits: Limits) -> None:
        self.hall, self.guests, self.tickets, self.limits = hall, guests, tickets, limits

    def routes(self) -> list[BaseRoute]:
        def get(path: str, handler: Any) -> Route:
            return Route(f"/api{path}", handler, methods=["GET"])

        def post(path: str, handler: Any) -> Route:
            return Route(f"/api{path}", handler, methods=["POST"])

        return [
            get("/games", self.games), get("/games/{game}/preview", self.preview),
            get("/games/{game}/rules", self.rules), get("/games/{game}/book", self.book),
            get("/me", self.me), post("/me", self.rename),
            get("/tables", self.tables), post("/tables", self.host),
            post("/tables/{id}/join", self.join), post("/tables/{id}/leave", self.leave),
            post("/tables/{id}/close", self.close), post("/tables/{id}/list", self.list),
            post("/tables/{id}/absent", self.absent), post("/tables/{id}/rematch", self.rematch),
            post("/tables/{id}/ticket", self.ticket), get("/tables/{id}/view", self.view),
            get("/tables/{id}/options", self.options), post("/tables/{id}/cmd", self.command),
            get("/matches/{id}", self.match), post("/matches", self.bring), get("/matches/{id}/replay", self.replay),
        ]  # fmt: skip

    # ---- games

    async def games(self, request: Request) -> Response:
        return say({"games": [self._game(find_game(name)) for name in game_names()]})

    def _game(self, game: Game) -> Message:
        compiled, compiles = self.hall.machines.compiled.get(game.name, (0, 0))
        scenarios = [game.scenario(name) for name in game.scenarios]
        books = [game.find_book(name) for name in game.books]
        return {
            "name": game.name, "title": game.title, "seats": list(game.traits.seats),
            "scenarios": [{"name": s.name, "title": s.title, "says": s.says} for s in scenarios],
            "books": [{"name": b.name, "title": b.title, "says": b.says} for b in books],
            "numbers": [number_of(n) for n in game.book.numbers.values() if n.offer],
            "players": [
                {"name": name, "says": PLAYERS.get(name, ""), "ready": True} for name in self._players()
            ],
            "compiled": compiled, "compiles": compiles, "overlays": list(game.traits.overlays),
        }  # fmt: skip

    def _players(self) -> list[str]:
        """The best first."""
        return sorted(self.hall.machines.players, key=lambda name: list(PLAYERS).index(name) if name in PLAYERS else -1)

    def _find(self, request: Request) -> Game:
        try:
            game: Game = find_game(request.path_params["game"][:40])
            return game
        except SandtableError as error:
            raise refused(404, "unknown", f"{error}.") from None

    def _book(self, game: Game, request: Request) -> Book:
        wanted = request.query_params
        sets = {key[4:]: int(value) for key, value in wanted.items() if key.startswith("set.") and is_number(value)}
        name = wanted.get("book")
        if name is not None and name not in game.books:
            raise refused(400, "unknown", f"There is no book {name[:40]!r}.")
        book = game.find_book(name)
        return book.changed(sets, "set") if sets else book

    async def preview(self, request: Request) -> Response:
        game = self._find(request)
        seed = request.query_params.get("seed", "")
        try:
            book = self._book(game, request)
            scenario = game.scenario(request.query_params.get("scenario") or None)
            start = Start(scenario.name, game.traits.seats[0], int(seed) if is_number(seed) else 0)
            scene: Scene = Standing(game, book, start).view(None)
        except SandtableError as error:
            raise refused(400, "bad", f"{error}.") from None
        return say({"scene": scene})

    async def rules(self, request: Request) -> Response:
        try:
            return say({"text": self._find(request).rules_text(request.query_params.get("lang", "en")[:8])})
        except SandtableError as error:
            raise refused(404, "unknown", f"{error}.") from None

    async def book(self, request: Request) -> Response:
        game = self._find(request)
        try:
            book = self._book(game, request)
        except SandtableError as error:
            raise refused(400, "bad", f"{error}.") from None
        numbers = [number_of(number) for number in book.numbers.values()]
        return say({"name": book.name, "title": book.title, "says": book.says, "numbers": numbers})

    # ---- people

    async def me(self, request: Request) -> Response:
        return say({"name": (await guest_of(request)).name})

    async def rename(self, request: Request) -> Response:
        name = read_name((await body_of(request, messages.Name)).name)
        if isinstance(name, Refusal):
            raise Refused(400, name)
        guest = await self.guests.rename(await guest_of(request), name)
        self.hall.rename(guest)
        return say({"name": guest.name})

    # ---- tables

    async def tables(self, request: Request) -> Response:
        return say(self.hall.lobby((await guest_of(request)).token_hash))

    async def host(self, request: Request) -> Response:
        guest = await guest_of(request)
        wish = await body_of(request, messages.NewTable)
        mine = sum(head.host == guest.token_hash and head.state == "open" for head in self.hall.heads.values())
        if (refusal := self.limits.table(guest.token_hash, address_of(request.scope), mine)) is not None:
            raise Refused(429, refusal)
        table = await self.hall.create(guest, wish)
        if isinstance(table, Refusal):
            raise Refused(400, table)
        return say({"id": table.record.id})

    async def _table(self, request: Request) -> tuple[Table, Guest]:
        """The table of a path; guessing at IDs is slowed down."""
        guest, address = await guest_of(request), address_of(request.scope)
        table_id = read_id(request.path_params["id"])
        if table_id is None or not self.hall.has(table_id):
            if (refusal := self.limits.guess(address)) is not None:
                raise Refused(429, refusal)
            self.limits.missed(address)
            raise refused(404, "unknown", "There is no such table.")
        try:
            return await self.hall.table(table_id), guest
        except SandtableError as error:
            log("table_damaged", table=table_id, is_warning=True)
            raise refused(409, "paused", f"This match is stored and cannot be played again: {error}.") from None

    async def join(self, request: Request) -> Response:
        table, guest = await self._table(request)
        wish = await body_of(request, messages.Sit)
        sat = await table.sit(guest.token_hash, wish.seat)
        if isinstance(sat, Refusal):
            raise Refused(409, sat)
        return say({"seat": sat})

    async def leave(self, request: Request) -> Response:
        table, guest = await self._table(request)
        for line in [line for line in table.lines if line.guest == guest.token_hash]:
            line.leave("left", "You left the table.", 1000)
        return say({})

    def _host_only(self, table: Table, guest: Guest) -> None:
        if table.record.host != guest.token_hash:
            raise refused(403, "not_allowed", "Only the host can do that.")

    async def close(self, request: Request) -> Response:
        table, guest = await self._table(request)
        self._host_only(table, guest)
        if (refusal := await self.hall.end_unbegun(table)) is not None:
            raise Refused(409, refusal)
        return say({})

    async def list(self, request: Request) -> Response:
        table, guest = await self._table(request)
        self._host_only(table, guest)
        await self.hall.list_table(table, (await body_of(request, messages.Listing)).listed)
        return say({})

    async def absent(self, request: Request) -> Response:
        table, guest = await self._table(request)
        wish = await body_of(request, messages.Absent)
        if not table.seats_of(guest.token_hash) or wish.seat not in range(len(table.record.seats)):
            raise refused(403, "not_allowed", "Only those at the table decide that.")
        if (refusal := await table.replace_absent(wish.seat, wish.do)) is not None:
            raise Refused(409, refusal)
        return say({})

    async def rematch(self, request: Request) -> Response:
        table, guest = await self._table(request)
        if not table.seats_of(guest.token_hash):
            raise refused(403, "not_allowed", "Only those at the table play again.")
        if table.record.state != "over":
            raise refused(409, "running", "The match is not over.")
        new = await self.hall.rematch(table)
        if isinstance(new, Refusal):
            raise Refused(409, new)
        return say({"id": new.record.id})

    async def ticket(self, request: Request) -> Response:
        table, guest = await self._table(request)
        seat = (await body_of(request, messages.Sit)).seat
        if seat is not None and seat not in table.seats_of(guest.token_hash):
            raise refused(403, "not_allowed", "That is not your seat.")
        ticket = self.tickets.give(guest.token_hash, table.record.id, seat)
        return say({"ticket": ticket, "seat": seat, "expires_s": 30})

    # ---- twins of the socket

    async def _seat(self, request: Request) -> tuple[Table, int | None]:
        table, guest = await self._table(request)
        text = request.query_params.get("seat", "")
        if not text:
            return table, None
        if not is_number(text) or int(text) not in table.seats_of(guest.token_hash):
            raise refused(403, "not_allowed", "That is not your seat.")
        table.heard(int(text))
        return table, int(text)

    async def view(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        viewer = table.viewers.get(seat)
        if viewer is None or table.position is None:
            return say({"ver": 0, "state": table.record.state, "scene": {}, "hash": "", "log": []})
        seen = table.position.seen(seat)
        return say(
            {
                "ver": viewer.ver, "state": table.record.state, "scene": viewer.scene, "hash": viewer.hash,
                "log": list(viewer.log), "position": seen.text(), "book": table.record.book,
                "game": table.game.name, "to_act": list(table.position.to_act),
            }
        )  # fmt: skip

    async def options(self, request: Request) -> Response:
        table, seat = await self._seat(request)
        return say(answer(table, seat, messages.AskOptions(request.query_params.get("at"))))

    async def command(self, request: Request) -> Response:
        table, guest = await self._table(request)
        body = await body_of(request, messages.TwinCommand)
        ver = table.viewers[body.seat].ver if body.seat in table.viewers else 0
        if body.seat not in table.seats_of(guest.token_hash):
            raise refused(403, "not_allowed", "That is not your seat.")
        if (refusal := self.limits.command(guest.token_hash, address_of(request.scope))) is not None:
            return say(nak(body.id[:26], Refusal("too_fast", "", refusal.sentence), ver), 429)
        table.heard(body.seat)
        wish = wish_of(body.seat, body.id, body.act, body.base, body.salt)
        return say(nak(body.id[:26], wish, ver) if isinstance(wish, Refusal) else await table.do(wish))

    # ---- matches

    async def match(self, request: Request) -> Response:
        table, _ = await self._table(request)
        if table.record.state in ("open", "running"):
            raise refused(403, "running", "The match file is opened when the match is over.")
        text = (await replays.match_text(self.hall, table)).text
        head = {"Content-Disposition": f'attachment; filename="{table.record.id}.match"'}
        return PlainTextResponse(text, headers=head)

    async def bring(self, request: Request) -> Response:
        guest = await guest_of(request)
        text = (await body_of(request, messages.Import)).text
        if (refusal := self.limits.table(guest.token_hash, address_of(request.scope), 0)) is not None:
            raise Refused(429, refusal)
        brought = await self.hall.bring(guest, text)
        if isinstance(brought, Refusal):
            raise Refused(400, brought)
        return say({"id": brought})

    async def replay(self, request: Request) -> Response:
        table, _ = await self._table(request)
        if table.record.state in ("open", "running"):
            raise refused(403, "running", "The replay is opened when the match is over.")
        return say(await replays.replay(self.hall, table))


def is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= 19


def number_of(number: Any) -> Message:
    return {
        "name": number.name, "says": number.says, "clause": number.clause, "value": number.value,
        "least": number.least, "most": number.most, "offer": number.offer,
    }  # fmt: skip
