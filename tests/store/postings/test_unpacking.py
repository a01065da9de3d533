"""Unpacked postings are those that were packed, whatever they are, and damaged blocks are never trusted."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ibidem.store.format import (
    BLOCK_HEADER,
    BLOCK_ROWS,
    COLUMN_HEADER,
    PACKED_MARGIN,
    SHORT_LIST,
)
from ibidem.store.postings.lists import Blocks
from ibidem.store.postings.packing import pack, pack_keys
from ibidem.store.postings.unpacking import find_lists, find_start, narrow_lists, unpack, unpack_starts

from .samples import Lists, lists_of, read, some_lists, with_margin


@settings(deadline=None)
@given(some_lists)
@example(Lists(np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty((0, 3), np.uint16)))
@example(Lists(np.full(1, 300, np.uint32), np.full(300, 2**32 - 1, np.uint32), np.full((300, 3), 65535, np.uint16)))
@example(Lists(np.full(1, 300, np.uint32), np.arange(300, dtype=np.uint32), np.zeros((300, 0), np.uint16)))
def test_postings_are_unpacked_as_they_were_packed_by_the_kernel_and_by_a_plain_reader(lists: Lists) -> None:
    blocks = with_margin(pack(*lists))
    width = lists.extents.shape[1]
    found = unpack(blocks, 0, len(lists.starts), width)
    assert found is not None
    starts, extents = found
    assert (starts.dtype, extents.dtype) == (np.uint32, np.uint16)
    assert np.array_equal(starts, lists.starts)
    assert np.array_equal(extents, lists.extents)
    assert read(blocks, width) == np.column_stack((lists.starts, lists.extents)).tolist()


@settings(deadline=None)
@given(some_lists, st.data())
def test_a_range_of_postings_is_a_slice_of_them(lists: Lists, data: st.DataObject) -> None:
    blocks = with_margin(pack(*lists))
    low = data.draw(st.integers(0, len(lists.starts)))
    high = data.draw(st.integers(low, len(lists.starts)))
    starts, extents = unpack(blocks, low, high, lists.extents.shape[1])
    assert np.array_equal(starts, lists.starts[low:high])
    assert np.array_equal(extents, lists.extents[low:high])


@settings(deadline=None)
@given(some_lists, st.integers(0, 2**32))
def test_the_starts_of_several_ranges_are_slices_of_them_back_to_back(lists: Lists, seed: int) -> None:
    blocks, random = with_margin(pack(*lists)), np.random.default_rng(seed)
    bounds = np.sort(random.integers(0, len(lists.starts) + 1, (6, 2)), axis=1)
    bounds[0] = 0, len(lists.starts)
    found = unpack_starts(blocks, bounds, lists.extents.shape[1])
    assert found is not None
    assert np.array_equal(found, np.concatenate([lists.starts[low:high] for low, high in bounds.tolist()]))


@settings(deadline=None)
@given(st.lists(st.integers(0, 3000), max_size=700).map(sorted), st.data())
def test_the_first_posting_from_a_start_on_is_found_in_its_list(values: list[int], data: st.DataObject) -> None:
    starts = np.array(values, np.uint32)
    lists = Lists(np.full(min(1, len(starts)), len(starts), np.uint32), starts, np.zeros((len(starts), 3), np.uint16))
    blocks = with_margin(pack(*lists))
    low = data.draw(st.integers(0, len(starts)))
    high = data.draw(st.integers(low, len(starts)))
    start = data.draw(st.integers(0, 3001))
    assert find_start(blocks, (low, high), start, 3) == low + int(np.searchsorted(starts[low:high], start))


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 3000), min_size=1, max_size=700), min_size=1, max_size=4), st.data())
def test_narrowed_lists_have_all_starts_between_two_and_few_others(
    values: list[list[int]], data: st.DataObject
) -> None:
    ends = np.cumsum([len(each) for each in values])
    starts = np.concatenate([np.sort(np.array(each, np.uint32)) for each in values])
    blocks = with_margin(pack(ends.astype(np.uint32), starts, np.empty((len(starts), 0), np.uint16)))
    bounds = np.stack((ends - [len(each) for each in values], ends), axis=1)
    first = data.draw(st.integers(0, 3001))
    stop = data.draw(st.integers(first, 3001))
    narrow = narrow_lists(blocks, bounds, first, stop)
    assert narrow is not None
    for (low, high), (begin, end) in zip(bounds.tolist(), narrow.tolist(), strict=True):
        assert low <= begin <= end <= high
        wanted = low + np.searchsorted(starts[low:high], (first, stop))
        assert begin <= wanted[0]
        assert wanted[0] == wanted[1] or end >= wanted[1]
        assert high - low < SHORT_LIST or (wanted[0] - begin) + (end - wanted[1]) <= 2 * BLOCK_ROWS


@settings(deadline=None, max_examples=300)
@given(some_lists, st.integers(0, 2**32), st.sampled_from(["packed", "bytes", "rows", "noise", "headers"]))
def test_damaged_blocks_are_refused_or_give_as_many_postings_as_were_asked_for(
    lists: Lists, seed: int, part: str
) -> None:
    random = np.random.default_rng(seed)
    blocks = with_margin(pack(*lists))
    blocks = Blocks(*(column.copy() for column in blocks))
    if part == "noise":
        blocks.packed[:] = random.integers(0, 256, len(blocks.packed))
    elif part == "headers" and len(blocks.bytes) > 1:
        places = blocks.bytes[:-1] + random.integers(0, BLOCK_HEADER + COLUMN_HEADER, len(blocks.bytes) - 1)
        blocks.packed[places] = random.integers(0, 256, len(places))
    else:
        column = getattr(blocks, "packed" if part == "headers" else part)
        flipped = random.integers(0, column.nbytes, 3)
        column.view(np.uint8)[flipped] ^= np.uint8(1) << random.integers(0, 8, 3).astype(np.uint8)
    width = lists.extents.shape[1]
    for low, high in ((0, len(lists.starts)), (len(lists.starts) // 3, len(lists.starts) // 2)):
        found = unpack(blocks, low, high, width)
        if found is not None:
            assert found[0].shape == (high - low,)
            assert found[1].shape == (high - low, width)
        bounds = np.array([[low, high], [0, high]])
        several = unpack_starts(blocks, bounds, width)
        assert several is None or several.shape == (2 * high - low,)
        narrow = narrow_lists(blocks, bounds, int(random.integers(0, 2**16)), int(random.integers(0, 2**32)))
        assert narrow is None or ((bounds[:, 0] <= narrow[:, 0]) & (narrow[:, 1] <= bounds[:, 1])).all()
        first = find_start(blocks, (low, high), int(random.integers(0, 2**32)), width)
        assert first is None or low <= first <= high


key_lists = st.builds(
    lambda seed, count, most: (
        np.unique(np.random.default_rng(seed).integers(0, 2**32, count).astype(np.uint32)),
        np.random.default_rng(seed).integers(1, most, count),
    ),
    st.integers(0, 2**32),
    st.sampled_from([0, 1, SHORT_LIST, 255, 257, 1000]),
    st.sampled_from([2, 4, 2**20]),
)


@settings(deadline=None)
@given(key_lists, st.integers(0, 2**32))
def test_lists_are_found_under_their_keys_and_under_no_others(lists: tuple[np.ndarray, np.ndarray], seed: int) -> None:
    keys, ends = lists[0], np.cumsum(lists[1][: len(lists[0])])
    blocks = with_margin(pack_keys(keys, ends.astype(np.uint32)))
    begins = np.concatenate(([0], ends[:-1])) if len(ends) else ends
    known = {int(key): [int(begin), int(end)] for key, begin, end in zip(keys, begins, ends, strict=True)}
    firsts = blocks.rows[:-1]
    random = np.random.default_rng(seed)
    wanted = np.concatenate((random.permutation(keys), keys + np.uint32(1), [0, 2**32 - 1])).astype(np.uint32)
    found = find_lists(blocks, keys[firsts], begins[firsts].astype(np.uint32), wanted)
    assert found is not None
    for key, (begin, end) in zip(wanted.tolist(), found.tolist(), strict=True):
        assert [begin, end] == known[key] if key in known else begin == end


@settings(deadline=None)
@given(key_lists, st.integers(0, 2**32))
def test_lists_of_damaged_keys_are_refused_or_found_somewhere(lists: tuple[np.ndarray, np.ndarray], seed: int) -> None:
    random = np.random.default_rng(seed)
    keys, ends = lists[0], np.cumsum(lists[1][: len(lists[0])]).astype(np.uint32)
    blocks = with_margin(pack_keys(keys, ends))
    firsts = blocks.rows[:-1]
    damaged = Blocks(*(column.copy() for column in blocks))
    for column in damaged:
        flipped = random.integers(0, column.nbytes, 2)
        column.view(np.uint8)[flipped] ^= np.uint8(1) << random.integers(0, 8, 2).astype(np.uint8)
    found = find_lists(damaged, keys[firsts], np.zeros(len(firsts), np.uint32), keys)
    assert found is None or found.shape == (len(keys), 2)


@pytest.mark.parametrize("cut", [1, PACKED_MARGIN, 20])
def test_blocks_that_end_behind_the_column_are_refused(cut: int) -> None:
    lists = lists_of(5, [100], 3, apart=True)
    blocks = with_margin(pack(*lists))
    assert unpack(blocks._replace(packed=blocks.packed[:-cut]), 0, 100, 3) is None
