"""The last filter over starts narrows passages until nothing is left that is similar by chance."""

import numpy as np

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
