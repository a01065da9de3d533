"""Packed postings are the postings that were packed, whatever they are, and damaged ones are never trusted."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ibidem.errors import DamagedError
from ibidem.store import Store, check_index
from ibidem.store.format import (
    BLOCK_HEADER,
    BLOCK_ROWS,
    COLUMN_HEADER,
    HEADER_BYTES,
    LIST,
    PACKED_MARGIN,
    SHARED,
    SHORT_LIST,
    STAIRCASE,
)
from ibidem.store.postings.blocks import Blocks
from ibidem.store.postings.packing import pack, pack_keys
from ibidem.store.postings.unpacking import find_lists, unpack

from .. import samples


class Lists(NamedTuple):
    """Postings of one function: ends of lists, starts and extents."""

    ends: np.ndarray
    starts: np.ndarray
    extents: np.ndarray


def with_margin(blocks: Blocks) -> Blocks:
    return blocks._replace(packed=np.append(blocks.packed, np.zeros(PACKED_MARGIN, np.uint8)))


def any_postings(random: np.random.Generator, size: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """A list of postings of any size whatever, with few wide values among narrow ones and the extremes among both."""
    limit = 2 ** int(random.integers(0, 33))
    starts = np.sort(random.integers(0, limit, size))
    starts[random.random(size) < 0.02] = 2**32 - 1
    widths = random.integers(0, 2 ** random.integers(0, 17, (size, width)))
    return np.sort(starts), widths


def windows(random: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    """A list of windows apart from one another whose ends never fall."""
    corners = np.zeros((size, 4), np.int64)
    before = np.array([-1, -1, 0, 0]) + int(random.integers(0, 2**31))
    for i in range(size):
        steps = np.where(random.random(4) < 0.6, 0, random.integers(0, 300, 4))
        a = before[1] + 1 + steps[0]
        b = a + steps[1]
        c = max(before[2], b, a + 7) + steps[2]
        before = corners[i] = np.array([a, b, c, max(before[3], c) + steps[3]])
    return corners[:, 0], np.minimum(np.diff(corners, axis=1), 65535)


def lists_of(seed: int, sizes: list[int], width: int, apart: bool) -> Lists:
    random = np.random.default_rng(seed)
    made = [windows(random, size) if apart and width == 3 else any_postings(random, size, width) for size in sizes]
    starts, extents = zip((np.empty(0), np.empty((0, width))), *made, strict=True)
    return Lists(
        np.cumsum(sizes).astype(np.uint32),
        np.concatenate(starts).astype(np.uint32),
        np.concatenate(extents).astype(np.uint16),
    )


some_lists = st.builds(
    lists_of,
    st.integers(0, 2**32),
    st.lists(st.sampled_from([1, 2, 3, 30, SHORT_LIST - 1, SHORT_LIST, 255, 256, 257, 600]), max_size=8),
    st.integers(0, 4),
    st.booleans(),
)


def bits(data: bytes, count: int, width: int) -> tuple[list[int], bytes]:
    """Numbers of ``width`` bits, and the bytes behind them."""
    size = -(-count * width // 8)
    number = int.from_bytes(data[:size], "little")
    return [(number >> (i * width)) & ((1 << width) - 1) for i in range(count)], data[size:]


def residuals_of(block: bytes, count: int, columns: int) -> list[list[int]]:
    headers, data = block[BLOCK_HEADER:], block[BLOCK_HEADER + COLUMN_HEADER * columns :]
    read = []
    for column in range(columns):
        width, more, exceptions = headers[COLUMN_HEADER * column :][:COLUMN_HEADER]
        values, data = bits(data, count, width)
        places, data = bits(data, exceptions, 8)
        upper, data = bits(data, exceptions, more)
        for place, high in zip(places, upper, strict=True):
            values[place] |= high << width
        read.append(values)
    assert data == b""
    return read


def read_block(block: bytes, count: int, width: int) -> list[list[int]]:
    """The postings of a block, start and extents, read as the page on the format says."""
    kind, reach, base = block[0], int.from_bytes(block[1:3], "little"), int.from_bytes(block[3:7], "little")
    rows = list(zip(*residuals_of(block, count, width + 1), strict=True))
    if kind == SHARED:
        return [[base + start, *extents] for start, *extents in rows]
    if kind == LIST:
        starts = np.cumsum([base, *(start for start, *_ in rows)])[1:].tolist()
        return [[start, *extents] for start, (_, *extents) in zip(starts, rows, strict=True)]
    postings, b, c, d = [], base - 1, 0, 0
    for first, second, third, fourth in rows:
        a = b + 1 + first
        b = a + second
        c = max(c, b, a + reach) + third
        d = max(d, c) + fourth
        postings.append([a, b - a, c - b, d - c])
    return postings


def read(blocks: Blocks, width: int) -> list[list[int]]:
    ends = zip(blocks.bytes[:-1], blocks.bytes[1:], np.diff(blocks.rows), strict=True)
    return [row for at, end, count in ends for row in read_block(blocks.packed[at:end].tobytes(), int(count), width)]


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


@pytest.mark.parametrize("place", [0, BLOCK_HEADER])
def test_altered_blocks_are_a_damage_that_names_the_segment(store: Store, place: int) -> None:
    store.close()
    for name in ("packed_postings", "packed_keys"):
        file = store.path / "segments" / "000001" / f"{name}.npy"
        data = bytearray(file.read_bytes())
        data[HEADER_BYTES + place] ^= 0xFF
        file.write_bytes(data)
    segment = Store.open(store.path, verify="none").segments[0]
    with pytest.raises(DamagedError, match=r"000001: postings 0 to 1 cannot be unpacked"):
        segment.postings(0, 1)
    with pytest.raises(DamagedError, match=r"000001: the keys of function 0 cannot be unpacked"):
        segment.directory(0)
    with pytest.raises(DamagedError, match=r"000001: the keys of function 0 cannot be unpacked"):
        segment.list_bounds(0, np.array([2**32 - 1], np.uint32))


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
