"""Two people in two browsers: they find each other by list, by ID and by link, place unseen and play to the end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.browser.driving import Mouse, act, host, look, play, ready, screen, sit, until
from tests.browser.server import MISSING


def frames(page: Any) -> list[dict[str, Any]]:
    """What the server sends this page from now on; the page must not have been opened yet."""
    told: list[dict[str, Any]] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda text: told.append(json.loads(text))))
    return told


def seat_by_list(page: Any, url: str, table: str) -> None:
    page.goto(url)
    page.locator(f"[data-table='{table}'] button").click()


def seat_by_id(page: Any, url: str, table: str) -> None:
    page.goto(url)
    page.locator(".code input").first.fill(f" {table.lower()} ")
    page.locator(".code button").click()


def seat_by_link(page: Any, url: str, table: str) -> None:
    page.goto(f"{url}/t/{table.lower()}")
    page.locator("#sit").wait_for()
    screen(page, "invited")
    page.locator("#sit").click()


def seat_by_pasted_link(page: Any, url: str, table: str) -> None:
    page.goto(url)
    page.locator(".code input").first.fill(f"{url}/t/{table}")
    page.locator(".code input").first.press("Enter")


def met(guests: Any, url: str, join: Any, scenario: str = "brief") -> tuple[Any, Any, list[dict[str, Any]]]:
    """A host and a friend at one table, and what the friend's browser is told."""
    one, other = guests(), guests()
    told = frames(other)
    one.goto(url)
    table = host(one, url, "me", "open", scenario=scenario, listed=True)
    assert one.locator(".code-large").inner_text() == table
    assert one.locator("#invite input.link").input_value() == f"{url}/t/{table}"
    join(other, url, table)
    other.wait_for_url(f"**/t/{table}")
    for page in (one, other):
        until(page, lambda page=page: look(page)["ver"], what="the match has begun")
    return one, other, told


def in_turn(one: Any, other: Any, most: int = 500) -> int:
    """Both play, whoever is to act, to the end."""
    for count in range(most):
        acts = until(one, lambda: next((p for p in (one, other) if (now := look(p))["over"] or now["act"]), None))
        if not act(acts, Mouse()):
            return count
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("join", [seat_by_list, seat_by_id, seat_by_link, seat_by_pasted_link])
def test_two_browsers_meet(guests: Any, server: Any, join: Any) -> None:
    one, other, _ = met(guests, server.url, join)
    until(other, lambda: (look(one)["side"], look(other)["side"]) == (0, 1), what="a seat each")
    assert "you are Black" in other.locator("#strip").inner_text()


def test_two_browsers_play_a_whole_game(guests: Any, server: Any) -> None:
    one, other, _ = met(guests, server.url, seat_by_link)
    assert in_turn(one, other) > 1
    for page in (one, other):
        until(page, lambda page=page: look(page)["over"], what="the end")
    assert one.locator("#ending p").inner_text() == other.locator("#ending p").inner_text()
    assert one.evaluate("board.scene.get('turn')") == other.evaluate("board.scene.get('turn')")


def placed(page: Any) -> None:
    """The whole army at random, then ready."""
    until(page, lambda: page.locator("#random:enabled").count(), what="a palette")
    page.locator("#random").click()
    until(page, lambda: look(page)["buttons"] == ["ready"], 30, "all placed")
    page.locator("#foot [data-act=ready]").click()


def unseen(guests: Any, server: Any) -> tuple[Any, Any]:
    """Both place, and neither browser ever holds anything of the other's army before the reveal."""
    one, other, told = met(guests, server.url, seat_by_id, "opening")
    chooser = until(one, lambda: next((p for p in (one, other) if len(look(p)["buttons"]) == 2), None))
    Mouse().press(chooser, "attack")
    until(other, lambda: other.locator("#random:enabled").count(), what="a palette")
    before = len(told)
    placed(one)
    until(one, lambda: look(one)["buttons"] != ["ready"])
    until(other, lambda: "ready" in other.locator("#strip [data-seat='0']").inner_text(), what="the other is ready")
    screen(other, "unseen")
    for frame in told:
        changed = frame["ch"] if frame["t"] == "ev" else list(frame.get("scene", {}).items())
        assert not [value for key, value in changed if key.startswith("unit/") and value], frame
    spoken = [frame for frame in told[before:] if frame["t"] == "ev" and frame["by"] == 0]
    assert len(spoken) <= 1  # that the other is ready, and not how it came to that
    assert other.locator("#board .layer.units > g").count() == 0
    assert look(other)["units"] == {}
    assert not any("White" in (label or "") for label in other.evaluate(
        "[...document.querySelectorAll('#board [role=gridcell]')].map(cell => cell.getAttribute('aria-label'))"
    ))  # fmt: skip
    placed(other)
    for page in (one, other):
        until(page, lambda page=page: page.locator("#board .layer.units > g").count() == 30, what="the reveal")
    return one, other


def test_both_place_unseen_and_go_on(guests: Any, server: Any) -> None:
    one, other = unseen(guests, server)
    for _ in range(6):
        acts = until(one, lambda: next((p for p in (one, other) if look(p)["act"]), None))
        act(acts, Mouse())


@pytest.mark.deep
def test_both_place_unseen_and_play_to_the_end(guests: Any, server: Any) -> None:
    one, other = unseen(guests, server)
    assert in_turn(one, other, 1500) > 20


def test_a_reload_in_the_middle_changes_nothing(guests: Any, server: Any) -> None:
    page = guests()
    host(page, server.url, "me", "machine:greedy", scenario="classic")
    for _ in range(3):
        act(page, Mouse())
    ready(page)
    before = until(page, lambda: (now := look(page))["buttons"] and now["cells"] and now)
    page.reload()
    kept = ("cells", "buttons", "units", "ver", "side", "ask")
    until(page, lambda: [look(page)[what] for what in kept] == [before[what] for what in kept], what="the same again")
    act(page, Mouse())


def test_a_seat_left_shows_at_once_and_a_link_to_a_match_that_is_over_shows_its_replay(
    guests: Any, server: Any
) -> None:
    one, other, _ = met(guests, server.url, seat_by_list)
    third = guests(silly=MISSING)
    table = one.url.rpartition("/")[2]
    other.context.close()
    until(one, lambda: "away" in one.locator("#strip [data-seat='1']").inner_text(), what="away")
    one.get_by_label("Draw, give up, leave").first.click()
    one.locator("#strip .menu").get_by_text("Give up", exact=True).click()
    one.locator("#notice").get_by_text("Give up", exact=True).click()
    until(one, lambda: look(one)["over"])
    third.goto(f"{server.url}/t/{table}")
    third.wait_for_url(f"**/m/{table}")


@pytest.mark.deep
def test_a_game_is_played_whole_by_two_at_one_browser(guests: Any, server: Any) -> None:
    page = guests()
    host(page, server.url, "me", "me")
    assert play(page, Mouse()) > 1


def test_ones_own_invitation_in_the_same_browser_says_so(guests: Any, server: Any) -> None:
    page = guests()
    table = host(page, server.url, "me", "open")
    sit(page, server.url, table)
    until(page, lambda: "your own invitation" in page.locator("#invite").inner_text())
    assert page.locator("#sit").count() == 0
