"""The last filter over starts narrows passages until nothing is left that is similar by chance."""

import numpy as np

from ibidem.passages.filters.distinct_counts import BITS
from ibidem.passages.filters.overlap import OverlapFilter
from ibidem.passages.query.query import Query
from ibidem.weights import Weighting


def test_long_passages_that_share_much_by_chance_are_narrowed_where_they_stand():
    """At every start a passage of 1,000 tokens may overlap the query enough, and shorter ones cannot."""
    random = np.random.default_rng(3)
    stream = (random.zipf(1.15, 100_000) % 20_000).astype(np.uint32)
    copy = stream[40_000:40_500].copy()
    changed = random.random(500) < 0.4
    copy[changed] = random.integers(20_000, 40_000, changed.sum())
    query = Query.of(copy, Weighting.of("multiset"))
    kept = OverlapFilter.of(query, 0.4, 200).starts(stream, np.array([[0, len(stream), 1000]]))
    assert any(low <= 40_000 < high for low, high in kept)
    assert (kept[:, 1] - kept[:, 0]).sum() < 0.02 * len(stream)


def test_one_long_passage_makes_no_others_long():
    """The query stands once, thinly: only starts near it are looked at for so long a passage."""
    stream = np.arange(1000, 21_000, dtype=np.uint32)
    stream[10_000:10_900:9] = np.arange(100)
    query = Query.of(np.arange(100, dtype=np.uint32), Weighting("binary", "unary"))
    kept = OverlapFilter.of(query, 0.1, 10).starts(stream, np.array([[0, len(stream), 900]]))
    assert (kept[:, 0] >= 9_000).all()
    assert (kept[:, 1] <= 10_900).all()


def test_distinct_tokens_bound_the_length_of_sets():
    """At every start a long passage holds the query's common tokens, and far more others than a similar one may."""
    random = np.random.default_rng(5)
    stream = (random.zipf(1.15, 60_000) % 1_000).astype(np.uint32)
    query = Query.of(stream[40_000:40_100], Weighting.of("set"))
    overlap, ranges = OverlapFilter.of(query, 0.5, 30), np.array([[0, len(stream), 1000]])
    lengths = 16 << np.arange(6)
    windows = [np.lib.stride_tricks.sliding_window_view(stream, length)[:: 1 << BITS] for length in lengths]
    least = [[len(np.unique(window)) - 2 * (1 << BITS) for window in each] for each in windows]
    blocks = 1 + (len(stream) >> BITS)
    fewest = np.array([np.maximum(np.append(row, [0] * (blocks - len(row))), 0) for row in least], np.uint16)
    without, kept = overlap.starts(stream, ranges), overlap.starts(stream, ranges, fewest)
    assert (without[:, 1] - without[:, 0]).sum() > 0.9 * len(stream)
    assert (kept[:, 1] - kept[:, 0]).sum() < 0.1 * len(stream)
    assert any(low <= 40_000 < high for low, high in kept)
    half = overlap.starts(stream[32_000:], np.array([[0, 28_000, 1000]]), fewest, 32_000 >> BITS)
    assert any(low <= 8_000 < high for low, high in half)
    assert (half[:, 1] - half[:, 0]).sum() < 0.1 * 28_000
