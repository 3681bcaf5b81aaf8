"""The kernel decorator: plain functions that compile to the same answers, once each, and disturb nobody."""

from __future__ import annotations

import os
import subprocess
import sys
import types

import numpy as np
import pytest

from sandtable.kit.kernel import Compiler, bind, i64, kernel, kernels_below
from tests.kit.modes import compiler

CELL = np.dtype((np.record, [("hp", "u1"), ("row", "u1", (4,))]))
TYPES = {"cells": (CELL, 1), "row": (CELL, "row"), "marks": ("i8", 1)}


@kernel
def doubled(n):
    return 2 * n


@kernel
def heal(cells, i, n):
    """Eight bits that would wrap without the cast: 250 + 10."""
    total = i64(cells[i].hp) + doubled(n)
    cells[i].hp = min(total, 255)
    return total


@kernel
def total_of(row):
    return i64(row[0]) + i64(row[1]) + i64(row[2]) + i64(row[3])


@kernel
def total_in(cells, i):
    return total_of(cells[i].row)


def helper(n):
    return n + 1


@kernel
def uses_helper(n):
    return helper(n)


@kernel
def fill(marks, n):
    for k in range(n):
        marks[k] = doubled(k)
    return n


def test_what_a_module_holds_is_the_plain_function():
    assert isinstance(heal, types.FunctionType)
    assert heal.is_kernel


def test_the_compiled_side_gives_what_the_twin_gives():
    entry = compiler(TYPES).entry(heal)
    for hp in (0, 100, 250, 255):
        for n in (0, 5, 40):
            one, other = np.zeros(1, CELL), np.zeros(1, CELL)
            one["hp"] = other["hp"] = hp
            assert heal(one, 0, n) == entry(other, 0, n)
            assert one.tobytes() == other.tobytes()


def test_an_array_inside_a_record_can_be_handed_on():
    cells = np.zeros(2, CELL)
    cells["row"][1] = [1, 2, 3, 250]
    assert compiler(TYPES).entry(total_in)(cells, 1) == total_in(cells, 1) == 256


def test_a_function_is_compiled_for_one_signature_and_then_closed():
    made = compiler(TYPES)
    entry = made.entry(heal)
    marks = compiler(TYPES).entry(fill)
    entry(np.zeros(1, CELL), 0, 1)
    marks(np.zeros(4, np.int64), 4)
    for dispatcher in (entry, marks, made._helpers[doubled]):
        assert len(dispatcher.signatures) == 1
    with pytest.raises(TypeError):
        marks(np.zeros(4, np.int32), 4)  # not the array it was made for: refused, not compiled in silence
    with pytest.raises(TypeError):
        marks(np.zeros(8, np.int64)[::2], 4)
    assert len(marks.signatures) == 1


def test_an_entry_is_made_once():
    made = compiler(TYPES)
    assert made.entry(heal) is made.entry(heal)


def test_seconds_are_counted_by_name_helpers_apart():
    made = compiler(TYPES)
    made.entry(heal)
    assert set(made.seconds) == {"heal", "doubled"}
    assert all(seconds > 0 for seconds in made.seconds.values())


def test_bounds_are_checked_where_asked():
    entry = Compiler(TYPES, None, bounds_check=True).entry(fill)
    with pytest.raises(IndexError):
        entry(np.zeros(3, np.int64), 4)


def test_an_unmarked_function_is_refused_by_name():
    with pytest.raises(TypeError, match="uses_helper uses helper, which is not marked @kernel"):
        compiler(TYPES).entry(uses_helper)


def test_an_unmarked_function_is_found_without_the_compiler_too():
    with pytest.raises(TypeError, match="uses_helper uses helper"):
        kernels_below([uses_helper])


def test_kernels_below_names_callees_first():
    assert kernels_below([heal, total_in]) == [doubled, heal, total_of, total_in]


# ---- bound copies


def test_a_bound_copy_calls_what_it_was_bound_to():
    tripled = kernel(lambda n: 3 * n)
    copy = bind(heal, {"doubled": tripled}, "hospital")
    cells = np.zeros(1, CELL)
    assert copy(cells, 0, 5) == 15
    assert heal(cells, 0, 5) == 25  # the template still doubles
    assert copy.__qualname__ == "hospital.heal"
    assert copy.is_kernel


# ---- the cache on disk


def test_an_entry_is_kept_on_disk_and_its_helpers_are_not_compiled_again(tmp_path):
    first = compiler(TYPES, tmp_path)
    assert not first.is_stored(heal)
    first.entry(heal)
    assert first.is_stored(heal)
    second = compiler(TYPES, tmp_path)
    entry = second.entry(heal)
    assert "doubled" not in second.seconds
    assert entry(np.zeros(1, CELL), 0, 5) == 10


def test_a_mark_without_machine_code_recovers(tmp_path):
    """Somebody tidied the cache up and left the marks."""
    compiler(TYPES, tmp_path).entry(heal)
    for file in tmp_path.rglob("*.nb?"):
        file.unlink()
    again = compiler(TYPES, tmp_path)
    assert again.is_stored(heal)
    assert again.entry(heal)(np.zeros(1, CELL), 0, 5) == 10


def test_machine_code_cut_short_recovers(tmp_path):
    compiler(TYPES, tmp_path).entry(heal)
    for file in tmp_path.rglob("*.nbc"):
        file.write_bytes(file.read_bytes()[:100])
    assert compiler(TYPES, tmp_path).entry(heal)(np.zeros(1, CELL), 0, 5) == 10


def test_the_host_programs_numba_is_left_as_it_was(tmp_path):
    import numba

    before = numba.config.CACHE_DIR
    compiler(TYPES, tmp_path).entry(heal)
    assert before == numba.config.CACHE_DIR
    assert "NUMBA_CACHE_DIR" not in os.environ
    assert any(tmp_path.rglob("*.nbc"))


def test_a_compiler_that_fails_puts_the_setting_back(tmp_path):
    import numba

    before = numba.config.CACHE_DIR
    with pytest.raises(TypeError):
        compiler(TYPES, tmp_path).entry(uses_helper)
    assert before == numba.config.CACHE_DIR


# ---- the compiler is loaded late


@pytest.mark.parametrize(
    "program",
    [
        "import sandtable",
        "import sandtable.games; sandtable.games.find('tactics')",
        "import sandtable; sandtable.game('tactics').deal('classic', seed=1).play('attack')",
        "import sandtable.kit.kernel, sandtable.kit.dice, sandtable.protocol.engine",
    ],
)
def test_importing_and_dealing_do_not_load_the_compiler(program):
    loaded = "import sys; print(*sorted({'numba', 'llvmlite'} & set(sys.modules)))"
    assert said_by(f"{program}; {loaded}") == ""


def test_importing_the_package_loads_no_numpy_either():
    assert said_by("import sys, sandtable; print('numpy' in sys.modules)") == "False"


def said_by(program: str) -> str:
    """What another Python says."""
    variables = {name: value for name, value in os.environ.items() if name != "SANDTABLE_COMPILE"}
    variables["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout.strip()
