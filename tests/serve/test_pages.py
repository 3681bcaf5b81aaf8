"""Pages and the files they load: where they are, what is sent along, and that nothing else can be had."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request

from sandtable.serve.config import WEB, Config
from sandtable.serve.doors import doors
from sandtable.serve.guests import Guests
from sandtable.serve.limits import Limits
from sandtable.serve.origins import Origins
from sandtable.serve.pages import Shelf, error_answers, page_routes
from sandtable.serve.refusals import refused
from tests.serve.asgi import ask
from tests.store.memory import Contents, MemoryStore

PAGE = {"accept": "text/html,*/*"}
SCRIPT = "export const answer = 42;\n" * 40


@pytest.fixture
def web(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    for name in ("lobby", "table", "replay", "rules", "sorry"):
        (folder / f"{name}.html").parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.html").write_text(f"<!doctype html><title>{name}</title>")
    (folder / "pages").mkdir()
    (folder / "pages" / "lobby.js").write_text(SCRIPT)
    (folder / "fonts").mkdir()
    (folder / "fonts" / "a.woff2").write_bytes(bytes(2_000))
    (folder / ".hidden.js").write_text("no")
    (folder / "notes.md").write_text("no")
    (tmp_path / "secret.txt").write_text("canary")
    if os.name != "nt":
        (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    return folder


@pytest.fixture
def app(web: Path) -> Starlette:
    async def is_there(request: Request, page: str, name: str) -> bool:
        if name == "TTTTT":
            raise refused(429, "too_fast", "Too many unknown IDs; wait 6 seconds.")
        return name in ("K3V9X", "tactics")

    shelf, limits = Shelf(web), Limits()
    guests = Guests(MemoryStore(Contents()), limits)
    return Starlette(
        routes=page_routes(shelf, guests, is_there),
        middleware=doors(Config(web), Origins([], 8844), limits),
        exception_handlers=error_answers(shelf),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("path", "page"), [("/", "lobby"), ("/t/K3V9X", "table"), ("/m/K3V9X", "replay"), ("/rules/tactics", "rules")]
)
def test_every_page_has_its_address(app: Starlette, path: str, page: str) -> None:
    answer = ask(app, path, headers=PAGE)
    assert (answer.status, answer.get("content-type")) == (200, "text/html; charset=utf-8")
    assert f"<title>{page}</title>" in answer.body.decode()
    assert answer.get("cache-control") == "no-store"
    assert ask(app, path, "HEAD", headers=PAGE).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/t/AAAAA",
        "/t/K3V9",
        "/t/K3V9XX",
        "/t/K3V9I",
        "/t/",
        "/m/K0000",
        "/rules/chess",
        "/rules/../x",
        "/nothing",
        "/t/K3V9X/more",
        "/t/%00%00%00%00%00",
        "/favicon.ico",
    ],
)
def test_what_is_not_there_is_a_page_with_a_sentence(app: Starlette, path: str) -> None:
    answer = ask(app, path, headers=PAGE)
    assert (answer.status, "<title>sorry</title>" in answer.body.decode()) == (404, True)
    answer = ask(app, path)
    assert (answer.status, answer.code) == (404, "unknown")


def test_programs_get_code_and_sentence(app: Starlette) -> None:
    assert ask(app, "/api/nothing", headers=PAGE).code == "unknown"
    assert ask(app, "/web/nothing.js", headers=PAGE).code == "unknown"


def test_who_guesses_too_much_is_told_so(app: Starlette) -> None:
    assert (ask(app, "/t/TTTTT").status, ask(app, "/t/TTTTT").code) == (429, "too_fast")
    assert ask(app, "/t/TTTTT", headers=PAGE).status == 429


def test_an_id_in_small_letters_leads_to_the_same_page(app: Starlette) -> None:
    answer = ask(app, "/t/k3v9x", headers=PAGE)
    assert (answer.status, answer.get("location")) == (308, "/t/K3V9X")


def test_a_page_brings_the_cookie_and_later_renews_it(app: Starlette) -> None:
    first = ask(app, "/").get("set-cookie")
    cookie = first.partition(";")[0]
    assert ask(app, "/", headers={"cookie": cookie}).get("set-cookie") == first


def test_files_are_asked_for_again_but_sent_once(app: Starlette, web: Path) -> None:
    answer = ask(app, "/web/pages/lobby.js")
    assert (answer.status, answer.get("content-type")) == (200, "text/javascript; charset=utf-8")
    assert answer.get("cache-control") == "no-cache"
    assert not answer.get("set-cookie")
    tag = answer.get("etag")
    again = ask(app, "/web/pages/lobby.js", headers={"if-none-match": f'"x", W/{tag}'})
    assert (again.status, again.body, again.get("etag")) == (304, b"", tag)
    (web / "pages" / "lobby.js").write_text("changed")
    again = ask(app, "/web/pages/lobby.js", headers={"if-none-match": tag})
    assert (again.status, again.body) == (200, b"changed")
    (web / "pages" / "lobby.js").unlink()
    assert ask(app, "/web/pages/lobby.js").status == 404


def test_files_are_packed_for_whoever_can_open_them(app: Starlette) -> None:
    plain = ask(app, "/web/pages/lobby.js")
    packed = ask(app, "/web/pages/lobby.js", headers={"accept-encoding": "br, gzip"})
    assert packed.get("content-encoding") == "gzip"
    assert gzip.decompress(packed.body) == plain.body == SCRIPT.encode()
    assert len(packed.body) < len(plain.body) / 4
    assert packed.get("etag") != plain.get("etag")
    assert packed.get("vary") == plain.get("vary") == "accept-encoding"
    assert not ask(app, "/web/fonts/a.woff2", headers={"accept-encoding": "gzip"}).get("content-encoding")


@pytest.mark.parametrize(
    "name",
    [
        "../secret.txt",
        "pages/../../secret.txt",
        "/etc/passwd",
        "..\\secret.txt",
        "%2e%2e/secret.txt",
        "link.txt",
        ".hidden.js",
        "notes.md",
        "pages",
        "pages/",
        "",
        ".",
        "x" * 5_000,
        "a\x00.js",
        "pages//lobby.js",
        "C:\\secret.txt",
        "lobby.html/x",
    ],
)
def test_nothing_outside_can_be_had(app: Starlette, name: str) -> None:
    answer = ask(app, f"/web/{name}")
    assert answer.status == 404
    assert b"canary" not in answer.body


def test_what_the_package_brings_can_be_had(tmp_path: Path) -> None:
    limits, shelf = Limits(), Shelf(WEB)
    routes = page_routes(shelf, Guests(MemoryStore(Contents()), limits))
    app = Starlette(routes=routes, middleware=doors(Config(tmp_path), Origins([], 8844), limits))
    assert ask(app, "/web/style/tokens.css").get("content-type") == "text/css; charset=utf-8"
    assert ask(app, "/web/art/symbols.svg").get("content-type") == "image/svg+xml"
    for name in shelf._names:
        assert ask(app, f"/web/{name}").status == 200
