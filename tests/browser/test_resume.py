"""Lines cut, servers killed, laptops closed: the page shows what the server has, and nobody loads it again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.driving import Mouse, act, ask, host, join, look, ready, skip, until
from tests.browser.server import OUTAGE, Server, Wire

HOUR = 3_600_000


@pytest.fixture
def wired(tmp_path: Any) -> Iterator[tuple[Server, Wire]]:
    """A server behind a line that can be cut."""
    wire = Wire()
    server = Server(tmp_path / "data", (f"http://127.0.0.1:{wire.port}",)).start()
    wire.server_port = server.port
    server.url = f"http://127.0.0.1:{wire.port}"
    yield server, wire
    server.end()
    wire.close()


def same(page: Any, seat: int) -> bool:
    """Whether line, board and the pieces drawn are what the server has for this seat."""
    if look(page)["playing"]:
        skip(page)
    table = page.url.rpartition("/")[2]
    try:
        told = ask(page, f"/api/tables/{table}/view?seat={seat}")
    except Exception:
        return False  # the line is still down
    shown = page.evaluate(
        """seat => [lines.get(seat)?.word, lines.get(seat)?.scene.hash(), board.scene.hash(),
            Object.fromEntries([...board.units].map(([key, {cell}]) => [key, cell.name]))]""",
        seat,
    )
    drawn = {key: unit["at"] for key, unit in told["scene"].items() if key.startswith("unit/")}
    return bool(shown[0] in ("good", "slow") and shown[1] == shown[2] == told["hash"] and shown[3] == drawn)


def hurry(page: Any) -> None:
    """Back at the window: the page tries at once and does not wait for its next turn."""
    page.evaluate("dispatchEvent(new Event('online'))")


def test_a_server_killed_in_the_middle_brings_both_back(guests: Any, server: Any, tmp_path: Any) -> None:
    own = Server(tmp_path / "data").start()
    one, other = guests(silly=OUTAGE), guests(silly=OUTAGE)
    table = host(one, own.url, "me", "open", scenario="classic")
    join(other, own.url, table)
    pages = (one, other)
    began = [page.evaluate("began") for page in pages]
    for _ in range(2):
        for _ in range(3):
            act(until(one, lambda: next((p for p in pages if look(p)["act"]), None)), Mouse())
        before = [until(page, lambda page=page, n=n: same(page, n) and look(page)) for n, page in enumerate(pages)]
        own.kill()
        for page in pages:
            until(page, lambda page=page: look(page)["word"] == "rejoining", what="the loss is noticed")
        own.start()
        for n, page in enumerate(pages):
            hurry(page)
            until(page, lambda page=page, n=n: same(page, n), 30, "the same table again")
            after = look(page)
            assert (after["ver"], after["side"]) == (before[n]["ver"], before[n]["side"])
    assert [page.evaluate("began") for page in pages] == began  # nobody loaded a page again
    act(until(one, lambda: next((p for p in pages if look(p)["act"]), None)), Mouse())
    own.end()


@pytest.mark.parametrize("way", ["cut", "in a message", "offline", "asleep"])
def test_a_line_lost_at_every_step_leads_back_to_the_same_scene(guests: Any, wired: Any, way: str) -> None:
    server, wire = wired
    one, other = guests(silly=OUTAGE), guests(silly=OUTAGE)
    if way == "asleep":
        one.clock.install()
    table = host(one, server.url, "me", "open")
    join(other, server.url, table)
    pages = (one, other)
    began = one.evaluate("began")
    for step in range(6):
        acts = until(one, lambda: next((p for p in pages if (now := look(p))["act"] or now["over"]), None))
        if look(acts)["over"]:
            break
        if way == "cut":
            wire.cut()
            wire.mend()
            acts.wait_for_timeout(30)
            hurry(acts)
            act(acts, Mouse())
        elif way == "in a message":
            wire.cut_after(60 + 37 * step)  # bytes: in a frame's head, in its middle, between two
            Mouse().pick(page=acts, name=next(iter(n for n, s in look(acts)["cells"].items() if "can act" in s), "a1"))
            acts.wait_for_timeout(150)
            wire.mend()
        elif way == "offline":
            one.context.set_offline(True)
            if acts is other:
                act(other, Mouse())
            else:
                until(one, lambda: one.evaluate("navigator.onLine") is False)
            one.context.set_offline(False)
        else:
            one.clock.fast_forward(8 * HOUR)
        for n, page in enumerate(pages):
            hurry(page)
            until(page, lambda page=page, n=n: same(page, n), 30, f"the same scene after step {step}")
        if acts is one or way != "offline":
            act(until(one, lambda: next((p for p in pages if (now := look(p))["act"] or now["over"]), None)), Mouse())
    assert one.evaluate("began") == began


def test_what_is_done_while_the_line_is_down_is_sent_when_it_is_back(guests: Any, wired: Any) -> None:
    server, wire = wired
    page = guests(silly=OUTAGE)
    host(page, server.url, "me", "me")
    now = ready(page)
    wire.cut()
    until(page, lambda: look(page)["word"] in ("rejoining", "offline"), what="the loss is noticed")
    button = now["buttons"][0]
    page.locator(f"#foot [data-act='{button}']").click()
    until(page, lambda: "Sending" in look(page)["ask"], what="it is said that it is on its way")
    wire.mend()
    hurry(page)
    until(page, lambda: same(page, now["side"]) and look(page)["ver"] > now["ver"], 30, "the action counts")
