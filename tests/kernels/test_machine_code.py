"""Kernels that were compiled ahead give what their Python source gives, and are used where they can run alone."""

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.kernels import machine_code
from tests.test_release import ROOT, load

from . import samples

NATIVE = next((name for name in machine_code.BASELINES if machine_code.fits(name)), None)

pytestmark = pytest.mark.skipif(
    NATIVE is None or shutil.which("cc") is None, reason="kernels are compiled ahead on Linux, with a C compiler"
)

COMPILE = """
import sys
from pathlib import Path
sys.path[:0] = [{root!r}, {root!r} + "/release/machine_code"]
import build
from tests.kernels import samples
build.compile_library({name!r}, Path({folder!r}), samples.call_all)
"""

int64s = st.integers(-(2**63), 2**63 - 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kernels of the samples, compiled ahead for the best kind of processors that this one is of."""
    folder = tmp_path_factory.mktemp("machine_code")
    environment = {**os.environ, "NUMBA_CPU_NAME": NATIVE or "", "NUMBA_CPU_FEATURES": ""}
    program = COMPILE.format(root=str(ROOT), name=NATIVE, folder=str(folder))
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def library(folder: Path) -> machine_code._Library:
    return machine_code._Library(folder / f"{NATIVE}.so")


@pytest.fixture(scope="module")
def code(library: machine_code._Library) -> Callable[[Any], Callable[..., Any]]:
    """Gives the machine code of a sample, which raises where it has none for the types."""

    def find(kernel: Any) -> Callable[..., Any]:
        entry = library.index[f"{kernel.__module__}.{kernel.__qualname__}"]
        return library.bind(entry["signatures"], no_signature)

    return find


class NoSignature(Exception):
    pass


def no_signature(*_: object) -> None:
    raise NoSignature


def same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return type(one) is type(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and np.array_equal(one, other)
    return type(one) is type(other) and bool(one == other)


@given(values=st.lists(st.integers(-1000, 1000)), by=st.integers(1, 9), strict=st.booleans(), part=st.floats(0, 1))
def test_arrays_numbers_and_tuples_are_those_of_the_source(code, values, by, strict, part):
    array = np.array(values, np.int64)
    assert same(code(samples.divide)(array, by, strict, part), samples.divide.py_func(array, by, strict, part))


@given(values=st.lists(st.floats(-1e9, 1e9)), count=int64s)
def test_a_step_that_was_written_into_a_kernel_counts(code, values, count):
    assert code(samples.add_up)(np.array(values), count) == samples.add_up.py_func(np.array(values), count)


@given(value=st.integers(0, 2**64 - 1))
def test_hash_values_keep_all_their_bits(code, value):
    mask = 2**64 - 1
    assert code(samples.mix)(np.uint64(value)) == (value ^ value >> 31) * 0x9E3779B97F4A7C15 & mask


@given(corners=st.lists(st.integers(-9, 9)), weights=st.lists(st.floats(0, 1)), number=st.integers(0, 9))
def test_named_tuples_come_and_go_with_their_class(code, corners, weights, number):
    box = samples.Box(np.array(corners, np.int64), np.array(weights, np.float64), number)
    assert same(code(samples.widen)(box, 3), samples.widen.py_func(box, 3))


@given(values=st.lists(st.integers(0, 2**32 - 1)), frozen=st.booleans())
def test_lists_inside_of_a_kernel_grow_and_arrays_may_be_read_only(code, values, frozen):
    array = np.array(values, np.uint32)
    array.flags.writeable = not frozen
    assert code(samples.gather)(array) == sum(value for value in values if value % 2)


def test_an_array_can_be_written_to_and_a_part_of_it_returned(code):
    array = np.arange(4)
    assert code(samples.fill)(array, 7) is None
    part = code(samples.rest)(array)
    assert array.tolist() == [7] * 4
    array[2] = 9
    assert part.tolist() == [7, 9, 7]
    held = sys.getrefcount(array)
    parts = [code(samples.rest)(array) for _ in range(3)]
    assert sys.getrefcount(array) == held + 3
    del parts
    assert sys.getrefcount(array) == held
    del array
    assert part.sum() == 23  # what owns the memory lives on


def test_memory_of_results_is_given_back(code):
    compiled, array = code(samples.divide), np.zeros(1_000_000, np.int64)
    compiled(array, 1, True, 1.0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(100):
        kept, *_ = compiled(array, 1, True, 1.0)
    assert kept.size == array.size
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # of 800,000 KiB


def test_what_a_kernel_raises_is_raised(code):
    assert code(samples.refuse)(2).tolist() == [0, 0]
    with pytest.raises(ValueError, match="more than three"):
        code(samples.refuse)(4)


@pytest.mark.parametrize(
    ("kernel", "arguments"),
    [
        (samples.add_up, (np.ones(3, np.float32), 1)),
        (samples.add_up, (np.ones((3, 3)), 1)),
        (samples.add_up, (np.ones(6)[::2], 1)),
        (samples.add_up, (np.ones(3).astype(">f8"), 1)),
        (samples.add_up, (np.ones(3), 1.0)),
        (samples.add_up, (np.ones(3), 2**63)),
        (samples.add_up, (np.ones(3), True)),
        (samples.add_up, ([1.0], 1)),
        (samples.add_up, (np.ones(3),)),
        (samples.add_up, (np.ones(3), 1, 1)),
        (samples.add_up, (np.ones(3), None)),
        (samples.mix, (3,)),
        (samples.widen, ((np.arange(3), np.ones(3), 1), 2)),
        (samples.widen, (samples.Box(np.arange(3), np.arange(3), 1), 2)),
    ],
)
def test_other_types_go_to_the_compiler(code, kernel, arguments):
    with pytest.raises(NoSignature):
        code(kernel)(*arguments)


def test_a_read_only_array_goes_to_no_kernel_that_may_write_to_it(code):
    array = np.arange(3)
    array.flags.writeable = False
    with pytest.raises(NoSignature):
        code(samples.fill)(array, 1)


# Where it is used.


@pytest.fixture
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package has the libraries of this folder."""
    caches = (machine_code._library, machine_code._processor_features, machine_code.digest_of)
    monkeypatch.setattr(machine_code, "FOLDER", folder)
    for cache in caches:
        cache.cache_clear()
    yield folder
    for cache in caches:
        cache.cache_clear()


def find() -> Callable[..., Any] | None:
    return machine_code.find_machine_code(samples.add_up.py_func, no_signature)  # type: ignore[attr-defined]


def test_a_kernel_is_found_by_its_name(installed: Path) -> None:
    compiled = find()
    assert compiled is not None
    assert compiled(np.ones(3), 2) == 4.0
    assert machine_code.find_machine_code(no_signature, no_signature) is None


def test_a_kernel_of_an_edited_source_is_compiled(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edited = installed.parent / "edited.py"
    edited.write_text(Path(samples.__file__).read_text("utf-8") + "\n# edited\n", "utf-8")
    monkeypatch.setattr(samples, "__file__", str(edited))
    assert find() is None


@pytest.mark.parametrize("features", ["", "avx avx2 bmi1", "pni ssse3 sse4_1 sse4_2 popcnt cx16"])
def test_a_processor_that_lacks_a_feature_runs_nothing(
    installed: Path, monkeypatch: pytest.MonkeyPatch, features: str
) -> None:
    monkeypatch.setattr(machine_code, "_processor_features", lambda: frozenset(features.split()))
    assert [name for name in machine_code.BASELINES if name != "aarch64" and machine_code.fits(name)] == []
    if NATIVE != "aarch64":
        assert find() is None


def test_a_processor_of_another_make_runs_nothing(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code.platform, "machine", lambda: "riscv64")
    assert find() is None


def test_the_best_kind_that_fits_is_chosen_and_its_features_contain_those_of_the_next() -> None:
    kinds = [features for machine, features in machine_code.BASELINES.values() if machine == "x86_64"]
    assert all(better > worse for better, worse in pairwise(kinds))


def test_a_numpy_of_another_layout_runs_nothing(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine_code._has_known_structures()
    monkeypatch.setattr(machine_code, "_NUMPY", 0x03000000)
    assert find() is None


@pytest.mark.parametrize("damage", ["build", "index", "library", "missing"])
def test_a_library_that_is_not_whole_is_left_alone(
    installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, damage: str
) -> None:
    for path in installed.iterdir():
        shutil.copy(path, tmp_path)
    index, binary = tmp_path / f"{NATIVE}.json", tmp_path / f"{NATIVE}.so"
    if damage == "build":
        index.write_text(json.dumps({**json.loads(index.read_text("utf-8")), "build": "another"}), "utf-8")
    elif damage == "index":
        index.write_text("{", "utf-8")
    elif damage == "library":
        binary.write_bytes(binary.read_bytes()[:100])
    else:
        index.unlink()
    monkeypatch.setattr(machine_code, "FOLDER", tmp_path)
    assert find() is None


def test_a_process_that_runs_machine_code_imports_no_compiler(folder: Path) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from pathlib import Path\n"
        "from ibidem.kernels import machine_code\n"
        f"machine_code.FOLDER = Path({str(folder)!r})\n"
        "import numpy as np\n"
        "from tests.kernels.samples import add_up\n"
        "print(add_up(values=np.ones(3), count=2), {'numba', 'llvmlite'} & set(sys.modules))\n"
        "print(add_up(np.ones(3, np.float32), 2), 'numba' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "4.0 set()\n4.0 True\n"


# How it is built.


def test_a_package_has_kernels_for_the_kinds_that_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    hook = load("build_hook")
    monkeypatch.setenv("IBIDEM_KERNELS", "x86-64-v2, x86-64-v3")
    assert hook.wanted_kernels() == ["x86-64-v2", "x86-64-v3"]
    monkeypatch.setenv("IBIDEM_KERNELS", "")
    assert hook.wanted_kernels() == []
    monkeypatch.delenv("IBIDEM_KERNELS")
    assert hook.wanted_kernels() == []


def test_a_library_needs_no_version_of_the_c_library(folder: Path) -> None:
    tag = load("build_hook").find_platform(sorted(folder.iterdir()))
    assert "manylinux_2_17" in tag or machine_code.platform.libc_ver()[0] != "glibc"


def test_kernels_that_cannot_be_compiled_are_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hook = load("build_hook")

    def fail(command: list[str], **_: object) -> None:
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(hook.subprocess, "run", fail)
    monkeypatch.setenv("IBIDEM_KERNELS", "native")
    with pytest.raises(subprocess.CalledProcessError):
        hook.build_kernels(ROOT, tmp_path)
