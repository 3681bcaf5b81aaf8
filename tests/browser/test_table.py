"""A table in a real browser: whole games by mouse and by keys, hot-seat, machines, draws, taking back, tabs."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from tests.browser.driving import (
    Keys,
    Mouse,
    act,
    ask,
    click,
    host,
    join,
    look,
    marked,
    middle,
    play,
    ready,
    screen,
    sit,
    until,
)  # fmt: skip


def whole(page: Any, server: Any, hands: Mouse | Keys) -> None:
    """A game to its end; where the first roll of dice ended it at once, another one."""
    count = play(page, hands)
    while count < 8:
        assert page.locator("#ending").is_visible()
        host(page, server.url, "me", "machine:greedy")
        count += play(page, hands)
    assert page.locator("#ending").is_visible()
    assert page.title().startswith("Over")


def test_a_whole_game_by_mouse_against_a_machine(guests: Any, server: Any) -> None:
    page = guests()
    host(page, server.url, "me", "machine:greedy")
    ready(page)
    screen(page, "table")
    whole(page, server, Mouse())
    screen(page, "table-over")


def test_a_whole_game_by_keyboard_alone(guests: Any, server: Any) -> None:
    page = guests()
    host(page, server.url, "me", "machine:greedy")
    whole(page, server, Keys())


# ---------------------------------------------------------------- what is always said, what is always possible


def test_title_icon_and_prompt_say_whose_turn_it_is(guests: Any, server: Any) -> None:
    one, other = guests(), guests()
    table = host(one, server.url, "me", "open")
    assert one.locator("#headline").inner_text() == "Waiting for somebody to sit down."
    join(other, server.url, table)
    now = until(one, lambda: (a := look(one), b := look(other)) and (a["act"] or b["act"]) and (a, b))
    acts, waits = (one, other) if now[0]["act"] else (other, one)
    until(acts, lambda: acts.title().startswith("Your turn · Tactics"), what="the title")
    assert acts.locator("#icon").get_attribute("href") == "/web/art/icon-turn.svg"
    assert acts.request.get(f"{server.url}/web/art/icon-turn.svg").ok
    until(waits, lambda: waits.title().startswith("Tactics"))
    assert waits.locator("#icon").get_attribute("href") == "/web/art/icon.svg"
    assert look(waits)["cells"] == {}
    assert look(waits)["buttons"] == []
    assert look(waits)["ask"].startswith("Waiting for")


def test_hot_seat_needs_no_cover_where_both_see_the_same(guests: Any, server: Any) -> None:
    page = guests()
    host(page, server.url, "me", "me")
    sides = set()
    for _ in range(60):
        now = ready(page)
        assert not now["cover"]
        sides.add(now["side"])
        if len(sides) == 2 or not act(page, Mouse()):
            break
    assert sides == {0, 1}


# Wherever one could look at the board or at the sheet, the cover lies on top.
COVERED = """["main", "sheet"].every(id => {
    const {left, top, right, bottom, width, height} = document.getElementById(id).getBoundingClientRect();
    const places = [[left + 9, top + 9], [right - 9, bottom - 9], [left + width / 2, top + height / 2]];
    return width > 99 && places.every(([x, y]) => document.elementFromPoint(x, y)?.closest("#cover"));
})"""


def test_hot_seat_covers_the_board_while_armies_are_placed(guests: Any, server: Any) -> None:
    page = guests()
    host(page, server.url, "me", "me", scenario="opening")
    now = ready(page)
    assert not now["cover"]
    Mouse().press(page, now["buttons"][0])
    covers = []
    for _ in range(2):
        until(
            page, lambda: look(page)["cover"] or page.locator("#random:enabled").count(), what="a cover, or a palette"
        )
        if look(page)["cover"]:
            covers.append(page.locator("#cover h1").inner_text())
            screen(page, "cover")
            assert page.evaluate(COVERED)
            page.locator("#cover button").click()
        until(page, lambda: page.locator("#random:enabled").count(), what="a palette")
        assert page.locator("#board .layer.units > g").count() == 0  # the other's army is not there
        page.locator("#random").click()
        until(page, lambda: look(page)["buttons"] == ["ready"], 30, "all placed")
        page.locator("#foot [data-act=ready]").click()
    assert len(covers) >= 1
    until(page, lambda: page.locator("#board .layer.units > g").count() == 30, what="both armies")
    ready(page)
    assert not look(page)["cover"]


def test_two_machines_are_watched_and_the_first_input_jumps_to_the_present(guests: Any, server: Any) -> None:
    page = guests(still=False)
    table = host(page, server.url, "machine:greedy", "machine:greedy", scenario="classic")
    until(page, lambda: look(page)["playing"], what="a playback")
    began = time.monotonic()
    until(page, lambda: page.locator("#log li").count() > 3, what="steps are shown")
    screen(page, "watching")
    shown = "[board.scene.hash(), lines.get(null).scene.hash()]"
    page.locator("#skip").click()
    until(page, lambda: len(set(page.evaluate(shown))) == 1 or look(page)["playing"], what="the present")
    until(page, lambda: look(page)["over"], 60, "the end")
    assert time.monotonic() - began < 60
    assert len(set(page.evaluate(shown))) == 1
    assert page.locator("#again").is_visible() or page.locator("#replay").is_visible()
    assert ask(page, f"/api/matches/{table}/replay")["result"]


# ---------------------------------------------------------------- giving up, drawing, taking back


def menu(page: Any, name: str, sure: bool = True) -> None:
    page.get_by_label("Draw, give up, leave").first.click()
    page.locator("#strip .menu").get_by_text(name, exact=True).click()
    page.locator("#notice").get_by_text(name if sure else "No", exact=True).click()


def both(guests: Any, server: Any, scenario: str = "brief") -> tuple[Any, Any, str]:
    one, other = guests(), guests()
    table = host(one, server.url, "me", "open", scenario=scenario)
    join(other, server.url, table)
    until(one, lambda: look(one)["ver"])
    return one, other, table


def test_giving_up_is_asked_once_more_and_ends_the_match(guests: Any, server: Any) -> None:
    one, other, _ = both(guests, server)
    menu(one, "Give up", sure=False)
    assert not look(one)["over"]
    menu(one, "Give up")
    for page in (one, other):
        until(page, lambda page=page: look(page)["over"], what="the end")
        assert page.locator("#ending").inner_text().startswith("White: lost · Black: won")
        assert page.title().startswith("Over")


def test_a_draw_is_offered_passed_over_and_agreed_to(guests: Any, server: Any) -> None:
    one, other, _ = both(guests, server)
    menu(one, "Offer a draw")
    until(one, lambda: "Your offer of a draw stands." in one.locator("#notice").inner_text())
    until(other, lambda: "White offers a draw." in other.locator("#notice").inner_text())
    screen(other, "draw")
    other.locator("#notice").get_by_text("Agree").click()
    for page in (one, other):
        until(page, lambda page=page: look(page)["over"], what="the end")
        assert page.locator("#ending").inner_text().startswith("White: drew · Black: drew")


def moved(page: Any) -> bool:
    """Some action of this seat that leaves its turn going, from its very beginning."""
    return page.locator("#undo:enabled").count() > 0


def test_actions_are_taken_back_one_by_one_and_to_the_start_of_the_turn(guests: Any, server: Any) -> None:
    page = guests()
    host(page, server.url, "me", "me", scenario="opening")
    Mouse().press(page, ready(page)["buttons"][0])
    until(page, lambda: look(page)["cover"] or page.locator("#palette button.entry:enabled").count())
    if look(page)["cover"]:
        page.locator("#cover button").click()
    units = page.locator("#board .layer.units > g")
    for count, (name, home) in enumerate((("Pikemen", "a"), ("Cavalry", "b"), ("Mages", "c"))):
        entry = page.locator("#palette button.entry", has_text=name.lower())
        until(page, lambda entry=entry: entry.and_(page.locator(":enabled")).count())
        entry.click()
        places = until(page, lambda home=home: [name for name in marked(page) if name[0] == home])
        click(page, places[0])
        until(page, lambda count=count: units.count() == count + 1)
    until(page, lambda: moved(page))
    page.keyboard.press("u")
    until(page, lambda: units.count() == 2)
    until(page, lambda: moved(page))
    page.locator("#undo-turn").click()
    until(page, lambda: units.count() == 0)
    until(page, lambda: page.locator("#undo:disabled").count())
    page.locator("#palette button.entry:enabled", has_text="mages").wait_for()
    entry = page.locator("#palette button.entry", has_text="mages").bounding_box()
    page.mouse.move(entry["x"] + 20, entry["y"] + 20)  # and dragged instead of clicked
    page.mouse.down()
    seat = look(page)["side"]
    page.mouse.move(*middle(page, "a2" if seat == 0 else "a7"), steps=6)
    page.mouse.up()
    until(page, lambda: units.count() == 1)
    screen(page, "placing")


# ---------------------------------------------------------------- tabs, next matches


def test_the_newest_tab_has_the_seat_and_the_old_one_says_so(guests: Any, server: Any) -> None:
    old = guests()
    table = host(old, server.url, "me", "open")
    new = old.context.new_page()
    sit(new, server.url, table)
    until(old, lambda: look(old)["word"] == "moved", what="moved")
    assert "open in another tab" in old.locator("#notice").inner_text()
    old.locator("#notice").get_by_text("Take over here").click()
    until(new, lambda: look(new)["word"] == "moved", what="moved back")
    until(old, lambda: look(old)["word"] == "good")
    assert old.locator("#notice").is_hidden()


def test_a_rematch_leads_both_to_one_table_with_sides_swapped(guests: Any, server: Any) -> None:
    one, other, table = both(guests, server)
    menu(one, "Give up")
    until(other, lambda: look(other)["over"])
    one.locator("#rematch").click()
    one.wait_for_url(re.compile(rf"/t/(?!{table})"))
    until(other, lambda: other.locator("a#rematch").count(), what="the way to the next match")
    other.locator("a#rematch").click()
    other.wait_for_url(one.url)
    for page, side in ((one, 1), (other, 0)):
        until(page, lambda page=page: look(page)["word"] == "good")
        assert look(page)["side"] == side
    until(one, lambda: look(one)["ver"])


@pytest.mark.parametrize("size", [(360, 740), (800, 600)])
def test_small_windows_show_board_and_sheet(guests: Any, server: Any, size: tuple[int, int]) -> None:
    page = guests(viewport={"width": size[0], "height": size[1]})
    host(page, server.url, "me", "machine:random")
    ready(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    screen(page, f"table-{size[0]}")
