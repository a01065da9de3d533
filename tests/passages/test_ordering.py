"""The radix sort of postings, against NumPy's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.ordering import by_key_and_start

numbers = st.one_of(st.integers(0, 3), st.integers(0, 2**13), st.integers(0, 2**32 - 1))
widths = st.tuples(*[st.integers(0, 65535)] * 3)


@given(postings=st.lists(st.tuples(numbers, numbers, widths), max_size=80))
def test_postings_are_sorted_by_key_and_start_and_keep_their_extents(postings):
    keys = np.array([key for key, _, _ in postings], np.uint32)
    starts = np.array([start for _, start, _ in postings], np.uint32)
    extents = np.array([extent for _, _, extent in postings], np.uint16).reshape(-1, 3)
    found = by_key_and_start(keys, starts, extents)
    order = np.lexsort((starts, keys))
    for column, expected in zip(found, (keys[order], starts[order], extents[order]), strict=True):
        assert column.dtype == expected.dtype
        assert column.tolist() == expected.tolist()


def test_many_postings_of_few_keys_are_sorted():
    random = np.random.default_rng(1)
    keys, starts = random.zipf(1.1, 50_000).astype(np.uint32), random.permutation(50_000).astype(np.uint32)
    extents = random.integers(0, 65536, (50_000, 3)).astype(np.uint16)
    found = by_key_and_start(keys, starts, extents)
    order = np.lexsort((starts, keys))
    assert all((column == given[order]).all() for column, given in zip(found, (keys, starts, extents), strict=True))
