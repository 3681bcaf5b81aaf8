"""Elements of an SVG picture, in the colours of web/style/tokens.css.

A picture must keep its colours wherever it is shown: each element states its day colour outright, and carries a class
that a style sheet inside the picture gives its lamplight colour. A viewer that drops style sheets shows the day.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib.resources import files

from sandtable.draw.scene import plain

TOKEN = re.compile(r"--([\w-]+):\s*(?:light-dark\(([^,)]+),\s*([^)]+)\)|([^;]+));")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
COLOURED = {"fill": "f", "stroke": "s", "color": "c"}  # attributes that may name a token, and the letter of their class
CLASS = re.compile(r'class="([^"]+)"')


@cache
def tokens() -> dict[str, tuple[str, str]]:
    """Each token's value by day and by lamplight."""
    sheet = (files("sandtable") / "web" / "style" / "tokens.css").read_text(encoding="utf-8")
    return {name: (day or both, lamp or both) for name, day, lamp, both in TOKEN.findall(COMMENT.sub("", sheet))}


def element(tag: str, /, *inside: str, **attributes: object) -> str:
    """One element around others: `stroke_width` becomes stroke-width, numbers are rounded, colours may be tokens."""
    classes: list[str] = []
    told: list[str] = []
    for key, value in attributes.items():
        name = key.replace("_", "-")
        if name in COLOURED and value in tokens():
            day, lamp = tokens()[str(value)]
            if day != lamp:
                classes.append(f"{COLOURED[name]}-{value}")
            value = day
        text = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
        told.append(f' {name}="{escape(text)}"')
    if classes:
        told.append(f' class="{" ".join(classes)}"')
    return f"<{tag}{''.join(told)}" + (f">{''.join(inside)}</{tag}>" if inside else "/>")


def words(tag: str, /, text: object, **attributes: object) -> str:
    """An element that holds text, whatever the text."""
    return element(tag, escape(plain(text)), **attributes)


def lamplight(drawn: str) -> str:
    """The style sheet with the lamplight colour of every class in the drawing."""
    names = {name for group in CLASS.findall(drawn) for name in group.split()}
    attributes = {letter: attribute for attribute, letter in COLOURED.items()}
    rules = [f".sandtable .{name}{{{attributes[name[0]]}:{tokens()[name[2:]][1]}}}" for name in sorted(names)]
    return element("style", "@media (prefers-color-scheme:dark){" + "".join(rules) + "}") if rules else ""
