"""A window that ends behind its document is found before a kernel counts with its end."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.store.postings.window_ends import find_window_outside


def find_plainly(starts: list[int], extents: list[tuple[int, ...]], bounds: list[int]) -> int:
    for number, (start, widths) in enumerate(zip(starts, extents, strict=True)):
        end = next(end for begin, end in pairwise(bounds) if begin <= start < end)
        if start + sum(widths) >= end:
            return number
    return len(starts)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6), st.data())
def test_windows_outside_of_documents_are_found(lengths: list[int], data: st.DataObject) -> None:
    bounds = np.cumsum([0, *lengths]).tolist()
    if not bounds[-1]:
        return
    starts = data.draw(st.lists(st.integers(0, bounds[-1] - 1), max_size=12))
    extents = [data.draw(st.tuples(*[st.sampled_from([0, 0, 1, 2, 65535])] * 3)) for _ in starts]
    given = np.array(starts, np.uint32), np.array(extents, np.uint16).reshape(-1, 3), np.array(bounds, np.int64)
    assert find_window_outside(*given) == find_plainly(starts, extents, bounds)
