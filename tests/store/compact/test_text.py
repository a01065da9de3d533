from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.store.compact.blocks import CompressedBlocks, compress_blocks
from ibidem.store.compact.text import CompressedText, count_points
from ibidem.store.format import TEXT_BLOCK


@given(
    unit=st.text("aé日\U0001f642 ", min_size=1, max_size=9),
    size=st.sampled_from([1, 100, TEXT_BLOCK, 2 * TEXT_BLOCK + 5]),
    places=st.lists(st.integers(0, 3 * TEXT_BLOCK), min_size=3, max_size=3),
)
def test_bytes_and_code_points_are_found_wherever_blocks_end(unit, size, places):
    text = unit * (size // len(unit) + 1)
    data = np.frombuffer(text.encode(), np.uint8)
    parts = [data[first : first + TEXT_BLOCK] for first in range(0, len(data), TEXT_BLOCK)]
    packed, sizes = map(np.concatenate, zip(*compress_blocks(parts), strict=True))
    bounds = np.concatenate(([0], np.cumsum(sizes)))
    points = np.concatenate(([0], np.cumsum([count_points(part) for part in parts])))
    kept = CompressedText(CompressedBlocks(Path("texts.npy"), packed, bounds), points, len(data))
    assert len(kept) == len(data)
    first, last = sorted(places[:2])
    assert kept[first:last].tobytes() == data[first:last].tobytes()
    begin, start, end = sorted(min(place, len(text)) for place in places)
    found = kept.find_points(len(text[:begin].encode()), start - begin, end - begin)
    assert found == (len(text[:start].encode()), len(text[:end].encode()))
