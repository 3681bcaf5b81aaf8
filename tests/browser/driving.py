"""What a person does at a page, by mouse or by keys. Of the game it knows one rule of thumb: go for the Guard."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SCREENS = Path(__file__).parents[2] / "build" / "screens"
PATIENCE_S = 15.0
# Everything a player sees of the state, in one look. `mine`: somebody at this page is to act and can.
LOOK = """() => {
    const all = window.lines ? [...lines.values()] : [];
    const live = all.filter(one => one.word !== "moved");
    const ask = document.getElementById("headline")?.textContent; // of the seat that is shown, where several are ours
    const acting = live.filter(one => one.scene.get("ask")?.act);
    const line = acting.find(one => one.scene.get("ask").text === ask) ?? acting[0] ?? live[0] ?? all[0];
    const hidden = id => document.getElementById(id)?.hidden ?? true;
    const cells = {};
    for (const cell of document.querySelectorAll("#board [role=gridcell]")) {
        const [here, state = ""] = cell.getAttribute("aria-label").split("; ");
        if (state) cells[cell.dataset.cell] = state;
    }
    const buttons = [...document.querySelectorAll("#foot .buttons button:enabled")].map(one => one.dataset.act);
    return {
        cells, buttons, over: !hidden("ending"), cover: !hidden("cover"),
        playing: Boolean(document.getElementById("skip")) && !hidden("story"),
        ask: document.getElementById("headline")?.textContent ?? "", title: document.title, ver: line?.ver ?? 0,
        units: Object.fromEntries((line?.scene.keys("unit/") ?? []).map(key => [key, line.scene.get(key)])),
        palette: document.querySelectorAll("#palette button.entry:enabled").length,
        foot: document.querySelector("#foot .buttons")?.textContent ?? "",
        act: line?.scene.get("ask")?.act === true, word: line?.word ?? "", seat: window.board?.flipped ?? 0,
        side: line?.seat ?? null, sending: document.getElementById("headline")?.textContent === "Sending …",
    };
}"""


def until(page: Any, true: Callable[[], Any], seconds: float = PATIENCE_S, what: str = "") -> Any:
    """Waits for something to come true; Playwright's own waiting would need a page that allows `eval`."""
    deadline = time.monotonic() + seconds
    while not (found := true()):
        if time.monotonic() > deadline:
            SCREENS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=SCREENS / "failed.png")
            raise AssertionError(f"never came true: {what or true}; the page says {json.dumps(look(page))[:1500]}")
        page.wait_for_timeout(15)
    return found


def look(page: Any) -> dict[str, Any]:
    return dict(page.evaluate(LOOK))


def screen(page: Any, name: str) -> None:
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENS / f"{name}.png")


# ---------------------------------------------------------------- tables without a dialog


def ask(page: Any, path: str, body: Any = None) -> Any:
    """The server's answer to this page's guest."""
    how = (
        "{}"
        if body is None
        else f"""{{method: "POST", headers: {{"X-Sandtable": "1", "content-type": "application/json"}},
        body: {json.dumps(json.dumps(body))}}}"""
    )
    return page.evaluate(f"async () => (await fetch({json.dumps(path)}, {how})).json()")


def host(page: Any, url: str, *seats: str, scenario: str = "brief", listed: bool = False, **more: Any) -> str:
    """A table, its page opened."""
    if not page.url.startswith(url):
        page.goto(url)
    wish = {
        "game": "tactics",
        "scenario": scenario,
        "book": None,
        "set": {},
        "seed": 7,
        "seats": seats,
        "listed": listed,
    }
    made = ask(page, "/api/tables", wish | more)
    assert "id" in made, made
    sit(page, url, made["id"])
    return str(made["id"])


def sit(page: Any, url: str, table: str) -> None:
    """The page of a table, its seat taken if it has one to give."""
    page.goto(f"{url}/t/{table}")
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    until(page, lambda: look(page)["word"] == "good", what="a good line")


def join(page: Any, url: str, table: str) -> None:
    if not page.url.startswith(url):
        page.goto(url)
    assert "seat" in ask(page, f"/api/tables/{table}/join", {"seat": None})
    sit(page, url, table)


# ---------------------------------------------------------------- the board


def middle(page: Any, name: str) -> tuple[float, float]:
    box = page.locator(f"#board [data-cell='{name}'][role=gridcell]").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page: Any, name: str) -> None:
    page.mouse.click(*middle(page, name))


def far(one: str, other: str) -> int:
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1:]) - int(other[1:])))


def skip(page: Any) -> None:
    """To the present; the playback may have come there by itself meanwhile."""
    page.evaluate("document.getElementById('skip')?.click()")


def ready(page: Any) -> dict[str, Any]:
    """The page once its person can do something, or the match is over."""

    def can() -> dict[str, Any] | None:
        now = look(page)
        if now["playing"]:
            skip(page)
            return None
        acts = now["act"] and not now["sending"] and now["title"].startswith("Your turn")
        can = any("can act" in state for state in now["cells"].values()) or now["buttons"] or now["palette"]
        return now if now["over"] or (acts and can) else None

    return dict(until(page, can, 30, "my turn, or the end"))


class Mouse:
    """Acts by clicks alone."""

    def pick(self, page: Any, name: str) -> None:
        click(page, name)

    def take(self, page: Any, name: str) -> None:
        click(page, name)
        page.mouse.move(2, 2)

    def leave(self, page: Any) -> None:
        page.mouse.click(*middle(page, "a1"), button="right")

    def press(self, page: Any, act: str) -> None:
        page.locator(f"#foot [data-act='{act}']").click()

    def again(self, page: Any) -> None:
        page.locator("#foot .buttons button").click()


class Keys:
    """Acts without a pointer."""

    def walk(self, page: Any, name: str) -> None:
        for _ in range(40):
            here = page.evaluate("document.activeElement.closest('#board [role=gridcell]')?.dataset.cell ?? null")
            if here == name:
                return
            if here is None:
                page.keyboard.press("n")
                if page.evaluate("document.activeElement.closest('#board [role=gridcell]') === null"):
                    self.reach(page, "#board [role=gridcell]")
                continue
            flipped = page.evaluate(
                "document.querySelector('#board [data-cell=a1]').getBoundingClientRect().y"
                " < document.querySelector('#board [data-cell=a8]').getBoundingClientRect().y"
            )
            across, up = ord(name[0]) - ord(here[0]), int(name[1:]) - int(here[1:])
            way = (
                ("ArrowLeft", "ArrowRight")[(across > 0) != flipped]
                if across
                else ("ArrowDown", "ArrowUp")[(up > 0) != flipped]
            )
            page.keyboard.press(way)
        raise AssertionError(f"the arrows do not lead to {name}")

    def reach(self, page: Any, selector: str) -> None:
        """Tab until something has the focus."""
        for _ in range(60):
            if page.evaluate(f"document.activeElement?.closest({json.dumps(selector)}) !== null"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"Tab never comes to {selector}")

    def pick(self, page: Any, name: str) -> None:
        self.walk(page, name)
        if "selected" not in look(page)["cells"].get(name, ""):
            page.keyboard.press("Enter")

    def take(self, page: Any, name: str) -> None:
        self.walk(page, name)
        page.keyboard.press("Enter")

    def leave(self, page: Any) -> None:
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")

    def press(self, page: Any, act: str) -> None:
        if len(look(page)["buttons"]) > 1:
            self.reach(page, f"#foot [data-act='{act}']")
            page.keyboard.press("Enter")
            return
        page.keyboard.press("e")

    def again(self, page: Any) -> None:
        page.keyboard.press("e")


def act(page: Any, hands: Mouse | Keys) -> bool:
    """One action of whoever is to act here: a capture if there is one, else towards the enemy's Guard. False: over."""
    now = ready(page)
    if now["over"]:
        return False
    sources = [name for name, state in now["cells"].items() if "can act" in state]
    goals = [unit["at"] for unit in now["units"].values() if unit["side"] != now["side"] and unit["kind"] == "guard"]
    goal = goals[0] if goals else "d5"
    for name in sorted(sources, key=lambda name: (far(name, goal), name))[:4]:
        hands.pick(page, name)
        options = until(page, lambda: marked(page), what=f"{name}'s options")
        best = min(options, key=lambda to: ("target" not in options[to], far(to, goal), to))
        is_good = to_guard(now, best) or "target" in options[best] or far(best, goal) < far(name, goal)
        if is_good or (name == sources[-1] and now["ver"] % 3 == 0):
            hands.take(page, best)
            done(page, now, hands)
            return True
        hands.leave(page)
    hands.press(page, now["buttons"][0])
    done(page, now, hands)
    return True


def to_guard(now: dict[str, Any], name: str) -> bool:
    return any(
        unit["at"] == name and unit["kind"] == "guard" and unit["side"] != now["side"] for unit in now["units"].values()
    )


def marked(page: Any) -> dict[str, str]:
    """Cells where the selected one may go, or hit."""
    return {name: state for name, state in look(page)["cells"].items() if re.search("reachable|target", state)}


def done(page: Any, before: dict[str, Any], hands: Mouse | Keys) -> None:
    """Waits until the action is part of the match; what is asked once more is confirmed."""

    def counts() -> bool:
        now = look(page)
        if now["ver"] > before["ver"] or now["over"]:
            return True
        if "press again" in now["foot"]:
            hands.again(page)
        take = page.locator("#option:not([hidden]) .bad + .row #take")
        if take.count():
            take.focus()
            page.keyboard.press("Enter")
        return False

    until(page, counts, what="the action counts")


def play(page: Any, hands: Mouse | Keys, most: int = 400) -> int:
    """To the end; how many actions."""
    for count in range(most):
        if not act(page, hands):
            return count
    raise AssertionError("the match does not end")
