"""The offsets of a compact segment: steps and lengths of tokens, compressed in blocks of ``OFFSET_BLOCK`` tokens.

A step is mostly the length of the token before it and one blank, and a token mostly has one length. So a block holds
what each step has over the length before it, then what each length has over that of the token's code, both modulo 256:
nearly all are the same few numbers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.store.compact.blocks import CompressedBlocks
from ibidem.store.format import CODED_TOKENS, OFFSET_BLOCK

_Pair = tuple[NDArray[np.uint8], NDArray[np.uint8]]


class CompressedOffsets:
    """The columns ``offset_steps`` and ``offset_lengths``, decoded where they are read.

    Args:
        blocks: the compressed bytes.
        codes: the column ``token_codes``. Shape [T].
        lengths: the column ``code_lengths``. Shape [F].
    """

    def __init__(self, blocks: CompressedBlocks, codes: NDArray[np.uint16], lengths: NDArray[np.uint8]) -> None:
        self._blocks, self._codes = blocks, codes
        self._typical = typical_lengths(lengths)
        self._last: tuple[int, _Pair] | None = None  # a look-up reads a step and a length of one block

    def __len__(self) -> int:
        return len(self._codes)

    def read(self, column: int, first: int, end: int) -> NDArray[np.uint8]:
        """The steps (column 0) or lengths (1) of the tokens from ``first`` until ``end``."""
        if first >= end:
            return np.empty(0, np.uint8)
        numbers = range(first // OFFSET_BLOCK, -(-end // OFFSET_BLOCK))
        blocks = [self._read_block(number)[column] for number in numbers]
        base = numbers[0] * OFFSET_BLOCK
        return (blocks[0] if len(blocks) == 1 else np.concatenate(blocks))[first - base : end - base]

    def _read_block(self, number: int) -> _Pair:
        last = self._last
        if last is None or last[0] != number:
            codes = self._codes[number * OFFSET_BLOCK : (number + 1) * OFFSET_BLOCK]
            data = self._blocks.read(number, 2 * len(codes))
            self._last = last = number, _decode_block(data, self._typical[codes])
        return last[1]


class OffsetColumn:
    """One of the two columns; indexing gives what it gives of an array."""

    dtype = np.dtype(np.uint8)

    def __init__(self, offsets: CompressedOffsets, column: int) -> None:
        self._offsets, self._column = offsets, column

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, chosen: Any) -> Any:
        if isinstance(chosen, slice):
            first, end, _ = chosen.indices(len(self))
            return self._offsets.read(self._column, first, end)
        return self._offsets.read(self._column, int(chosen), int(chosen) + 1)[0]


def typical_lengths(lengths: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The length from which that of a token is counted, for every number that a code can be."""
    typical = np.zeros(CODED_TOKENS + 1, np.uint8)
    typical[: len(lengths)] = lengths
    return typical


def encode_block(steps: NDArray[np.uint8], lengths: NDArray[np.uint8], typical: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bytes of a block of at most ``OFFSET_BLOCK`` tokens, not compressed; ``typical`` is of each token."""
    gaps = steps.copy()
    gaps[1:] -= lengths[:-1]
    return np.concatenate((gaps, lengths - typical))


def _decode_block(data: NDArray[np.uint8], typical: NDArray[np.uint8]) -> _Pair:
    """The steps and lengths of a block."""
    size = len(typical)
    lengths = data[size:] + typical
    steps = data[:size].copy()
    steps[1:] += lengths[:-1]
    return steps, lengths
