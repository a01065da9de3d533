"""Where the list of each key of each function is."""

import numpy as np
import pytest

from ibidem.errors import DamagedError
from ibidem.store import Store
from ibidem.store.format import BLOCK_HEADER, HEADER_BYTES
from ibidem.store.postings.directory import FunctionRanges

from .. import samples


@pytest.mark.parametrize("place", [0, BLOCK_HEADER])
def test_altered_blocks_are_a_damage_that_names_the_segment(store: Store, place: int) -> None:
    store.close()
    for name in ("packed_postings", "packed_keys"):
        file = store.path / "segments" / "000001" / f"{name}.npy"
        data = bytearray(file.read_bytes())
        data[HEADER_BYTES + place] ^= 0xFF
        file.write_bytes(data)
    segment = Store.open(store.path, checksums="none").segments[0]
    with pytest.raises(DamagedError, match=r"000001: postings 0 to 1 cannot be unpacked"):
        segment.postings(0, 1)
    with pytest.raises(DamagedError, match=r"000001: the keys of function 0 cannot be unpacked"):
        segment.directory(0)
    with pytest.raises(DamagedError, match=r"000001: the keys of function 0 cannot be unpacked"):
        segment.list_bounds(0, np.array([2**32 - 1], np.uint32))


@pytest.mark.parametrize("function", [-1, 2])
def test_a_function_that_the_segment_has_not_is_refused(store: Store, function: int) -> None:
    with pytest.raises(IndexError, match=f"function {function} of 2"):
        store.segments[0].list_bounds(function, np.array([1], np.uint32))


def test_a_function_has_the_keys_and_postings_between_it_and_the_next() -> None:
    ranges = FunctionRanges(np.array([0, 2, 2, 9], np.uint64), np.array([0, 5, 5, 30], np.uint64))
    assert [ranges.of(function) for function in range(3)] == [(0, 2, 0), (2, 2, 5), (2, 9, 5)]
    with pytest.raises(IndexError, match="function 3 of 3"):
        ranges.of(3)


def test_keys_and_lists_stand_in_the_directory_as_they_were_appended(store: Store) -> None:
    for segment in store.segments:
        for function in range(segment.num_functions):
            keys, starts, _ = samples.some_postings(segment.token_bounds, function)
            found, bounds = segment.directory(function)
            assert found.tolist() == sorted(set(keys.tolist()))
            places, _ = segment.postings(int(bounds[0]), int(bounds[-1]))
            for key, begin, end in zip(found.tolist(), bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
                assert places[begin - bounds[0] : end - bounds[0]].tolist() == starts[keys == key].tolist()
