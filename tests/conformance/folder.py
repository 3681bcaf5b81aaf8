"""What must lie in a game's folder and in the folder of its tests. Whatever is missing is one sentence."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

LANGUAGES = ("en", "es")
FILES = {
    "__init__.py": "one value GAME",
    "layout.py": "its records and named numbers",
    "notation.py": "its texts",
    "book.toml": "every number of its rules",
    "RULES.md": "a rule book",
    "RULES.es.md": "a rule book in Spanish",
    "words/en.toml": "sentences in English",
    "words/es.toml": "sentences in Spanish",
    "scenarios/brief.toml": "a short scenario: few units a side, over in about thirty actions",
}
TESTS = {
    "test_clauses.py": "a test for every clause",
    "naive.py": "the rule book once more in plain Python objects",
    "test_naive.py": "games at random through the rules and that twin",
    "test_view.py": "a test that nothing secret escapes",
}
WORDS = {"refusal": ("over",), "reason": ("agreed",), "side": (), "ask": ()}  # tables, and names every game needs


def complaints(folder: Path, tests: Path, letter: str) -> list[str]:
    """Everything that is missing or does not fit together."""
    return [
        *_missing(folder, FILES),
        *_missing(tests, TESTS),
        *_rules(folder),
        *_words(folder),
        *_clauses(folder, tests, letter),
        *_transcripts(tests),
    ]


def _missing(folder: Path, wanted: dict[str, str]) -> Iterator[str]:
    for name, what in wanted.items():
        if not (folder / name).is_file():
            yield f"{folder.name} lacks {name}: {what}"


def _rules(folder: Path) -> Iterator[str]:
    if not rule_files(folder):
        yield f"{folder.name} lacks rules.py, or a folder rules: its kernels"


def rule_files(folder: Path) -> list[Path]:
    return [path for path in [folder / "rules.py", *sorted((folder / "rules").glob("*.py"))] if path.is_file()]


def _transcripts(tests: Path) -> Iterator[str]:
    if not list((tests / "transcripts").glob("*.txt")):
        yield f"{tests.name} lacks transcripts/*.txt: whole games, readable, played again by a test"


# ---------------------------------------------------------------- words


def _words(folder: Path) -> Iterator[str]:
    paths = {language: folder / "words" / f"{language}.toml" for language in LANGUAGES}
    tables = {language: tomllib.loads(path.read_text("utf-8")) for language, path in paths.items() if path.is_file()}
    for language, table in tables.items():
        for name, entries in WORDS.items():
            for entry in [None, *entries]:
                if name not in table or (entry and entry not in table[name]):
                    yield f"words/{language}.toml of {folder.name} lacks [{name}]{f' {entry}' if entry else ''}"
    if len(tables) < len(LANGUAGES):
        return
    first, *others = LANGUAGES
    wanted = flat(tables[first])
    for language in others:
        given = flat(tables[language])
        for key in sorted(set(wanted) ^ set(given)):
            lacking = language if key in wanted else first
            yield f"words/{lacking}.toml of {folder.name} lacks {key}, which another language has"
        for key in sorted(set(wanted) & set(given)):
            if fields(wanted[key]) != fields(given[key]):
                yield (
                    f"words of {folder.name}, {key}: {first} speaks of {sorted(fields(wanted[key]))}, "
                    f"{language} of {sorted(fields(given[key]))}"
                )


def flat(table: dict[str, Any]) -> dict[str, str]:
    return {f"{name}.{key}": text for name, entries in table.items() for key, text in entries.items()}


def fields(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field}


# ---------------------------------------------------------------- clauses


def clauses(rules: str, letter: str) -> list[str]:
    """The numbers of a rule book, as they stand in it: **T3.2**."""
    return re.findall(rf"\*\*({letter}\d+\.\d+)\*\*", rules)


def _clauses(folder: Path, tests: Path, letter: str) -> Iterator[str]:
    if not (folder / "RULES.md").is_file():
        return
    numbers = clauses((folder / "RULES.md").read_text("utf-8"), letter)
    if not numbers:
        yield f"RULES.md of {folder.name} has no clauses like **{letter}1.1**"
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        yield f"RULES.md of {folder.name} has {number} twice"
    if (folder / "RULES.es.md").is_file():
        others = clauses((folder / "RULES.es.md").read_text("utf-8"), letter)
        for number in sorted(set(numbers) ^ set(others)):
            yield f"{number} of {folder.name} stands in only one of RULES.md and RULES.es.md"
    if (tests / "test_clauses.py").is_file():
        named = tested(tests / "test_clauses.py", letter)
        for number in numbers:
            if number not in named:
                yield f"{number} of {folder.name} has no test: none is called test_{number.replace('.', '_')}_…"
        for number in sorted(named - set(numbers)):
            yield f"test_clauses.py of {tests.name} tests {number}, which is not in RULES.md"
    for place, number in cited(folder, letter):
        if number not in numbers:
            yield f"{place} of {folder.name} speaks of {number}, which is not in RULES.md"


def tested(path: Path, letter: str) -> set[str]:
    """The clauses that test functions are named after."""
    tree = ast.parse(path.read_text("utf-8"))
    names = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = [re.match(rf"test_{letter}(\d+)_(\d+)_", name + "_") for name in names]
    return {f"{letter}{one[1]}.{one[2]}" for one in found if one}


def cited(folder: Path, letter: str) -> Iterator[tuple[str, str]]:
    """Clauses the code and the book speak of: in comments and texts, and as the second number of an emit."""
    places = [folder / "layout.py", *rule_files(folder)]
    for path in (place for place in places if place.is_file()):
        source = path.read_text("utf-8")
        for number in re.findall(rf"\b{letter}\d+\.\d+\b", source):
            yield path.relative_to(folder).as_posix(), number
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "emit":
                for value in ast.walk(node.args[2]):
                    if isinstance(value, ast.Constant) and isinstance(value.value, int) and value.value:
                        yield path.relative_to(folder).as_posix(), f"{letter}{value.value // 100}.{value.value % 100}"
    if (folder / "book.toml").is_file():
        for name, entry in tomllib.loads((folder / "book.toml").read_text("utf-8")).items():
            if isinstance(entry, dict):
                yield f"book.toml ({name})", entry.get("clause", "nothing")
