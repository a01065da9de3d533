import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.store import Store

from .. import samples

keys = st.one_of(st.integers(0, 5), st.integers(2**32 - 3, 2**32 - 1))
WANTED = (0, 1, 2, 3, 4, 5, 6, 2**31, 2**32 - 3, 2**32 - 2, 2**32 - 1)
NUM_TOKENS = len(samples.batch()[1].ids)
functions = st.lists(st.lists(st.tuples(keys, st.integers(0, NUM_TOKENS - 1)), max_size=30).map(sorted), max_size=4)


@settings(max_examples=20, deadline=None)
@given(functions, st.integers(0, 3))
def test_postings_come_back_from_disk_as_they_were_given(functions: list[list[tuple[int, int]]], width: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "index", {})
        with store.writer() as writer:
            segment = writer.new_segment()
            segment.append_documents(*samples.batch())
            for function in functions:
                keys, starts = np.array(function, np.uint32).reshape(-1, 2).T
                extents = np.outer(starts % 65536, np.ones(width)).astype(np.uint16)
                segment.append_postings(keys, starts, extents)
            writer.commit()
        segment = Store.open(store.path).segments[0]
        assert segment.num_functions == len(functions)
        assert segment.num_postings == sum(map(len, functions))
        starts, extents = segment.postings(0, segment.num_postings)
        assert starts.tolist() == [start for function in functions for _, start in function]
        assert extents.shape == (segment.num_postings, width if functions else 0)
        assert (extents == (starts % 65536)[:, None]).all()
        for number, function in enumerate(functions):
            keys, bounds = segment.directory(number)
            assert keys.tolist() == sorted({key for key, _ in function})
            listed = segment.list_bounds(number, keys)
            assert listed.dtype == np.int64
            assert listed.tolist() == [list(pair) for pair in pairwise(bounds)]
            wanted = {key: [start for other, start in function if other == key] for key in WANTED}
            found = segment.list_bounds(number, np.array(list(wanted), np.uint32)).tolist()
            assert [starts[begin:end].tolist() for begin, end in found] == list(wanted.values())


@pytest.mark.parametrize(("low", "high"), [(-1, 3), (3, 2), (0, 10**9)])
def test_postings_that_the_segment_has_not_are_refused(store: Store, low: int, high: int) -> None:
    with pytest.raises(IndexError, match=f"postings {low} to {high} of"):
        store.segments[0].postings(low, high)


@pytest.mark.parametrize("postings", [[(2, 0), (1, 5)], [(1, 5), (1, 4)]])
def test_postings_that_are_not_sorted_are_refused(path: Path, postings: list[tuple[int, int]]) -> None:
    keys, starts = np.array(postings, np.uint32).T
    with Store.create(path, {}).writer() as writer, pytest.raises(ValueError, match="posting 1 is smaller"):
        writer.new_segment().append_postings(keys, starts, np.zeros((2, 3), np.uint16))
