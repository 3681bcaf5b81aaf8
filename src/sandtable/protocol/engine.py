"""One game's slots, ready to call: interpreted at once, compiled as soon as the machine code is there."""

from __future__ import annotations

import importlib.util
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from sandtable.kit import kernel
from sandtable.kit.digest import digest_files
from sandtable.kit.kernel import Compiler, bind, kernels_below
from sandtable.protocol import slots
from sandtable.protocol.records import ACTION

INTERPRETED, COMPILED = "interpreted", "compiled"


def compile_policy() -> str:
    """SANDTABLE_COMPILE: 0 never, 1 always and at once, unset: when a command needs speed."""
    return os.environ.get("SANDTABLE_COMPILE", "auto")


def cache_root() -> Path:
    """Where machine code is kept: SANDTABLE_CACHE, or the user's cache folder."""
    if named := os.environ.get("SANDTABLE_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir())) / "sandtable"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "sandtable"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sandtable"


def writable(folder: Path) -> Path:
    """This folder, made; or one that lasts as long as the machine is up, where it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        spare = _spare_root(tempfile.gettempdir()) / folder.name
        spare.mkdir(exist_ok=True)
        return spare


@cache
def _spare_root(parent: str) -> Path:
    """A folder of this process alone: machine code is unpickled, so nobody else may have written it."""
    return Path(tempfile.mkdtemp(prefix="sandtable-", dir=parent))


def has_compiler() -> bool:
    """Whether Numba is to be had; without it everything runs on the interpreted twin."""
    return importlib.util.find_spec("numba") is not None


class Engine:
    """Attributes named like the slots; each is the interpreted twin until its compiled entry has been taken over."""

    def __init__(self, name: str, layout: ModuleType, modules: list[ModuleType]) -> None:
        self.name = name
        self.layout = layout
        self._modules = modules
        self.twins = self._collect(modules)
        self.kind = dict.fromkeys(slots.SLOTS, INTERPRETED)
        self._compiler: Compiler | None = None
        self._child: subprocess.Popen[bytes] | None = None
        for slot, function in self.twins.items():
            setattr(self, slot, function)

    def __getattr__(self, slot: str) -> Callable[..., Any]:
        raise AttributeError(slot)  # slots are set above; this line tells type checkers that they exist

    def _collect(self, modules: list[ModuleType]) -> dict[str, Callable[..., Any]]:
        own = {slot: vars(module)[slot] for module in modules for slot in slots.SLOTS if slot in vars(module)}
        if missing := [slot for slot in slots.REQUIRED if slot not in own]:
            raise TypeError(f"the game {self.name} lacks the slots {', '.join(missing)}")
        found: dict[str, Callable[..., Any]] = {}
        for slot in slots.BINDING_ORDER:
            template = getattr(slots, f"default_{slot}", None)
            found[slot] = own[slot] if slot in own else bind(template, found, self.name)  # type: ignore[arg-type]
        return {slot: found[slot] for slot in slots.SLOTS}

    # ---- compiling

    @property
    def types(self) -> dict[str, Any]:
        """The types behind parameter names; all others are int64."""
        of_layout: Mapping[str, Any] = getattr(self.layout, "TYPES", {})
        return {
            "book": (self.layout.BOOK, 1), "positions": (self.layout.POSITION, 1),
            "spare": (self.layout.POSITION, 1), "work": (self.layout.WORK, 1),
            **slots.TYPES, **of_layout,
        }  # fmt: skip

    @property
    def folder(self) -> Path:
        """The cache folder of exactly these sources and versions: a changed rule never meets stale machine code."""
        files = {Path(f.__code__.co_filename) for f in kernels_below(self.twins.values())}
        files |= {Path(str(module.__file__)) for module in (self.layout, slots, kernel)}
        versions = [platform.python_version(), platform.machine(), metadata.version("numba"), np.__version__]
        digest = digest_files(files, *versions, str(self.bounds_check), str(Path(__file__).parent))
        return writable(cache_root() / f"{self.name}-{digest}")

    @property
    def bounds_check(self) -> bool:
        return os.environ.get("SANDTABLE_BOUNDS", "0") == "1"

    @property
    def compiler(self) -> Compiler:
        if self._compiler is None:
            self._compiler = Compiler(self.types, self.folder, self.bounds_check)
        return self._compiler

    @property
    def is_compiled(self) -> bool:
        return all(kind == COMPILED for kind in self.kind.values())

    def compile(self, progress: Callable[[str, int, int], None] | None = None) -> None:
        """Make or load every entry. `progress` hears of each slot before it is begun."""
        if compile_policy() == "0" or self.is_compiled or not has_compiler():
            return
        for number, slot in enumerate(slots.SLOTS):
            if progress is not None:
                progress(slot, number, len(slots.SLOTS))
            self._take(slot)
        if progress is not None:
            progress("", len(slots.SLOTS), len(slots.SLOTS))

    def _take(self, slot: str) -> None:
        if self.kind[slot] != COMPILED:
            setattr(self, slot, self.compiler.entry(self.twins[slot]))
            self.kind[slot] = COMPILED

    def is_stored(self, slot: str) -> bool:
        return (self.folder / f"{self.twins[slot].__name__}.done").exists()

    @property
    def is_all_stored(self) -> bool:
        return all(self.is_stored(slot) for slot in slots.SLOTS)

    def take_stored(self) -> int:
        """Take over what is on disk; how many slots run compiled now."""
        if compile_policy() != "0":
            for slot in slots.SLOTS:
                if self.kind[slot] != COMPILED and self.is_stored(slot):
                    self._take(slot)
        return sum(kind == COMPILED for kind in self.kind.values())

    def compile_in_background(self) -> None:
        """A niced child process fills the cache; `take_stored` now and then brings the entries over."""
        if compile_policy() == "0" or not has_compiler() or self._child is not None or self.is_all_stored:
            return
        command = [sys.executable, "-P", "-m", "sandtable", "compile", self.name, "--quiet", "--nice"]
        source = str(Path(__file__).parents[2])
        path = os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH")])])
        self._child = subprocess.Popen(
            command, env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # it outlives the program that began it: the next start finds everything there
        )  # fmt: skip

    @property
    def is_compiling(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def stop_background(self) -> None:
        if self.is_compiling and self._child is not None:
            self._child.terminate()


def blank(dtype: np.dtype[Any], count: int = 1) -> np.ndarray[Any, Any]:
    return np.zeros(count, dtype=dtype)


def blank_actions(count: int) -> np.ndarray[Any, Any]:
    return np.zeros(count, dtype=ACTION)
