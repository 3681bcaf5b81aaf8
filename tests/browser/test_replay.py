"""The page of a match: steps, jumps, links to a ply, files kept and brought, dice proved, forgeries refused."""

from __future__ import annotations

import contextlib
import json
import re
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import sandtable
from tests.browser.driving import host, look, screen, until


@pytest.fixture(scope="module")
def played(server: Any) -> str:
    """The ID of a match two machines have played."""
    wish = {"game": "tactics", "scenario": "brief", "book": None, "set": {}, "seed": 3, "listed": False}
    body = json.dumps(wish | {"seats": ["machine:greedy", "machine:greedy"]}).encode()
    heads = {"X-Sandtable": "1", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{server.url}/api/tables", body, heads)) as answer:
        table = str(json.load(answer)["id"])
    for _ in range(600):
        time.sleep(0.05)
        with (
            contextlib.suppress(urllib.error.HTTPError),
            urllib.request.urlopen(f"{server.url}/api/matches/{table}/replay"),
        ):
            return table
    raise AssertionError("the machines do not come to an end")


@pytest.fixture
def match(guests: Any, server: Any, played: str) -> tuple[Any, str, int]:
    """Its page, its ID, its number of plies."""
    page, table = guests(silly=r"status of (400|422)"), played
    page.goto(f"{server.url}/m/{table}")
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    plies = int(re.findall(r"of (\d+)", page.locator(".where").inner_text())[0])
    return page, table, plies


def at(page: Any) -> int:
    return int(re.findall(r"ply (\d+)", page.locator(".where").inner_text())[0])


def drawn(page: Any) -> Any:
    return page.evaluate("[board.scene.hash(), [...board.units].map(([key, {cell}]) => [key, cell.name]).sort()]")


def test_it_steps_jumps_and_plays_both_ways(match: Any) -> None:
    page, _, plies = match
    assert at(page) == 0
    seen = [drawn(page)]
    for _ in range(5):
        page.locator("#next").click()
        seen.append(drawn(page))
    assert at(page) == 5
    for n in range(4, -1, -1):
        page.locator("#previous").click()
        assert drawn(page) == seen[n]
    page.locator("#last").click()
    assert at(page) == plies
    end = drawn(page)
    screen(page, "replay")
    page.locator("#first").click()
    assert drawn(page) == seen[0]
    page.locator("select").select_option("8")
    page.locator("#play").click()
    until(page, lambda: at(page) == plies, 60, "played to the end")
    assert drawn(page) == end
    page.locator("#log li").first.click()
    assert 0 < at(page) < plies
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("End")
    assert at(page) == plies
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowLeft")
    assert at(page) == plies - 1


def test_a_link_leads_to_a_ply_and_back_works(match: Any, server: Any) -> None:
    page, table, _ = match
    page.locator("#next").click()
    page.locator("#next").click()
    page.locator("#share").click()
    link = page.locator("#bottom input.link").input_value()
    assert link == f"{server.url}/m/{table}#2"
    there = drawn(page)
    page.goto(server.url)
    page.go_back()
    until(page, lambda: page.locator(".where").count() and at(page) == 2, what="Back leads to the ply")
    other = page.context.new_page()
    other.goto(link)
    other.wait_for_selector("html[data-ready=yes]", state="attached")
    assert drawn(other) == there
    other.evaluate("location.hash = '#4'")
    until(other, lambda: at(other) == 4)


def test_the_dice_are_verified_in_the_browser(match: Any) -> None:
    page, _, _ = match
    page.locator("#verify").click()
    until(page, lambda: re.match(r"All \d+ rolls verified", page.locator("#dice h2").inner_text()))
    assert page.locator("#dice h2.good").count() == 1
    assert page.locator("#dice .bad").count() == 0
    screen(page, "replay-verified")


def test_a_roll_that_was_changed_is_found(match: Any, server: Any) -> None:
    page, table, _ = match

    def lie(route: Any) -> None:
        told = route.fetch().json()
        roll = next(ply["roll"] for ply in told["plies"][3:] if ply["roll"])
        roll["outcome"] = (roll["outcome"] + 1) % roll["count"]
        route.fulfill(json=told)

    page.route("**/replay", lie)
    page.goto(f"{server.url}/m/{table}#1")
    page.reload()
    page.locator("#verify").click()
    until(page, lambda: re.match(r"(1|One) of \d+ rolls", page.locator("#dice h2").inner_text()), what="it is found")
    assert page.locator("#dice h2.bad").count() == 1


def brought(page: Any, url: str, file: Path) -> None:
    page.goto(url)
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    page.locator("#file").set_input_files(file)


def test_a_match_is_saved_and_brought_back(match: Any, server: Any, tmp_path: Path) -> None:
    page, table, plies = match
    with page.expect_download() as waiting:
        page.locator("#save").click()
    assert waiting.value.suggested_filename == f"tactics-{table}.txt"
    file = tmp_path / "match.txt"
    waiting.value.save_as(file)
    sandtable.read_match(file.read_text("utf-8")).verify()
    brought(page, server.url, file)
    page.wait_for_url(re.compile(rf"/m/(?!{table})"))
    until(page, lambda: page.locator(".where").count())
    assert f"of {plies}" in page.locator(".where").inner_text()
    page.locator("#verify").click()
    until(page, lambda: "verified" in page.locator("#dice h2").inner_text(), what="verified")


@pytest.mark.parametrize("forge", ["a die", "an action", "the sum", "half of it", "nonsense"])
def test_a_tampered_file_is_refused_with_a_sentence(match: Any, server: Any, tmp_path: Path, forge: str) -> None:
    page, table, _ = match
    text = ask_text(page, f"/api/matches/{table}")
    lines = text.splitlines(keepends=True)
    if forge == "a die":
        n = next(n for n, line in enumerate(lines) if re.search(r"\broll\b", line))
        lines[n] = re.sub(r"\b([1-6])\b(?!.*\b[1-6]\b)", lambda found: str(int(found[1]) % 6 + 1), lines[n])
    elif forge == "an action":
        n = next(n for n, line in enumerate(lines) if re.search(r"[a-h]\d-[a-h]\d", line))
        lines[n] = re.sub(r"[a-h]\d-[a-h]\d", "a1-h8", lines[n])
    elif forge == "the sum":
        lines[-1] = lines[-1].replace(lines[-1].strip()[-1], "0" if lines[-1].strip()[-1] != "0" else "1")
    elif forge == "half of it":
        lines = lines[: len(lines) // 2]
    else:
        lines = ["<img src=x onerror=alert(1)>\n"]
    file = tmp_path / "match.txt"
    file.write_text("".join(lines), "utf-8")
    assert file.read_text("utf-8") != text
    brought(page, server.url, file)
    said = page.locator("#side [role=alert]")
    until(page, lambda: len(said.inner_text()) > 10, what="a sentence")
    assert page.url.rstrip("/") == server.url
    assert page.locator("#side [role=alert] img").count() == 0


def ask_text(page: Any, path: str) -> str:
    return str(page.evaluate(f"async () => (await fetch('{path}')).text()"))


def test_the_replay_of_a_running_match_is_not_shown(guests: Any, server: Any) -> None:
    page = guests(silly=r"status of 40[34]")
    table = host(page, server.url, "me", "machine:random")
    assert look(page)["ver"] > 0
    page.goto(f"{server.url}/m/{table}")
    until(page, lambda: len(page.locator("main").inner_text()) > 20)
    assert page.locator(".where").count() == 0
    screen(page, "replay-running")
