"""The texts of a compact segment: one run of bytes, compressed in blocks of ``TEXT_BLOCK``. Code points in texts."""

import numpy as np
from numpy.typing import NDArray

from ibidem.store.compact.blocks import CompressedBlocks
from ibidem.store.format import TEXT_BLOCK


class CompressedText:
    """The bytes of all texts, back to back; a slice of them is an array, as of the column ``text``.

    Args:
        blocks: the compressed bytes.
        points: code points that begin before each block, and in all. Shape [X + 1].
        size: bytes of all texts.
    """

    dtype = np.dtype(np.uint8)

    def __init__(self, blocks: CompressedBlocks, points: NDArray[np.int64], size: int) -> None:
        self._blocks, self._points, self._size = blocks, points, size
        self._last: tuple[int, NDArray[np.uint8]] | None = None  # passages of one text lie close together

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, span: slice) -> NDArray[np.uint8]:
        first, end, _ = span.indices(self._size)
        if first >= end:
            return np.empty(0, np.uint8)
        base = first - first % TEXT_BLOCK
        data = self._read_blocks(base // TEXT_BLOCK, -(-end // TEXT_BLOCK))
        return data[first - base : end - base]

    def find_points(self, begin: int, first: int, last: int) -> tuple[int, int]:
        """The bytes at which two code points begin, counted from the code point that begins at byte ``begin``."""
        before = self._count_before(begin)
        return self._find_point(before + first), self._find_point(before + last)

    def _count_before(self, place: int) -> int:
        """Code points that begin before the byte at ``place``."""
        block = place // TEXT_BLOCK
        inside = place - block * TEXT_BLOCK
        return int(self._points[block]) + (count_points(self._read_block(block)[:inside]) if inside else 0)

    def _find_point(self, number: int) -> int:
        """The byte at which the code point ``number`` of all begins."""
        if number >= int(self._points[-1]):
            return self._size
        block = int(np.searchsorted(self._points, number, "right")) - 1
        begins = np.flatnonzero(_begin_points(self._read_block(block)))
        if len(begins) != int(self._points[block + 1] - self._points[block]):
            raise self._blocks.damaged(f"block {block} has {len(begins)} code points, not those that were counted")
        return block * TEXT_BLOCK + int(begins[number - int(self._points[block])])

    def _read_blocks(self, first: int, end: int) -> NDArray[np.uint8]:
        blocks = [self._read_block(number) for number in range(first, end)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def _read_block(self, number: int) -> NDArray[np.uint8]:
        last = self._last
        if last is None or last[0] != number:
            size = min(TEXT_BLOCK, self._size - number * TEXT_BLOCK)
            self._last = last = number, self._blocks.read(number, size)
        return last[1]


def count_points(text: NDArray[np.uint8]) -> int:
    """Code points that begin in some bytes of UTF-8."""
    return int(np.count_nonzero(_begin_points(text)))


def find_point(text: NDArray[np.uint8], number: int) -> int:
    """The byte at which a code point of some bytes of UTF-8 begins, given its ``number``; their end if it is behind."""
    for first in range(0, len(text), TEXT_BLOCK):
        begins = _begin_points(text[first : first + TEXT_BLOCK])
        count = int(np.count_nonzero(begins))
        if number < count:
            return first + int(np.flatnonzero(begins)[number])
        number -= count
    return len(text)


def _begin_points(text: NDArray[np.uint8]) -> NDArray[np.bool_]:
    begins: NDArray[np.bool_] = text.view(np.int8) >= -0x40  # all bytes but 0x80 to 0xBF
    return begins
