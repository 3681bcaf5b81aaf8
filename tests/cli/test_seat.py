"""`sandtable seat` at a table of the smallest server there can be, which speaks the twins and nothing else."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import sandtable
from sandtable.cli import seat, twins
from sandtable.protocol.position import Position
from sandtable.store.matches import book_text
from tests.cli.conftest import Command

BOT = "examples/bot.py:Bot"
BAD = """
class Liar:
    def choose(self, position, seat):
        return "a1-h8"
"""


class Table:
    """A match; the other seat plays at random as soon as it may."""

    def __init__(self, scenario: str = "brief") -> None:
        self.position: Position = sandtable.game("tactics").deal(scenario, seed=3)
        self.other = sandtable.player("random", seed=1)
        self.ver, self.asked = 1, []
        self.named, self.left, self.stored = "", False, {}
        self.closed_after = 0  # looks at a table that never begins
        self.trouble: list[tuple[int, dict[str, Any]]] = []  # given to the next commands, each once

    def get(self, path: str, query: dict[str, list[str]]) -> tuple[int, dict[str, Any]]:
        self.asked.append(path)
        if path == "/api/me":
            return 200, {"name": ""}
        if path != "/api/tables/K3V9X/view":
            return 404, {"code": "unknown", "clause": "", "say": "There is no such table."}
        if self.closed_after and self.asked.count(path) > self.closed_after:
            return 200, {"ver": 0, "state": "closed", "scene": {}, "hash": "", "log": []}
        if self.closed_after:
            return 200, {"ver": 0, "state": "open", "scene": {}, "hash": "", "log": []}
        number = int(query["seat"][0])
        while others := [one for one in self.position.to_act if one != number]:
            self.play(self.other.choose(self.position, others[0]), others[0])
        scene = self.position.view(number)
        told = {"ver": self.ver, "scene": scene, "game": "tactics", "log": []}
        told["position"] = self.position.seen(number).text()
        told["book"] = book_text(self.position.book, self.position.game)
        return 200, told

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.asked.append(path)
        what = path.rpartition("/")[2]
        if what == "me":
            self.named = body["name"]
            return 200, {"name": body["name"]}
        if what == "join":
            return 200, {"seat": 1 if body["seat"] is None else body["seat"]}
        if what == "leave":
            self.left = True
            return 200, {}
        return self.command(body)

    def command(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        assert len(bytes.fromhex(body["salt"])) == 16
        if self.trouble:
            return self.trouble.pop(0)
        if body["id"] in self.stored:
            return 200, self.stored[body["id"]]
        if body["base"] != self.ver:
            return 409, {"t": "nak", "id": body["id"], "code": "stale", "clause": "", "say": "Look again."}
        self.play(body["act"], body["seat"])
        self.stored[body["id"]] = {"t": "ack", "id": body["id"], "ver": self.ver}
        return 200, self.stored[body["id"]]

    def play(self, text: str, seat: int) -> None:
        self.position.play(text, seat)
        self.ver += 1


class Door(BaseHTTPRequestHandler):
    table: Table

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.answer(*self.table.get(parts.path, parse_qs(parts.query)))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.headers["X-Sandtable"] == "1"
        assert self.headers["Content-Type"] == "application/json"
        assert self.headers["Origin"] is None
        if "sandtable_guest=secret" not in self.headers.get("Cookie", ""):
            self.answer(403, {"code": "guest", "clause": "", "say": "Who are you?"})
            return
        self.answer(*self.table.post(self.path, body))

    def answer(self, status: int, told: dict[str, Any]) -> None:
        self.send_response(status)
        if self.path == "/api/me" and self.command == "GET":
            self.send_header("Set-Cookie", "sandtable_guest=secret; Path=/; HttpOnly; SameSite=Lax")
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Table:
    return Table(getattr(request, "param", "brief"))


@pytest.fixture
def url(table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(seat, "SOONEST", 0.01)
    monkeypatch.setattr(twins, "PATIENCE", 0.0)
    door = type("OneDoor", (Door,), {"table": table})
    with ThreadingHTTPServer(("127.0.0.1", 0), door) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/t/k3v9x"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(("player", "name"), [("greedy", "greedy"), (BOT, "Bot")])
def test_a_player_takes_a_seat_and_plays_to_the_end(
    command: Command, table: Table, url: str, player: str, name: str
) -> None:
    ended = command("seat", url, "--player", player)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == f"{name} sits at table K3V9X, seat 1."
    assert table.position.outcome is not None
    assert lines[-1] == table.position.view(1)["ask"]["text"]
    played = [row.text for row in table.position.rows if row.seat == 1]
    assert lines[1:-1] == played
    assert table.named == name
    assert not table.left


@pytest.mark.parametrize("table", ["opening"], indirect=True)
def test_a_player_sets_up_beside_a_foe_that_is_ready(command: Command, table: Table, url: str) -> None:
    ended = command("seat", url, "--player", "greedy")
    assert (ended.code, ended.err) == (0, "")
    assert table.position.outcome is not None


def test_a_stale_look_or_a_busy_table_is_no_end(command: Command, table: Table, url: str) -> None:
    table.trouble = [
        (409, {"t": "nak", "id": "", "code": "stale", "say": "Look again."}),
        (200, {"t": "nak", "id": "", "code": "busy", "say": "A moment."}),
        (429, {"code": "too_fast", "clause": "", "say": "Slower."}),
    ]
    ended = command("seat", url, "--player", "random", "--seat", "0", "--name", "Ada")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Ada sits at table K3V9X, seat 0.")
    assert table.trouble == []


def test_an_illegal_answer_is_shown_and_the_seat_given_back(
    command: Command, table: Table, url: str, tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(BAD, "utf-8")
    ended = command("seat", url, "--player", f"{tmp_path}/bad.py:Liar")
    assert ended.code == 2
    assert "Liar answered 'a1-h8': " in ended.err
    assert table.left


def test_a_refusal_of_the_table_is_its_sentence(command: Command, table: Table, url: str) -> None:
    table.trouble = [(200, {"t": "nak", "id": "", "code": "gone", "clause": "", "say": "The table was closed."})]
    ended = command("seat", url, "--player", "random")
    assert (ended.code, ended.err) == (2, "sandtable seat: The table was closed.\n")
    assert table.left


def test_a_table_that_is_closed_before_it_begins(command: Command, table: Table, url: str) -> None:
    table.closed_after = 3
    ended = command("seat", url, "--player", "random")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[1:] == ["The table was closed."]


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("K3V9X", "expected a table's link"),
        ("ftp://127.0.0.1/t/K3V9X", "expected a table's link"),
        ("http://127.0.0.1:1/t/K3V9X", "does not answer"),
    ],
)
def test_a_link_that_leads_nowhere(command: Command, monkeypatch: pytest.MonkeyPatch, link: str, sentence: str) -> None:
    monkeypatch.setattr(twins, "PATIENCE", 0.0)
    ended = command("seat", link, "--player", "greedy")
    assert ended.code == 2
    assert sentence in ended.err
    assert ended.err.count("\n") == 1


def test_an_unknown_player_is_said_before_anything_is_asked(command: Command, table: Table, url: str) -> None:
    ended = command("seat", url, "--player", "nobody")
    assert ended.code == 2
    assert "no player 'nobody'" in ended.err
    assert table.asked == []
