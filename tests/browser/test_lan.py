"""On plain http under another name a browser gives neither digests nor a clipboard: people play all the same."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.driving import Mouse, act, ask, host, look, play, ready, screen, until
from tests.browser.server import Server

NAME = "sand.test"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    first = Server(tmp_path_factory.mktemp("lan") / "data").start()  # only to find a free port
    first.end()
    made = Server(tmp_path_factory.mktemp("lan") / "data", (f"http://{NAME}:{first.port}",), first.port).start()
    made.url = f"http://{NAME}:{first.port}"
    yield made
    made.end()


@pytest.fixture
def browser(browser: Any) -> Iterator[Any]:
    """Another Chromium, to which the name leads to this machine."""
    from tests.browser.conftest import FLAGS

    found = shutil.which("chromium") or shutil.which("chromium-browser")
    opened = browser.browser_type.launch(
        executable_path=found, args=[*FLAGS, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    )
    yield opened
    opened.close()


def test_over_plain_http_a_match_is_played_copied_and_checked_by_hand(guests: Any, server: Any) -> None:
    page = guests()
    page.goto(server.url)
    assert page.evaluate("[isSecureContext, crypto.subtle === undefined, navigator.clipboard === undefined]") == [
        False, True, True,
    ]  # fmt: skip
    table = host(page, server.url, "me", "open")
    copy = page.locator("#invite").get_by_text("Copy link")
    copy.click()
    assert page.evaluate("document.activeElement.matches('#invite input.link')")
    selected = (
        "document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"
    )
    assert page.evaluate(selected) == f"{server.url}/t/{table}"
    cookie = page.context.cookies()[0]
    assert not cookie["secure"]
    assert not cookie["name"].startswith("__Host-")

    table = host(page, server.url, "me", "machine:greedy")
    assert ready(page)["side"] == 0
    act(page, Mouse())
    assert play(page, Mouse()) >= 0
    page.locator("#replay").click()
    page.wait_for_url(f"**/m/{table}")
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    assert page.locator("#verify").count() == 0
    assert f"sandtable verify tactics-{table}.txt" in page.locator("#dice").inner_text()
    screen(page, "replay-http")
    with page.expect_download() as waiting:
        page.locator("#save").click()
    assert Path(waiting.value.path()).read_text("utf-8") == ask_text(page, f"/api/matches/{table}")
    page.locator("#share").click()
    assert page.evaluate(selected) == f"{server.url}/m/{table}"


def ask_text(page: Any, path: str) -> str:
    return str(page.evaluate(f"async () => (await fetch('{path}')).text()"))


def test_a_page_by_another_name_is_turned_away(guests: Any, server: Any) -> None:
    page = guests(silly=r"status of 4\d\d")
    answer = page.goto(server.url.replace(NAME, "127.0.0.1"))
    assert answer.ok  # this machine always may
    until(page, lambda: page.locator("#set-up").count())
    assert ask(page, "/api/me")["name"] == ""
    assert look(page)["ver"] == 0
