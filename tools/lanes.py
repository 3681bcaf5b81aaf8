"""The lanes of ./test: what each one runs, two at a time, and the summary at the end."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field

from tools import environment

HELP = """\
./test              every check: style, types, imports, then the tests interpreted, with bounds checks and as shipped
./test --deep       the same, with the long tests
./test ARGUMENTS    one run of pytest, as shipped, with these arguments: ./test -k dice
"""
OK, FAILED, BAD_USE, INTERRUPTED = 0, 1, 2, 130
PYTEST_BAD_USE, PYTEST_NOTHING = 4, 5
PYTEST = ["-m", "pytest"]
IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-logo'])"  # it has no -m
LAST = ("browser", "alone")  # lanes that want the machine to themselves: a browser needs it, or time is measured
SWITCHES = ("SANDTABLE_", "NUMBA_")  # of the program and its compiler: a lane has its own or none


@dataclass(frozen=True)
class Lane:
    name: str
    command: list[str]  # what the environment's Python runs
    variables: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    lane: Lane
    code: int
    seconds: float
    said: str

    @property
    def is_ok(self) -> bool:
        return self.code == OK or (self.has_tests and self.code == PYTEST_NOTHING)

    @property
    def has_tests(self) -> bool:
        return self.lane.command[:2] == PYTEST

    @property
    def counts(self) -> Counter[str]:
        """Passed, failed and skipped tests. A lane without tests, or that fell over before them, counts as one."""
        counts: Counter[str] = Counter()
        if self.has_tests:
            for number, word in re.findall(r"(\d+) (passed|failed|error|skipped)", self.said.rpartition("\n")[2]):
                counts["failed" if word == "error" else word] += int(number)
        elif self.is_ok:
            counts["passed"] = 1
        if not self.is_ok:
            counts["failed"] = counts["failed"] or 1
        return counts


def main(arguments: list[str]) -> int:
    if arguments in (["--help"], ["-h"]):
        print(HELP, end="")
        return OK
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # lanes say × and …, and not every console can
    try:
        environment.ready("test")
        chosen = [argument for argument in arguments if argument != "--deep"]
        deep = "--deep" in arguments
        return once(chosen, deep) if chosen else every(deep)
    except environment.Trouble as trouble:
        environment.say(str(trouble))
        return BAD_USE
    except KeyboardInterrupt:
        environment.say("Stopped.")
        return INTERRUPTED


def once(arguments: list[str], deep: bool) -> int:
    """One run of pytest. An -m of the caller's own comes later and so wins over ours."""
    command = [*PYTEST, *([] if deep else ["-m", "not deep"]), *arguments]
    code = subprocess.call([environment.PYTHON, "-P", *command], cwd=environment.ROOT, env=environment.variables())
    return BAD_USE if code in (PYTEST_BAD_USE, PYTEST_NOTHING) else code


def every(deep: bool) -> int:
    began = time.monotonic()
    lanes, skipped = plan(deep)
    print(f"{len(lanes)} lanes, two at a time; each speaks when it is done.", flush=True)
    at_once = [lane for lane in lanes if lane.name not in LAST]
    results = together(at_once)
    for lane in lanes[len(at_once) :]:
        results += together([lane])
    print(f"\n{'lane':14}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}")
    for result in sorted(results, key=lambda result: lanes.index(result.lane)):
        counts = result.counts
        print(
            f"{result.lane.name:14}{counts['passed']:8}{counts['failed']:8}{counts['skipped']:9}{result.seconds:9.1f}"
            + ("" if result.is_ok else "  FAILED")
        )
    for name, why in skipped:
        print(f"{name:14}not run: {why}")
    total = sum((result.counts for result in results), Counter[str]())
    print(f"{time.monotonic() - began:.0f} s in all")
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return OK if all(result.is_ok for result in results) else FAILED


def plan(deep: bool) -> tuple[list[Lane], list[tuple[str, str]]]:
    """The lanes to run, the long ones first and those that must be alone last, and those left out with the reason."""
    marks = "" if deep else " and not deep"
    skipped = [] if deep else [("deep", "long tests; ./test --deep runs them")]
    if not shutil.which("gcc"):
        marks += " and not gcc"
        skipped.append(("gcc", "no gcc on this machine"))
    last = [name for name in LAST if name != "browser" or shutil.which("chromium")]
    if "browser" not in last:
        skipped.append(("browser", "no chromium on this machine"))
    skipped.append(("gpu", "nothing runs on one yet"))

    def tests(name: str, which: str, *arguments: str, **variables: str) -> Lane:
        return Lane(name, [*PYTEST, "-q", "-m", which + marks, *arguments], variables)

    coverage = [f"--cov=sandtable.{room}" for room in ("kit", "protocol", "games")]
    bounds = {"SANDTABLE_BOUNDS": "1", "SANDTABLE_CACHE": str(environment.ROOT / ".cache" / "bounds")}
    lanes = [
        tests("compiled", "not alone and not browser", "--ignore=tests/commands"),
        tests("bounds", "kernels and not alone", **bounds),
        tests("interpreted", "kernels and not alone", *coverage, SANDTABLE_COMPILE="0"),
        tests("commands", "not alone", "tests/commands"),
        Lane("types", ["-m", "mypy"]),
        Lane("imports", ["-c", IMPORTS]),
        Lane("style", ["-m", "ruff", "check", "--output-format", "concise"]),
        Lane("format", ["-m", "ruff", "format", "--check", "--output-format", "concise"]),
        *(tests(name, "browser" if name == "browser" else "alone and not browser") for name in last),
    ]
    return lanes, skipped


def together(lanes: Iterable[Lane]) -> list[Result]:
    """Run the lanes two at a time; each one's words are printed whole when it is done."""
    results = []
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(run, lane) for lane in lanes]
        try:
            for done in as_completed(waiting):
                results.append(done.result())
                print(f"\n== {results[-1].lane.name} ==\n{results[-1].said}", flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def run(lane: Lane) -> Result:
    began = time.monotonic()
    inherited = {name: text for name, text in environment.variables().items() if not name.startswith(SWITCHES)}
    done = subprocess.run(
        [environment.PYTHON, "-P", *lane.command],
        cwd=environment.ROOT,
        env=inherited | lane.variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return Result(lane, done.returncode, time.monotonic() - began, done.stdout.decode("utf-8", "replace").strip())
