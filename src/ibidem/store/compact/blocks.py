"""Bytes in blocks, each compressed by Zstandard on its own, so that a few of them are read without the rest."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DamagedError
from ibidem.parallel import in_threads

if TYPE_CHECKING:
    import pyarrow as pa

# A higher level saves a twentieth of the bytes of texts and takes four times as long.
_LEVEL = 3

# Blocks that a thread compresses at a time.
_AT_ONCE = 16


class CompressedBlocks:
    """Blocks that are decompressed when they are read.

    Args:
        path: the file of the compressed bytes, for errors.
        data: |u1, all blocks back to back.
        bounds: where each block begins in ``data``. Shape [X + 1].
    """

    def __init__(self, path: Path, data: NDArray[np.uint8], bounds: NDArray[np.int64]) -> None:
        self._path, self._data, self._bounds = path, data, bounds

    def read(self, number: int, size: int) -> NDArray[np.uint8]:
        """The ``size`` bytes of a block.

        Raises:
            DamagedError: the block does not hold so many.
        """
        begin, end = self._bounds[number : number + 2]
        try:
            block = _codec().decompress(self._data[begin:end], decompressed_size=size, asbytes=True)
        except (OSError, ValueError) as error:
            raise self.damaged(f"block {number} cannot be decompressed: {error}") from None
        if len(block) != size:
            raise self.damaged(f"block {number} has {len(block)} bytes where {size} are expected")
        return np.frombuffer(block, np.uint8)

    def damaged(self, fault: str) -> DamagedError:
        """The error to raise for a fault of the blocks."""
        return DamagedError(f"{self._path}: {fault}")


def compress_blocks(blocks: Iterable[NDArray[np.uint8]]) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.int64]]]:
    """Compress each of the ``blocks``, in their order: some of them at a time, back to back, and the size of each."""
    following = iter(blocks)
    return in_threads(_compress, iter(lambda: list(islice(following, _AT_ONCE)), []))


def _compress(blocks: list[NDArray[np.uint8]]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    codec = _codec()
    packed: list[Any] = [codec.compress(np.ascontiguousarray(block), asbytes=True) for block in blocks]
    return np.frombuffer(b"".join(packed), np.uint8), np.array([len(block) for block in packed])


def _codec() -> "pa.Codec":
    from pyarrow import Codec

    return Codec("zstd", compression_level=_LEVEL)
