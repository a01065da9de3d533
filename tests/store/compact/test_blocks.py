from pathlib import Path

import numpy as np
import pytest

from ibidem.errors import DamagedError
from ibidem.store.compact.blocks import CompressedBlocks, compress_blocks

BLOCKS = [np.frombuffer(text, np.uint8) for text in (b"one and one and one", b"", b"another")] * 9


def compress() -> CompressedBlocks:
    packed, sizes = map(np.concatenate, zip(*compress_blocks(BLOCKS), strict=True))
    return CompressedBlocks(Path("texts.npy"), packed, np.concatenate(([0], np.cumsum(sizes))))


def test_each_block_is_read_without_the_others() -> None:
    blocks = compress()
    for number in (2, 0, 26, 15, 16, 1):
        assert blocks.read(number, len(BLOCKS[number])).tobytes() == BLOCKS[number].tobytes()


def test_a_block_of_another_size_is_damage_and_named() -> None:
    for size in (6, 8):
        with pytest.raises(DamagedError, match=r"^texts\.npy: block 2 "):
            compress().read(2, size)
