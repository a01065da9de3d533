"""Packed postings have the blocks and bytes that the page on the format says."""

import numpy as np
import pytest
from hypothesis import given, settings

from ibidem.store import Store, check_index
from ibidem.store.format import (
    BLOCK_ROWS,
    LIST,
    SHARED,
    SHORT_LIST,
    STAIRCASE,
)
from ibidem.store.postings.packing import pack

from .. import samples
from .samples import Lists, lists_of, some_lists


@settings(deadline=None)
@given(some_lists)
def test_long_lists_have_blocks_of_their_own_and_short_ones_share(lists: Lists) -> None:
    blocks = pack(*lists)
    sizes = np.diff(blocks.rows)
    assert ((sizes > 0) & (sizes <= BLOCK_ROWS)).all()
    begins = np.concatenate(([0], lists.ends[:-1])).astype(np.int64) if len(lists.ends) else np.empty(0, np.int64)
    long = lists.ends - begins >= SHORT_LIST
    assert np.isin(begins[long], blocks.rows).all()
    assert np.isin(lists.ends[long], blocks.rows).all()
    kinds = blocks.packed[blocks.bytes[:-1]]
    shared = np.isin(np.searchsorted(lists.ends, blocks.rows[:-1], "right"), np.flatnonzero(~long))
    assert np.array_equal(kinds == SHARED, shared)


def test_windows_that_are_apart_are_packed_as_a_staircase() -> None:
    lists = lists_of(3, [500], 3, apart=True)
    blocks = pack(*lists)
    assert set(blocks.packed[blocks.bytes[:-1]]) == {STAIRCASE}
    overlapping = lists._replace(starts=np.repeat(lists.starts[::2], 2))
    assert STAIRCASE not in set((other := pack(*overlapping)).packed[other.bytes[:-1]])


def test_a_block_has_the_bytes_that_the_page_says() -> None:
    # Starts from 5 on, each 2 above the one before, but for two that are 1002 above.
    starts = np.cumsum([5, *[2] * 63]).astype(np.uint32)
    starts[10:] += 1000
    starts[12:] += 1000
    blocks = pack(np.array([64], np.uint32), starts, np.empty((64, 0), np.uint16))
    steps = [0] + [2] * 63
    steps[10] = steps[12] = 1002
    low = sum((step & 3) << (2 * place) for place, step in enumerate(steps)).to_bytes(16, "little")
    upper = (250 | 250 << 8).to_bytes(2, "little")
    header = bytes([LIST, 0, 0, 5, 0, 0, 0]) + bytes([2, 8, 2])
    assert blocks.packed.tobytes() == header + low + bytes([10, 12]) + upper
    shared = pack(np.array([1, 2], np.uint32), np.array([9, 7], np.uint32), np.array([[65534], [65535]], np.uint16))
    header = bytes([SHARED, 0, 0, 7, 0, 0, 0]) + bytes([2, 0, 0]) + bytes([16, 0, 0])
    assert shared.packed.tobytes() == header + bytes([0b0010]) + bytes([254, 255, 255, 255])
    a = 10 * np.arange(64, dtype=np.uint32) + 3
    stairs = pack(np.array([64], np.uint32), a, np.tile(np.array([[8, 1, 6]], np.uint16), (64, 1)))
    # b = a + 8; the next window starts 1 later than it could, c is always a + 9, and d never counts from the last.
    header = bytes([STAIRCASE, 9, 0, 3, 0, 0, 0])
    headers = bytes([1, 0, 0]) + bytes([4, 0, 0]) + bytes([0, 0, 0]) + bytes([3, 0, 0])
    packed = [sum(value << (width * i) for i in range(64)) for width, value in ((1, 1), (4, 8), (3, 6))]
    packed[0] -= 1
    columns = [number.to_bytes(8 * width, "little") for number, width in zip(packed, (1, 4, 3), strict=True)]
    assert stairs.packed.tobytes() == header + headers + b"".join(columns)


def test_postings_out_of_order_or_outside_of_the_segment_are_found(path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.store.postings.packing.require_order", lambda lists: None)
    store = Store.create(path, {})
    for wrong in ([3, 1, 2], [0, 1, 10**6]):
        with store.writer() as writer:
            segment = writer.new_segment()
            segment.append_documents(*samples.batch())
            segment.append_postings(np.zeros(3, np.uint32), np.array(wrong, np.uint32), np.zeros((3, 0), np.uint16))
            writer.commit()
    problems = check_index(path).problems
    assert len(problems) == 2
    assert all("packed_postings.npy" in problem for problem in problems)
