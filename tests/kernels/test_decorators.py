"""A kernel is called as the function is that it is made of, and Numba is imported when something is compiled."""

import pickle
import subprocess
import sys

import pytest

from ibidem.kernels import inlined, kernel

TENTH = 10


@inlined
def tenfold(value: int) -> int:
    return TENTH * value


@kernel
def weigh(value: int, weight: int) -> int:
    return tenfold(value) + weight


def test_a_kernel_takes_arguments_by_name() -> None:
    assert weigh(1, 2) == weigh(1, weight=2) == weigh(weight=2, value=1) == 12


def test_a_name_that_a_kernel_does_not_have_is_an_error() -> None:
    with pytest.raises(TypeError, match="has no argument 'height'"):
        weigh(1, weight=2, height=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        weigh(1)  # type: ignore[call-arg]


def test_the_source_of_a_kernel_can_be_run() -> None:
    assert weigh.py_func(1, 2) == 12  # type: ignore[attr-defined]


def test_a_kernel_is_sent_to_another_process_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(weigh)) is weigh


def test_importing_kernels_imports_no_compiler() -> None:
    program = "import sys, ibidem.passages.search.verification; print({'numba', 'llvmlite'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
