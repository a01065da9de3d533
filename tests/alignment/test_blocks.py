"""Blocks of a text: where each element stands, what windows weigh, and what tokens tell by how rare they are."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.alignment.blocks import make_blocks
from ibidem.alignment.weighted_pair import Pair


@given(
    b=st.lists(st.integers(0, 3), min_size=4, max_size=24),
    idf=st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=4, max_size=4),
    window=st.integers(1, 4),
)
def test_a_list_names_the_cells_with_as_many_occurrences_of_its_token(
    b: list[int], idf: list[float], window: int
) -> None:
    growth = np.diff(np.log2(np.arange(1, 30)))
    pair = Pair(np.zeros(window, np.int32), np.array(b, np.int32), np.array(idf), growth, window)
    blocks = make_blocks(pair, 0.3)
    count = (len(b) - window) // window + 1
    cells = [b[first : first + window] for first in range(0, len(b), window)]
    inside = [[*cells[k], *(cells[k + 1] if k + 1 < len(cells) else [])] for k in range(count)]
    for token in range(4):
        first, end = blocks.elements[token], blocks.elements[token + 1]
        for occurrence, element in enumerate(range(first, end), start=1):
            listed = blocks.lists[blocks.bounds[element] : blocks.bounds[element + 1]].tolist()
            assert listed == [k for k, cell in enumerate(cells) if cell.count(token) >= occurrence]
        assert end - first == max(cell.count(token) for cell in cells)
        assert blocks.lengths[token] == sum(token in part for part in inside)
    for k in range(count):
        starts = range(k * window, min((k + 1) * window, len(b) - window + 1))
        weights = [
            sum(idf[token] * growth[: b[start : start + window].count(token)].sum() for token in range(4))
            for start in starts
        ]
        assert blocks.lightest[k] == pytest.approx(min(weights))


@given(
    growth=st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=12, max_size=12),
    b=st.lists(st.integers(0, 1), min_size=12, max_size=12),
    window=st.integers(1, 4),
)
def test_what_cells_share_bounds_what_blocks_share_however_weights_grow(
    growth: list[float], b: list[int], window: int
) -> None:
    pair = Pair(np.zeros(window, np.int32), np.array(b, np.int32), np.ones(2), np.array([1.0, *growth]), window)
    blocks = make_blocks(pair, 0.3)
    cells = [b[first : first + window] for first in range(0, len(b), window)]
    for token in range(2):
        bounds = np.minimum(blocks.growth, blocks.ceilings[token])
        for here, following in pairwise([cell.count(token) for cell in cells]):
            for one in range(window + 1):
                for other in range(window + 1):
                    shared = min(one + other, here + following)
                    cell_by_cell = [min(x, y) for x in (one, other) for y in (here, following)]
                    bound = sum(bounds[:number].sum() for number in cell_by_cell)
                    assert bound >= pair.growth[:shared].sum() - 1e-9


def test_a_rare_token_tells_more_than_a_frequent_one_and_a_common_one_tells_nothing() -> None:
    frequent, often, rare = 0, 1, 2
    b = np.full(2_000, 3, np.int32) + np.arange(2_000, dtype=np.int32)
    b[::20], b[5:500:40], b[1_000] = frequent, often, rare
    blocks = make_blocks(Pair(b, b, np.ones(2_100), np.ones(200), 32), 0.3)
    assert blocks.presence[frequent] == blocks.absence[frequent] == 0.0
    assert blocks.presence[rare] > blocks.presence[often] > 0.0 > blocks.absence[often] > blocks.absence[rare]
