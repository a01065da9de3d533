"""Keys are put in order as NumPy does it, and their places with them."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ibidem import radix_sort
from ibidem.radix_sort import sort_stably


@pytest.fixture(params=["one after another", "parts in threads"])
def run(request, monkeypatch):
    if request.param == "one after another":
        yield map
        return
    for name, value in (("_PARTED_FROM", 1), ("_PIECE", 70), ("_PARTS", 100)):
        monkeypatch.setattr(radix_sort, name, value)
    with ThreadPoolExecutor(2) as pool:
        yield pool.map


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    size=st.integers(0, 300),
    spread=st.sampled_from([1, 2, 50, 2**11, 2**22, 2**25, 2**32]),
    first=st.sampled_from([0, 2**11 - 1, 2**22 - 1, 2**31 - 1, 2**32 - 1]),
    seed=st.integers(0, 2**32),
)
def test_places_are_those_of_a_stable_sort(run, size, spread, first, seed):
    keys = ((np.random.default_rng(seed).integers(0, spread, size) + first) % 2**32).astype(np.uint32)
    ordered, places = sort_stably(keys, run)
    expected = np.argsort(keys, kind="stable")
    assert ordered.dtype == places.dtype == np.uint32
    assert places.tolist() == expected.tolist()
    assert ordered.tolist() == keys[expected].tolist()


@pytest.mark.parametrize("writable", [True, False])
def test_keys_are_left_as_they_are(writable):
    keys = np.array([3, 1, 2**32 - 1, 1], np.uint32)
    keys.flags.writeable = writable
    sort_stably(keys)
    assert keys.tolist() == [3, 1, 2**32 - 1, 1]
