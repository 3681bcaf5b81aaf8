"""The board in a real browser: the scene's hash, states, pointer, keyboard, words for screen readers, speed."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.protocol.scene import changes, patched, scene_hash

SCREENS = Path(__file__).parents[2] / "build" / "screens"


@pytest.fixture
def board(page: Any, site: str) -> Any:
    """The demo's whole board, alone on the page and still: blocks do not slide."""
    page.emulate_media(reduced_motion="reduce")
    return opened(page, site, "?bare")


def opened(page: Any, site: str, asked: str = "") -> Any:
    page.goto(f"{site}/demo/board.html{asked}")
    page.wait_for_selector("use[href='#t-guard'], use[href^='#s-']", state="attached")
    return page


def until(page: Any, said: str) -> None:
    """Waits for an expression to come true; Playwright's own waiting would need a page that allows `eval`."""
    for _ in range(100):
        if page.evaluate(said):
            return
        page.wait_for_timeout(30)
    raise AssertionError(f"never came true: {said}")


def cell(page: Any, name: str) -> Any:
    return page.locator(f"#whole [data-cell='{name}'][role=gridcell]")


def middle(page: Any, name: str) -> tuple[float, float]:
    box = cell(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page: Any, name: str, **how: Any) -> None:
    page.mouse.click(*middle(page, name), **how)


def drag(page: Any, start: str, end: str) -> None:
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    page.mouse.move(*middle(page, end), steps=5)


def label(page: Any, name: str) -> str:
    return str(cell(page, name).get_attribute("aria-label"))


# ---------------------------------------------------------------- the scene


def wild(draw: random.Random) -> Any:
    """Any small value a scene may hold, with awkward keys and signs."""
    signs = 'aZ09 _"\\/\n\t\x01\x7f\u00e9\u2028\uffee\U0001f0a1\U00010348</script>'
    word = lambda: "".join(draw.choices(signs, k=draw.randrange(6)))  # noqa: E731
    kinds: list[Callable[[], Any]] = [
        word, lambda: draw.randrange(-(2**53) + 1, 2**53), lambda: draw.random() < 0.5,
        lambda: [wild(draw) for _ in range(draw.randrange(3))],
        lambda: {word(): wild(draw) for _ in range(draw.randrange(4))},
    ]  # fmt: skip
    return draw.choice(kinds)()


def test_the_hash_is_that_of_the_server(page: Any, site: str) -> None:
    opened(page, site, "?bare")
    draw = random.Random(3)
    scenes, steps = [], []
    before: dict[str, Any] = {}
    for _ in range(300):
        after = dict(before)
        for _ in range(draw.randrange(6)):
            key = f"{draw.choice(['unit', 'cell', '__proto__', 'é'])}/{draw.randrange(9)}"
            after = patched(after, [(key, None if draw.random() < 0.3 else wild(draw))])
        scenes.append([json.dumps(after), f"{scene_hash(after):08x}"])
        steps.append([json.dumps(changes(before, after)), f"{scene_hash(after):08x}"])
        before = after
    whole = "([text, hash]) => [new Scene(JSON.parse(text)).hash(), hash]"
    for mine, theirs in page.evaluate(f"scenes => scenes.map({whole})", scenes):
        assert mine == theirs
    kept = """steps => {
        const [scene, other] = [new Scene(), new Scene()];
        return steps.map(([text, hash], n) => {
            scene.patch(JSON.parse(text));
            if (n % 7 === 0) other.replace(Object.fromEntries(scene.keys().map(key => [key, scene.get(key)])));
            else other.patch(JSON.parse(text));
            return [scene.hash(), other.hash(), hash];
        });
    }"""
    for patches, replaced, theirs in page.evaluate(kept, steps):
        assert patches == replaced == theirs


@pytest.mark.parametrize("name", ["brief", "classic", "opening"])
def test_a_real_game_is_drawn_and_followed_by_changes_alone(board: Any, name: str) -> None:
    position = sandtable.game("tactics").deal(name, seed=5)
    draw = random.Random(7)
    before = position.view(seat=0)
    board.evaluate("values => { window.shown = new Scene(values); board.draw(shown) }", before)
    for _ in range(60):
        if position.outcome is not None:
            break
        seat = position.to_act[0]
        position.play(draw.choice(position.actions(seat=seat)), seat=seat)
        after = position.view(seat=0)
        told = [list(change) for change in changes(before, after)]
        board.evaluate("told => { shown.patch(told); board.draw(shown, told) }", told)
        before = after
    assert board.evaluate("shown.hash()") == f"{scene_hash(before):08x}"
    drawn = board.evaluate("Object.fromEntries([...board.units].map(([key, {cell}]) => [key, cell.name]))")
    assert drawn == {key: unit["at"] for key, unit in before.items() if key.startswith("unit/")}
    assert board.locator("#whole .layer.units > g").count() == len(drawn)
    by_change = board.evaluate("[board.layers.land, board.grid].map(layer => layer.outerHTML)")
    board.evaluate("board.draw(new Scene(Object.fromEntries(shown.keys().map(key => [key, shown.get(key)]))))")
    assert board.evaluate("[board.layers.land, board.grid].map(layer => layer.outerHTML)") == by_change


# ---------------------------------------------------------------- pointer


def test_a_click_selects_and_a_second_click_moves(board: Any) -> None:
    click(board, "d4")
    assert board.evaluate("board.selected") == "unit/d4"
    assert board.locator("#whole .cost").count() == 4  # c4, e4, d3, e3; c3 is a friend's
    assert board.locator("#whole .layer.target > g").count() == 3
    click(board, "e4")
    assert board.evaluate("[board.selected, scene.get('unit/e4').kind, board.units.has('unit/d4')]") == [
        None, "swordsmen", False,
    ]  # fmt: skip
    assert board.evaluate("board.refs") == ["cell/d4", "cell/e4"]


def test_a_target_is_aimed_at_under_the_pointer_and_taken(board: Any) -> None:
    click(board, "d4")
    board.mouse.move(*middle(board, "d5"))
    assert board.locator("#whole .shot").count() == 2
    click(board, "d5")
    assert board.evaluate("scene.get('unit/d5').side") == 0
    assert board.locator("#whole .layer.units > g").count() == 22


def test_right_click_escape_and_a_click_on_itself_back_out(board: Any) -> None:
    def press_escape() -> None:
        board.keyboard.press("Escape")
        board.keyboard.press("Escape")

    for leave in (lambda: click(board, "a6", button="right"), press_escape, lambda: click(board, "d4")):
        click(board, "d4")
        assert board.evaluate("board.selected") == "unit/d4"
        leave()
        assert board.evaluate("[board.selected, board.options.size]") == [None, 0]
        assert board.locator("#whole .bracket-ink").count() == 0


def test_a_press_on_a_piece_drags_it(board: Any) -> None:
    drag(board, "d4", "e4")
    assert board.locator("#whole .layer.carried > g").count() == 1
    assert board.locator("#whole .lifted").count() == 1
    board.mouse.up()
    assert board.evaluate("scene.get('unit/e4').kind") == "swordsmen"
    assert board.locator("#whole .layer.carried > g").count() == 0


def test_a_piece_dropped_where_it_may_not_go_returns_and_it_is_said_why(board: Any) -> None:
    drag(board, "d4", "a8")
    assert board.locator("#whole .no-way").count() == 1
    board.mouse.up()
    assert board.evaluate("board.units.get('unit/d4').cell.name") == "d4"
    assert board.locator("#whole .slip").inner_text() == "Too far. One step at a time."
    assert board.locator("#whole .lifted").count() == 0
    click(board, "d4")
    assert board.locator("#whole .slip").is_hidden()


def test_what_is_dropped_before_the_choices_came_is_not_lost(board: Any) -> None:
    late = "setTimeout(() => board.choices([{text: 'd4-e4', to: 'cell/e4', cost: 2}]), 300)"
    board.evaluate(f"() => {{ board.how.onSelect = key => {late} }}")
    drag(board, "d4", "e4")
    board.mouse.up()
    assert board.evaluate("board.units.has('unit/e4')") is False
    until(board, "board.units.has('unit/e4')")


def test_a_press_slid_off_does_nothing(board: Any) -> None:
    click(board, "d4")
    board.mouse.move(*middle(board, "e4"))
    board.mouse.down()
    board.mouse.move(*middle(board, "a8"), steps=4)
    board.mouse.up()
    assert board.evaluate("board.units.has('unit/d4')")


def test_one_press_too_many_acts_once(board: Any) -> None:
    board.evaluate("() => { window.told = []; board.how.onCommit = text => told.push(text) }")
    click(board, "d4")
    click(board, "e4", click_count=3)
    assert board.evaluate("told") == ["d4-e4"]


def test_on_glass_the_first_tap_aims_and_the_second_does_it(browser: Any, site: str) -> None:
    context = browser.new_context(viewport={"width": 700, "height": 700}, has_touch=True, reduced_motion="reduce")
    page = opened(context.new_page(), site, "?bare")

    def tap(name: str) -> None:
        page.touchscreen.tap(*middle(page, name))

    tap("d4")
    tap("e4")
    assert page.evaluate("[board.aimed, board.units.has('unit/d4')]") == ["e4", True]
    tap("e4")
    assert page.evaluate("board.units.has('unit/e4')")
    page.set_viewport_size({"width": 340, "height": 500})  # cells of 41 pixels: too small for a finger
    until(page, "board.field.size < 44")
    tap("e4")
    tap("e3")
    tap("e3")
    assert page.evaluate("[board.aimed, board.units.has('unit/e4')]") == ["e3", True]
    page.evaluate("board.press.commit()")  # the page's button
    assert page.evaluate("board.units.has('unit/e3')")
    context.close()


def test_a_palette_entry_is_dragged_in(board: Any) -> None:
    board.evaluate(
        """() => {
        const entry = document.createElement('button');
        Object.assign(entry.style, {position: 'fixed', left: '0', top: '0', width: '60px', height: '40px', zIndex: 9});
        document.body.append(entry);
        scene.patch([['palette/R', {kind: 'guard', sign: 'R', side: 0, left: 1}]]);
        board.how.onSelect = () => board.choices([{text: 'place a1 R', to: 'cell/a1'}]);
        board.how.onCommit = text => window.told = text;
        entry.addEventListener('pointerdown', event => board.press.carryIn('palette/R', event));
    }"""
    )
    board.mouse.move(30, 20)
    board.mouse.down()
    board.mouse.move(*middle(board, "a1"), steps=5)
    assert board.locator("#whole .layer.carried use[href='#t-guard']").count() == 1
    board.mouse.up()
    assert board.evaluate("told") == "place a1 R"


# ---------------------------------------------------------------- looking around


def test_the_wheel_zooms_at_the_pointer_and_keys_pan_and_reset(board: Any) -> None:
    at = middle(board, "f6")
    board.mouse.move(*at)
    board.mouse.wheel(0, -600)
    until(board, "board.pan.view.k > 1.2 && board.svg.style.transform === ''")
    assert middle(board, "f6") == pytest.approx(at, abs=1.5)
    before = middle(board, "f6")
    cell(board, "f6").focus()
    board.keyboard.press("a")
    until(board, "board.svg.style.transform === ''")
    assert middle(board, "f6")[0] > before[0] + 50
    board.mouse.move(*middle(board, "e6"))  # an empty cell: the press moves the board
    grabbed = middle(board, "e6")
    board.mouse.down()
    board.mouse.move(grabbed[0] - 40, grabbed[1] + 30, steps=4)
    board.mouse.up()
    assert middle(board, "e6") == pytest.approx((grabbed[0] - 40, grabbed[1] + 30), abs=1.5)
    board.keyboard.press("-")
    board.keyboard.press("=")
    board.keyboard.press("r")
    assert board.evaluate("board.pan.view.k") == 1
    assert middle(board, "f6") == pytest.approx(at, abs=1)


def test_f_turns_the_board_and_the_focus_stays(board: Any) -> None:
    cell(board, "e1").focus()
    low = middle(board, "e1")[1]
    board.keyboard.press("f")
    assert middle(board, "e1")[1] < 200 < low
    assert board.evaluate("document.activeElement.dataset.cell") == "e1"
    first = board.locator("#whole [role=gridcell]").first
    assert first.get_attribute("data-cell") == "h1"
    board.evaluate("board.flip(0)")
    assert middle(board, "e1")[1] == pytest.approx(low, abs=1)


def test_a_large_board_starts_with_cells_that_can_be_read(page: Any, site: str) -> None:
    opened(page, site, "?bare&size=69x100")
    assert page.evaluate("board.field.size") == 28
    assert page.evaluate("board.pan.larger")
    page.evaluate("board.focus('cell/a100')")
    cell(page, "a100").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.cell") == "b100"
    page.wait_for_timeout(200)
    box = cell(page, "b100").bounding_box()
    assert box["y"] >= 0
    assert box["x"] >= 0


# ---------------------------------------------------------------- keyboard and words


def test_a_move_by_keyboard_alone(board: Any) -> None:
    board.evaluate("document.activeElement.blur()")
    board.keyboard.press("Tab")
    assert board.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
    assert board.locator("#whole [tabindex='0']").count() == 1
    board.evaluate("board.focus('cell/c4')")
    for key in ("ArrowRight", "Enter", "ArrowRight"):
        board.keyboard.press(key)
    assert label(board, "d4") == "d4, swordsmen, White; selected"
    assert label(board, "e4") == "e4; reachable, cost 2"
    assert board.locator("#whole .layer.focus .ink-line").count() == 1
    assert board.locator("#whole .cost.aimed").count() == 1
    board.keyboard.press("Space")
    assert label(board, "e4") == "e4, swordsmen, White; can act"
    assert label(board, "b4") == "b4, archers, White, has moved; can act"
    board.keyboard.press("ArrowLeft")
    assert board.evaluate("document.activeElement.dataset.cell") == "d4"


def test_n_p_and_t_jump_to_what_can_act_and_be_taken(board: Any) -> None:
    board.evaluate("board.sources({'unit/d4': 3, 'unit/g4': 2, 'unit/e1': 1, turn: 1})")
    cell(board, "a1").focus()
    seen = []
    for key in ("n", "n", "n", "n", "p"):
        board.keyboard.press(key)
        seen.append(board.evaluate("board.selected"))
    assert seen == ["unit/d4", "unit/g4", "unit/e1", "unit/d4", "unit/e1"]
    board.keyboard.press("n")
    board.keyboard.press("t")
    assert board.evaluate("[document.activeElement.dataset.cell, board.aimed]") == ["c5", "c5"]
    board.keyboard.press("t")
    assert label(board, "d5") == "d5, axemen, Black; target, cost 2"


def test_the_pages_keys_are_handed_on_once(board: Any) -> None:
    board.evaluate(
        """() => {
        window.told = [];
        board.how.onKey = (name, down) => told.push([name, down]);
        for (const kind of ['keydown', 'keyup']) document.addEventListener(kind, board.press.key);
    }"""
    )
    cell(board, "a1").focus()
    for key in ("e", "u", "?", "Control+e", "Escape"):
        board.keyboard.press(key)
    board.keyboard.down("x")
    board.keyboard.down("x")
    board.keyboard.up("x")
    expected = ["end", "undo", "help", "back"]
    assert board.evaluate("told") == [[name, True] for name in expected] + [["danger", True], ["danger", False]]


def test_the_focus_is_seen_only_where_the_keyboard_leads(board: Any) -> None:
    click(board, "a6")
    assert board.evaluate("document.activeElement.dataset.cell") == "a6"
    assert board.locator("#whole .layer.focus .ink-line").count() == 0
    board.keyboard.press("ArrowUp")
    assert board.locator("#whole .layer.focus .ink-line").count() == 1


def test_the_grid_says_its_size_and_hides_its_drawing(board: Any) -> None:
    grid = board.locator("#whole [role=grid]")
    assert [grid.get_attribute(f"aria-{what}count") for what in ("row", "col")] == ["8", "8"]
    assert board.locator("#whole [role=row]").count() == 8
    assert board.locator("#whole .layer:not([aria-hidden=true])").count() == 0
    assert "danger" not in label(board, "e4")
    board.evaluate("board.marks({e4: '6 in 36'})")
    assert label(board, "e4") == "e4; in danger, 6 in 36"
    board.evaluate("board.marks(null)")
    assert label(board, "e4") == "e4"


def test_names_are_text_and_never_markup(board: Any) -> None:
    name = "<img src=x onerror=alert(1)>"
    board.evaluate("name => { scene.patch([['seat/0', {name, side: 0}]]); board.draw(scene, [['seat/0', {}]]) }", name)
    assert label(board, "h3") == f"h3, swordsmen, {name}; can act"
    board.evaluate("name => board.blocked('cell/e1', name)", name)
    assert board.locator("#whole .slip").inner_text() == name
    assert board.locator("#whole img").count() == 0


# ---------------------------------------------------------------- motion


def test_blocks_slide_and_come_to_rest(page: Any, site: str) -> None:
    opened(page, site, "?bare")
    took = page.evaluate(
        """async () => {
        const change = [['unit/e4', {...scene.get('unit/d4'), at: 'e4'}], ['unit/d4', null]];
        scene.patch(change);
        const started = performance.now();
        const drawn = board.draw(scene, change, {speed: 1});
        const moving = document.getAnimations().length;
        await drawn;
        return [moving, performance.now() - started, document.getAnimations().length];
    }"""
    )
    assert took[0] == 1
    assert 150 < took[1] < 600
    assert took[2] == 0


def test_a_captured_block_tips_and_is_gone(page: Any, site: str) -> None:
    opened(page, site, "?bare")
    left = page.evaluate(
        """async () => {
        const change = [['unit/d5', {...scene.get('unit/d4'), at: 'd5'}], ['unit/d4', null]];
        scene.patch(change);
        await board.draw(scene, change, {speed: 1});
        return board.layers.units.children.length;
    }"""
    )
    assert left == 22


def test_a_playback_holds_hurries_and_can_be_skipped(page: Any, site: str) -> None:
    opened(page, site, "?bare")
    seen = page.evaluate(
        """async () => {
        const {Playback} = await import('/web/board/motion.js');
        const seen = [], left = [];
        const play = new Playback({hold: 40, onChange: n => left.push(n)});
        for (let n = 0; n < 5; n++) play.push(speed => { seen.push(speed) });
        await new Promise(resolve => setTimeout(resolve, 100));
        const early = seen.length;
        play.skip();
        await new Promise(resolve => setTimeout(resolve, 50));
        return {early, seen, last: left.at(-1), running: play.running};
    }"""
    )
    assert 2 <= seen["early"] <= 4
    assert len(seen["seen"]) == 5
    assert seen["seen"][0] == 1
    assert seen["seen"][-1] == 0
    assert seen["last"] == 0
    assert seen["running"] is False


# ---------------------------------------------------------------- what it costs, how it looks


@pytest.mark.alone
def test_two_thousand_cells_are_built_and_changed_in_time(page: Any, site: str) -> None:
    opened(page, site, "?bare&size=50x40")
    build = "() => { const started = performance.now(); board.build(); return performance.now() - started }"
    built = min(page.evaluate(build) for _ in range(4))
    one = page.evaluate(
        """() => {
        const unit = scene.get('unit/a1'), times = [];
        for (let n = 0; n < 50; n++) {
            const [from, to] = n % 2 ? ['b2', 'b3'] : ['b3', 'b2']; // both free
            const change = [[`unit/${to}`, {...unit, at: to}], [`unit/${from}`, null]];
            const started = performance.now();
            scene.patch(change);
            board.draw(scene, change);
            times.push(performance.now() - started);
        }
        return times.sort((a, b) => a - b)[25];
    }"""
    )
    assert built <= 100  # the promise is 50; a shared machine gets twice that
    assert one <= 2
    assert page.evaluate("document.querySelectorAll('*').length") <= 6000


def test_the_boards_share_of_the_client_is_small() -> None:
    web = Path(sandtable.__file__).parent / "web"
    whole = sum(len(gzip.compress(file.read_bytes())) for file in (web / "board").glob("*.js"))
    assert whole <= 25_000
    styles = sum(len(gzip.compress(file.read_bytes())) for file in (web / "style").glob("*.css"))
    assert styles <= 15_000


@pytest.mark.parametrize("light", ["light", "dark"])
def test_every_state_is_drawn(page: Any, site: str, light: str) -> None:
    page.emulate_media(color_scheme=light, reduced_motion="reduce")
    opened(page, site)
    assert page.locator("#states figure").count() == 16
    assert page.locator("#sides figure").count() == 6
    face = "getComputedStyle(unit).getPropertyValue('--face-of')"
    faces = page.evaluate(f"[...document.querySelectorAll('#sides .unit')].map(unit => {face})")
    assert len(set(faces)) == 6
    assert not re.search("url\\((?!#)", page.evaluate("document.querySelector('main').outerHTML"))
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENS / f"board-{light}.png", full_page=True)
