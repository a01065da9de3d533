"""Windows become the lists that a sort by key and start gives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.sketches.index.posting_lists import BlockPostings, build_lists
from ibidem.sketches.windows.windows import Windows
from ibidem.store.postings.lists import find_list_ends

keys = st.one_of(st.integers(0, 3), st.sampled_from([2**11, 2**22, 2**31, 2**32 - 1]))
widths = st.tuples(*[st.integers(0, 65535)] * 3)
windows = st.lists(st.tuples(keys, st.integers(0, 40), widths), max_size=60)


def windows_of(postings):
    corners = np.array([np.cumsum([start, *extents]) for _, start, extents in postings], np.int32).reshape(-1, 4)
    return Windows(np.array([key for key, _, _ in postings], np.uint32), *np.ascontiguousarray(corners.T))


@given(blocks=st.lists(windows, min_size=1, max_size=5), last=st.sampled_from([100, 2**32 - 41]))
def test_windows_of_blocks_in_any_order_become_lists_by_key_and_start(blocks, last):
    offsets = [*(7 * number for number in range(len(blocks) - 1)), last]
    parts = [BlockPostings.of(windows_of(block), offset) for block, offset in zip(blocks, offsets, strict=True)]
    together = [
        (key, start + offset, list(extents))
        for block, offset in zip(blocks, offsets, strict=True)
        for key, start, extents in block
    ]
    ordered = sorted(together, key=lambda posting: posting[:2])  # stable: equal ones keep their order
    found = build_lists(parts)
    ends = find_list_ends(np.array([key for key, _, _ in ordered], np.uint32))
    assert parts == []  # their memory is free for what is packed
    assert [column.tolist() for column in found[:2]] == [column.tolist() for column in ends]
    assert found.starts.tolist() == [start for _, start, _ in ordered]
    assert found.extents.tolist() == [extents for _, _, extents in ordered]
    assert [column.dtype for column in found] == [np.uint32, np.uint32, np.uint32, np.uint16]
