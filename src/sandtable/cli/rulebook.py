"""A rule book's text taken apart: sections (`## T3 A turn`) and clauses (`**T3.2** …`)."""

from __future__ import annotations

import re

from sandtable.protocol.errors import Unknown

HEADING = re.compile(r"^#+ +(?=([A-Z]+[0-9]+)\b)", re.MULTILINE)
CLAUSE = re.compile(r"^\*\*([A-Z]+[0-9]+\.[0-9]+)\*\*", re.MULTILINE)


def sections(text: str) -> list[str]:
    """The titles of the numbered sections."""
    return [text[found.end() :].partition("\n")[0].strip() for found in HEADING.finditer(text)]


def clause_text(text: str, wanted: str) -> str:
    """One clause, or a whole section, by its number in either case."""
    number = wanted.strip().upper()
    clauses = {found[1]: found.start() for found in CLAUSE.finditer(text)}
    headings = {found[1]: found.start() for found in HEADING.finditer(text)}
    if number in headings:
        return _until(text, headings[number], re.compile(r"^#{1,2} ", re.MULTILINE))
    if number in clauses:
        stop = re.compile(r"^(#|\*\*[A-Z]+[0-9]+\.[0-9]+\*\*)", re.MULTILINE)
        return _until(text, clauses[number], stop)
    raise Unknown("clause", wanted[:40], [*headings, *clauses])


def _until(text: str, start: int, stop: re.Pattern[str]) -> str:
    found = stop.search(text, start + 1)
    return text[start : found.start() if found else len(text)].rstrip() + "\n"
