"""The plain sweep beside brute force: every passage of an allowed length lies in one window, with its min-hash."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from baselines.brute_force import min_hashes
from baselines.stack_sweep import scanline
from ibidem.sketches.families import MultisetFamily
from ibidem.text.token_stream import prepare_tokens

texts = st.lists(st.lists(st.integers(0, 4), max_size=16), min_size=1, max_size=3)


@given(texts=texts, seed=st.integers(0, 2**64 - 1), least=st.integers(1, 8), more=st.integers(0, 12))
def test_each_allowed_passage_lies_in_one_window_that_has_its_min_hash(
    texts: list[list[int]], seed: int, least: int, more: int
) -> None:
    most = least + more
    stream = prepare_tokens(
        np.array([token for text in texts for token in text], np.uint32), np.cumsum([0, *map(len, texts)])
    )
    values = MultisetFamily().active(stream.vocabulary, stream.peaks, np.uint64(seed))
    windows = [tuple(map(int, window)) for window in zip(*scanline(stream, values, least, most), strict=True)]
    for first, end in zip(stream.bounds[:-1].tolist(), stream.bounds[1:].tolist(), strict=True):
        keys = min_hashes(stream.ids[first:end], values).key
        for i in range(first, end):
            for j in range(i + least - 1, min(end, i + most)):
                holding = [key for key, a, b, c, d in windows if a <= i <= b and c <= j <= d]
                assert holding == [keys[i - first, j - first]]


def test_the_windows_of_a_whole_text_hold_as_many_passages_as_it_has() -> None:
    stream = prepare_tokens(np.arange(2000, dtype=np.uint32) % 7, np.array([0, 2000]))
    windows = scanline(stream, MultisetFamily().active(stream.vocabulary, stream.peaks, np.uint64(3)))
    widths, heights = (windows.b - windows.a + 1).astype(np.int64), (windows.d - windows.c + 1).astype(np.int64)
    assert (widths * heights).sum() == 2000 * 2001 // 2
