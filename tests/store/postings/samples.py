"""Lists of postings of every kind, and a plain reader of blocks that does as the page on the format says."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from ibidem.store.format import (
    BLOCK_HEADER,
    COLUMN_HEADER,
    LIST,
    PACKED_MARGIN,
    SHARED,
    SHORT_LIST,
)
from ibidem.store.postings.lists import Blocks


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
