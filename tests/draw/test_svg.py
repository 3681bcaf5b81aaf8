"""A scene as a picture: well formed, complete in itself, told without colour and without eyes."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from sandtable.draw import svg
from sandtable.draw.ink import element, tokens
from sandtable.draw.signs import symbol
from tests.draw.scenes import KINDS, deployment, midgame

SVG = "{http://www.w3.org/2000/svg}"


def parsed(scene: dict[str, Any], width: int = 480) -> ElementTree.Element:
    return ElementTree.fromstring(svg(scene, width))


@pytest.mark.parametrize("scene", [midgame(), deployment()], ids=["midgame", "deployment"])
@pytest.mark.parametrize("width", [120, 480, 804])
def test_needs_nothing_beside_it(scene: dict[str, Any], width: int) -> None:
    drawn = svg(scene, width)
    ids = re.findall(r'\bid="([^"]+)"', drawn)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', drawn)) <= {(i, "") for i in ids} | {("", i) for i in ids}
    assert "var(" not in drawn
    assert drawn.count("http") == 1  # the name of SVG itself
    root = ElementTree.fromstring(drawn)
    assert (root.get("width"), root.get("height"), root.get("role")) == (str(width), str(width), "img")


def test_says_itself_in_words() -> None:
    root = parsed(midgame())
    assert [part.tag for part in list(root)[:2]] == [SVG + "title", SVG + "desc"]
    assert root.findtext(SVG + "title") == "White against Black, turn 14"
    described = root.findtext(SVG + "desc") or ""
    assert "archers b4 (moved)" in described
    assert described.endswith("White: move a piece (7 points left) or end the turn.")
    assert "24 cells are hidden." in (parsed(deployment()).findtext(SVG + "desc") or "")


def test_every_piece_is_drawn_once() -> None:
    uses = [use.get("href") for use in parsed(midgame()).iter(SVG + "use")]
    assert len(uses) == 23
    assert uses.count("#sandtable-t-guard") == 2


def test_sides_differ_in_shape_and_moved_pieces_lie_flat() -> None:
    groups: dict[str, int] = {}
    for group in parsed(midgame()).findall(SVG + "g"):
        paths = group.findall(SVG + "path")
        kind = "flat" if group.find(SVG + "rect") is not None else "Q" if "Q" in paths[-1].get("d", "") else "L"
        groups[kind] = groups.get(kind, 0) + 1
    assert groups == {"flat": 1, "Q": 10, "L": 12}


def test_fog_is_stippled_and_the_rest_is_not() -> None:
    def stippled(scene: dict[str, Any]) -> int:
        return svg(scene).count('fill="url(#sandtable-fog)"')

    assert stippled(deployment()) == 24
    assert stippled(midgame()) == 0


def test_guard_squares_and_dotted_lines() -> None:
    lozenges = [path for path in parsed(deployment()).findall(SVG + "path") if path.get("fill") == "none"]
    assert len(lozenges) == 4
    assert len(parsed(deployment()).findall(SVG + "line")) == 2


def test_coordinates_go_before_they_are_too_small_to_read() -> None:
    sizes = {text.get("font-size") for text in parsed(midgame(), 240).iter(SVG + "text")}
    assert sizes == {"12.5"}
    assert not list(parsed(midgame(), 160).iter(SVG + "text"))


def test_lamplight_has_every_colour_that_changes() -> None:
    drawn = svg(deployment())
    used = {name for group in re.findall(r' class="([fsc]-[^"]+)"', drawn) for name in group.split()}
    assert used
    for name in used:
        assert f".sandtable .{name}{{" in drawn


def test_names_are_text_never_markup() -> None:
    scene = midgame() | {"seat/0": {"name": '</title><b class="f-none">&\x00\ud800', "side": 0, "state": "to act"}}
    title = parsed(scene).findtext(SVG + "title")
    assert title == '</title><b class="f-none">&   against Black, turn 14'


@pytest.mark.parametrize("kind", KINDS.values())
def test_every_kind_has_its_symbol(kind: str) -> None:
    assert symbol(kind) == f"t-{kind}"


def test_a_board_may_say_whose_symbols_it_means() -> None:
    assert symbol("guard") == "t-guard"
    assert symbol("guard", "c") == "c-guard"


def test_a_kind_without_symbol_shows_its_letter() -> None:
    scene = midgame()
    scene["unit/e1"] = scene["unit/e1"] | {"kind": "elephants", "sign": "X"}
    assert "X" in [text.text for text in parsed(scene).iter(SVG + "text")]


def test_tokens_are_read_by_day_and_by_lamplight() -> None:
    assert tokens()["sand"] == ("#E6DBC4", "#3A352B")
    assert tokens()["ebony"] == ("#33291F", "#33291F")
    assert all(re.fullmatch("#[0-9A-F]{6}", colour) for pair in tokens().values() for colour in pair)


def test_elements_round_their_numbers() -> None:
    assert element("line", x1=10.0, y1=0.333333, stroke_width=1) == '<line x1="10" y1="0.33" stroke-width="1"/>'
