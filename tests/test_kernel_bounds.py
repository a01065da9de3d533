"""No kernel reads or writes outside of an array, neither on good input nor on an index that was tampered with.

Machine code indexes without looking. Here kernels run as the Python functions that they are made of, on NumPy's arrays,
which look at every index.
"""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ibidem.kernels import LANES, decorators, kernel

from .test_kernels import exercise

RELIABILITY = Path(__file__).resolve().parent.parent / "benchmarks" / "reliability"

pytestmark = pytest.mark.filterwarnings("ignore")  # sums of hash values overflow, and damage is told


@pytest.fixture(autouse=True, scope="module")
def interpreted_kernels() -> Iterator[None]:
    """Kernels run as Python functions."""

    def run(deferred: decorators.Deferred, *arguments: Any, **keywords: Any) -> Any:
        return deferred.py_func(*arguments, **keywords)

    def compare(values: Any, i: int, bounds: Any, j: int) -> Any:
        return np.uint64(sum(int(values[i + f] <= bounds[j + f]) << f for f in range(LANES)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decorators.not_greater, "py_func", compare)
        for kind in (decorators.Deferred, decorators.Kernel):
            patch.setattr(kind, "__call__", run)
        yield


@kernel
def read_at(values: Any, place: int) -> Any:
    return values[place]


def test_a_place_outside_of_an_array_is_noticed() -> None:
    with pytest.raises(IndexError):
        read_at(np.zeros(3), 3)


def test_no_kernel_leaves_its_arrays_on_good_input(tmp_path: Path) -> None:
    exercise(tmp_path)


@pytest.mark.parametrize("kind", ["passages", "documents", "minhash"])
def test_no_kernel_leaves_its_arrays_on_a_tampered_index(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(RELIABILITY)
    damage = importlib.import_module("damage")
    damage.make_index(tmp_path / "base", kind)
    for _, _, trial in damage.hostile_trials(tmp_path / "index", tmp_path / "base", kind, range(40)):
        assert trial() is None
