"""Windows become the lists that a sort by key and start gives, and so do the lists of several blocks together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.sketches.index.posting_lists import build_lists, join_lists
from ibidem.sketches.windows.windows import Windows
from ibidem.store.postings.lists import Lists, find_list_ends

keys = st.one_of(st.integers(0, 3), st.sampled_from([2**11, 2**22, 2**31, 2**32 - 1]))
widths = st.tuples(*[st.integers(0, 65535)] * 3)
windows = st.lists(st.tuples(keys, st.integers(0, 40), widths), max_size=60)


def windows_of(postings):
    corners = np.array([np.cumsum([start, *extents]) for _, start, extents in postings], np.int32).reshape(-1, 4)
    return Windows(np.array([key for key, _, _ in postings], np.uint32), *np.ascontiguousarray(corners.T))


def expected(postings, offset):
    """The oracle: Python's stable sort."""
    ordered = sorted(postings, key=lambda posting: posting[:2])
    keys, ends = find_list_ends(np.array([key for key, _, _ in ordered], np.uint32))
    return [keys.tolist(), ends.tolist(), [start + offset for _, start, _ in ordered], [list(e) for _, _, e in ordered]]


def assert_lists(lists, postings, offset=0):
    assert [column.tolist() for column in lists] == expected(postings, offset)
    assert [column.dtype for column in lists] == [np.uint32, np.uint32, np.uint32, np.uint16]


@given(postings=windows, offset=st.sampled_from([0, 7, 2**32 - 41]))
def test_windows_in_any_order_become_lists_by_key_and_start(postings, offset):
    assert_lists(build_lists(windows_of(postings), offset), postings, offset)


@given(postings=windows)
def test_windows_that_fall_from_rise_to_rise_become_lists_by_key_and_start(postings):
    """As a sweep gives them: the later they close the later they start, and together from the last to the first."""
    closing = sorted(postings, key=lambda posting: (posting[1] // 8, -posting[1]))
    assert_lists(build_lists(windows_of(closing), 0), closing)


@given(blocks=st.lists(windows, min_size=1, max_size=5))
def test_lists_of_blocks_are_joined_in_the_order_of_the_blocks(blocks):
    parts = [build_lists(windows_of(block), 100 * number) for number, block in enumerate(blocks)]
    together = [
        (key, start + 100 * number, extents) for number, block in enumerate(blocks) for key, start, extents in block
    ]
    assert_lists(join_lists(parts), together)
    assert parts == []  # their memory is free for what is packed


def test_what_joins_no_windows_is_empty():
    lists = join_lists([build_lists(windows_of([]), 0)])
    assert isinstance(lists, Lists)
    assert [len(column) for column in lists] == [0, 0, 0, 0]
