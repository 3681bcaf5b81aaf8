"""Kernels: rules written once, run as plain Python or compiled by Numba.

A kernel is an ordinary function over arrays and integers, marked `@kernel`. What its module holds is the *interpreted
twin*: it runs as it stands, in a debugger, under coverage, and without Numba. The *compiled* side is made from the same
code object by `Compiler`: a copy whose globals name compiled functions instead of plain ones. So importing a game costs
no compiler, and both sides cannot drift apart.

How to write one:

* A parameter's name says its type. Names of arrays are listed where a game is put together (protocol/slots.py and the
  TYPES of the game's layout.py); every other parameter is an int64.
* Load each record field with `i64(...)`: int64 when compiled, `int` when interpreted. Without it a uint8 would wrap at
  250 + 10 in one mode and not in the other.
* No floats, no recursion, no allocation, no assert. Import other kernels by name, not by module.
* An index that comes from arithmetic costs a test for being negative; in a hot loop `u64(index)` spares it.
"""

from __future__ import annotations

import inspect
import time
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

__all__ = ["Compiler", "bind", "i64", "kernel", "kernels_below", "u64"]

Function = TypeVar("Function", bound=Callable[..., Any])

# The casts. Every field load goes through i64; u64 is for kit/dice.py alone. Compiled copies see numba's types instead.
i64 = int
u64 = int


def kernel(function: Function) -> Function:
    """Mark a function as a kernel. It stays the plain function it was: that is the interpreted twin."""
    function.is_kernel = True  # type: ignore[attr-defined]
    return function


def bind(template: Callable[..., Any], names: Mapping[str, Any], owner: str) -> Callable[..., Any]:
    """A copy of a kernel in which some global names mean something else: a default slot bound to one game.

    The owner goes into the qualified name, which names the compiled copy on disk: two games never share one.
    """
    copy = types.FunctionType(
        template.__code__, {**template.__globals__, **names}, template.__name__, template.__defaults__
    )
    copy.__qualname__ = f"{owner}.{template.__name__}"
    copy.__doc__, copy.__module__ = template.__doc__, template.__module__
    return kernel(copy)


def _calls(function: Callable[..., Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The kernels a kernel names, in the order of its code."""
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, types.FunctionType):
            if not getattr(value, "is_kernel", False):
                raise TypeError(f"{function.__qualname__} uses {name}, which is not marked @kernel")
            yield name, value


def kernels_below(functions: Iterable[Callable[..., Any]]) -> list[Callable[..., Any]]:
    """These kernels and all they call, callees first."""
    order: dict[Callable[..., Any], None] = {}

    def visit(function: Callable[..., Any]) -> None:
        if function not in order:
            for _, callee in _calls(function):
                visit(callee)
            order[function] = None

    for function in functions:
        visit(function)
    return list(order)


class Compiler:
    """Compiles the kernels of one game, each function once, for exactly one signature.

    Entries (slots) are kept on disk and callable from Python; the functions they call have no Python wrapper and are
    compiled only when an entry is not on disk.
    """

    def __init__(self, types_by_name: Mapping[str, Any], folder: Path | None, bounds_check: bool = False) -> None:
        import numba  # here and nowhere else: importing a game stays instant

        self._numba = numba
        self._types = {name: self._array_type(spec) for name, spec in types_by_name.items()}
        self._folder = folder
        # Kernels allocate nothing, so arrays need no counting of references: without it a random game of Tactics ran
        # at 1.0 of C instead of 0.5.
        self._options = {"nogil": True, "error_model": "numpy", "boundscheck": bounds_check, "_nrt": False}
        self._made: dict[Callable[..., Any], Any] = {}  # entries
        self._helpers: dict[Callable[..., Any], Any] = {}
        self.seconds: dict[str, float] = {}  # CPU seconds by qualified name, helpers apart from entries

    def _array_type(self, spec: Any) -> Any:
        """(dtype, dimensions) is an array argument; (record dtype, "field") an array inside a record."""
        dtype, shape = spec
        if isinstance(shape, str):
            nested = self._numba.from_dtype(dtype).typeof(shape)
            return self._numba.types.NestedArray(nested.dtype, nested.shape)
        is_record = np.dtype(dtype).names is not None
        element = self._numba.from_dtype(np.dtype(dtype))
        return self._numba.types.Array(element, shape, "C", aligned=not is_record)

    def signature(self, function: Callable[..., Any]) -> tuple[Any, ...]:
        return tuple(self._types.get(name, self._numba.int64) for name in inspect.signature(function).parameters)

    def is_stored(self, function: Callable[..., Any]) -> bool:
        """Whether some process has already put this entry on disk."""
        return self._mark(function) is not None and self._mark(function).exists()  # type: ignore[union-attr]

    def _mark(self, function: Callable[..., Any]) -> Path | None:
        return None if self._folder is None else self._folder / f"{function.__name__}.done"

    def entry(self, function: Callable[..., Any]) -> Any:
        """The compiled function for Python to call, from disk where it is there."""
        if function not in self._made:
            stored = self.is_stored(function)
            try:
                self._made[function] = self._compile(function, is_entry=True, with_callees=not stored)
            except Exception:
                if not stored:
                    raise
                # The mark is there and the machine code is not, or is cut short: compile after all.
                self._forget(function)
                self._made[function] = self._compile(function, is_entry=True, with_callees=True)
        return self._made[function]

    def _forget(self, function: Callable[..., Any]) -> None:
        """Take an entry's machine code off the disk, whatever state it is in."""
        if self._folder is not None:
            for file in self._folder.rglob(f"*.{function.__qualname__}-*.nb?"):
                file.unlink(missing_ok=True)

    def _compile(self, function: Callable[..., Any], is_entry: bool, with_callees: bool = True) -> Any:
        scope = dict(function.__globals__)
        scope.update(i64=self._numba.int64, u64=self._numba.uint64)
        if with_callees:
            for name, callee in _calls(function):
                scope[name] = self._helper(callee)
        copy = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
        dispatcher = self._decorate(copy, is_entry)
        begun = time.process_time()
        dispatcher.compile(self.signature(function))
        dispatcher.disable_compile()
        self.seconds[function.__qualname__] = time.process_time() - begun
        mark = self._mark(function) if is_entry else None
        if mark is not None:
            mark.touch()
        return dispatcher

    def _helper(self, function: Callable[..., Any]) -> Any:
        """The compiled function for other kernels to call: no Python wrapper, never on disk by itself."""
        if function not in self._helpers:
            self._helpers[function] = self._compile(function, is_entry=False)
        return self._helpers[function]

    def _decorate(self, function: Callable[..., Any], is_entry: bool) -> Any:
        if not is_entry:
            return self._numba.njit(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, **self._options)
        if self._folder is None:
            return self._numba.njit(function, **self._options)
        # Numba reads the cache folder once, when a function is decorated. The host program's setting is put back.
        config = self._numba.config
        before = config.CACHE_DIR
        config.CACHE_DIR = str(self._folder)
        try:
            return self._numba.njit(function, cache=True, **self._options)
        finally:
            config.CACHE_DIR = before
