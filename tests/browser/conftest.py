"""A real Chromium and a server for the client's files. Without either these tests are skipped, and say why."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.browser.server import guests, server  # noqa: F401  (fixtures)

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None  # type: ignore[assignment]

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
    "--no-first-run",
]  # fmt: skip
WEB = files("sandtable") / "web"
HERE = Path(__file__).parent
QUICK = ("test_board.py",)  # whole games of whole browsers wait for --deep until the table is finished


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They are a lane of their own: two cores are not enough for a browser and the other lanes."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")
            if item.path.name not in QUICK:
                item.add_marker("deep")


class _Files(SimpleHTTPRequestHandler):
    """The folder web/ at /web/, under the content policy of the real server."""

    def log_message(self, *said: Any) -> None:
        pass

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", "default-src 'self'; object-src 'none'; base-uri 'none'")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix("/web"))


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the client's files, as if a server had them."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(WEB))) as files_only:
        thread = threading.Thread(target=files_only.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{files_only.server_address[1]}/web"
        files_only.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The distribution's Chromium, driven by Playwright."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if sync_playwright is None:
        pytest.skip("the Python package playwright is missing")
    if found is None:
        pytest.skip("no chromium on PATH (Debian: apt-get install chromium)")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A fresh page, 900 by 900; an error in it, or anything its policy refused, fails the test."""
    context = browser.new_context(viewport={"width": 900, "height": 900})
    wrong: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield opened
    context.close()
    assert not wrong
