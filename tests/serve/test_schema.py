"""The messages' schema is the one in docs/, and nothing that fits a struct, or nearly does, makes the server stumble.

To renew docs/protocol.schema.json: python -m tests.serve.test_schema
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.serve import messages
from tests.serve.client import ROOT, Ended, House, Person, house, pair

FILE = ROOT / "docs" / "protocol.schema.json"


def written() -> str:
    return json.dumps(messages.schema(), indent=2, sort_keys=True) + "\n"


def test_the_file_in_docs_is_true() -> None:
    assert FILE.read_text("utf-8") == written(), "run: python -m tests.serve.test_schema"


def test_every_message_is_in_it() -> None:
    told = json.loads(FILE.read_text("utf-8"))["$defs"]
    frames = [kind.__name__ for kind in messages.Frame.__subclasses__()]
    assert set(told) >= {*frames, *(body.__name__ for body in messages.BODIES)}
    assert all(told[name]["additionalProperties"] is False for name in frames)


# ---------------------------------------------------------------- everything that fits, and what nearly fits

WORDS = st.sampled_from(
    ["", "tactics", "brief", "opening", "standard", "me", "open", "machine:greedy", "machine:", "resign", "draw",
     "takeback", "takeback turn", "takeback 99999999", "e2-e3", "S@e1", "turn", "cell/e2", "cell/z9", "palette/R",
     "danger", "end", "ready", "../../etc/passwd", "/etc/passwd", "book.toml", "con", "\0", "a" * 300, "Ada",
     "<img src=x>", "\u202eevil", "\u0301" * 30, "e\u0301", "１２", "²", "__proto__", "00" * 16, "zz", "-1",
     "sandtable match 1\n"]
)  # fmt: skip
TEXTS = WORDS | st.text(max_size=40)
NUMBERS = st.integers(-3, 3) | st.sampled_from([2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 10**40])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6,
)  # fmt: skip


def values(kind: Any) -> st.SearchStrategy[Any]:
    """What fits a field of this type."""
    text = str(kind)
    found: list[st.SearchStrategy[Any]] = [st.none()] if "None" in text else []
    if "dict" in text:
        names = st.sampled_from(["draw_after", "straight_cost", "army", "nothing"])
        found.append(st.dictionaries(names | TEXTS, VALUES, max_size=3))
    elif "list" in text:
        found.append(st.lists(TEXTS, max_size=3))
    elif "bool" in text:
        found.append(st.booleans())
    elif "int" in text:
        found.append(NUMBERS)
    else:
        found.append(TEXTS)
    return st.one_of(found)


@st.composite
def struct(draw: st.DrawFn, kinds: tuple[type[msgspec.Struct], ...]) -> dict[str, Any]:
    """One of these, now and then with a field wrong, missing or too much."""
    kind = draw(st.sampled_from(kinds))
    tag = msgspec.inspect.type_info(kind).tag  # type: ignore[attr-defined]
    told = {"t": tag} if tag else {}
    for field in msgspec.structs.fields(kind):
        if field.required or draw(st.booleans()):
            told[field.encode_name] = draw(values(field.type) if draw(st.integers(0, 9)) else VALUES)
    if draw(st.integers(0, 9)) == 0:
        told[draw(TEXTS)] = draw(VALUES)
    return told


class Session:
    """One server for all examples: two running tables, one unbegun, one over."""

    def __init__(self, data: Path) -> None:
        self.loop = asyncio.new_event_loop()
        self.context = house(data)
        self.home: House = self.run(self.context.__aenter__())
        self.ada, self.bo = self.run(pair(self.home, scenario="opening"))
        self.person: Person = self.ada.person
        self.unbegun = self.run(self.person.host("me", "open"))
        over = self.run(self.person.host("me", "me", scenario="brief"))
        self.run(self.person.get(f"/api/tables/{over}/cmd", {"seat": 0, "id": "x", "act": "resign"}))
        self.tables = [self.ada.table, self.unbegun, over, "22222", "k3v9x", "..", "%2e%2e", "%00", "x" * 99]

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def close(self) -> None:
        self.run(self.context.__aexit__(None, None, None))
        self.loop.close()


@pytest.fixture
def session(data: Path) -> Iterator[Session]:
    opened = Session(data / "d")
    yield opened
    opened.close()


POSTS = ["me", "tables", "matches", *(f"tables/ID/{name}" for name in (
    "join", "leave", "close", "list", "absent", "rematch", "ticket", "cmd",
))]  # fmt: skip
GETS = ["games", "games/GAME/preview", "games/GAME/rules", "games/GAME/book", "me", "tables", "tables/ID/view",
        "tables/ID/options", "matches/ID", "matches/ID/replay"]  # fmt: skip
ASKED = ["seat", "at", "have", "scenario", "book", "seed", "lang", "set.draw_after", "set.army", "set."]


def check(path: str, status: int, body: bytes) -> None:
    assert status < 500, (path, status, body)
    if status != 200 and path.startswith("/api/"):
        told = json.loads(body)
        assert set(told) == {"code", "clause", "say"} or told["t"] == "nak", told
        assert re.fullmatch("[a-z_]+", told["code"])
        assert told["say"].endswith("."), told


def test_every_route_answers_whatever_body_it_is_sent(session: Session) -> None:
    @settings(max_examples=200)
    @given(route=st.sampled_from(POSTS), pick=st.integers(0, 8), body=struct(messages.BODIES))
    def once(route: str, pick: int, body: dict[str, Any]) -> None:
        if route == "tables" and {"game", "seats"} <= set(body) and pick % 2:
            body |= {"game": "tactics", "seats": ["me", "open"]}
        if route.endswith("cmd") and "act" in body:
            body |= {"seat": 0, "id": str(body.get("id", "x"))[:26]}
        path = "/api/" + route.replace("ID", session.tables[pick])
        reply = session.run(session.person.ask(path, body))
        check(path, reply.status, reply.body)

    once()
    assert session.home.faults == []


def test_every_route_answers_whatever_it_is_asked(session: Session) -> None:
    @settings(max_examples=150)
    @given(
        route=st.sampled_from(GETS),
        pick=st.integers(0, 8),
        game=st.sampled_from(["tactics", "chess", "..", "%00"]),
        query=st.dictionaries(st.sampled_from(ASKED), TEXTS | NUMBERS.map(str), max_size=3),
    )
    def once(route: str, pick: int, game: str, query: dict[str, str]) -> None:
        path = "/api/" + route.replace("ID", session.tables[pick]).replace("GAME", game)
        reply = session.run(session.person.ask(f"{path}?{urlencode(query)}"))
        check(path, reply.status, reply.body)

    once()
    assert session.home.faults == []


def test_the_socket_answers_or_closes_whatever_it_is_sent(session: Session) -> None:
    kinds, codes = tuple(messages.Frame.__subclasses__()), set()

    @settings(max_examples=200)
    @given(frames=st.lists(struct(kinds), min_size=1, max_size=3))
    def once(frames: list[dict[str, Any]]) -> None:
        if session.ada.wire is None:
            session.run(session.ada.open())
        try:
            for frame in frames:
                session.run(session.ada.say(frame))
            session.run(session.ada.quiet())
        except Ended as ended:
            codes.add(ended.code)
            session.run(session.ada.close())

    once()
    assert (session.home.faults, codes) == ([], {4400})


def test_a_hello_of_any_kind_is_answered_or_closed(session: Session) -> None:
    codes: set[int] = set()

    @settings(max_examples=100)
    @given(frame=struct((messages.Hello,)), is_known=st.booleans())
    def once(frame: dict[str, Any], is_known: bool) -> None:
        async def knock() -> None:
            wire = await session.home.socket(session.person.headers)
            if is_known:
                frame["ticket"] = await session.person.ticket(session.ada.table, 0)
                frame["table"], frame["p"] = session.ada.table, 1
            await wire.send(json.dumps(frame))
            try:
                async with asyncio.timeout(5):
                    assert json.loads(await wire.receive())["t"] in ("welcome", "presence")
            except Ended as ended:
                codes.add(ended.code)
            await wire.close()

        session.run(knock())

    once()
    assert session.home.faults == []
    assert codes <= {4400, 4401, 4403, 4404, 4426}


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
