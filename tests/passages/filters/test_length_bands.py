"""Bands divide the lengths without a gap, and bound the weight of their passages."""

import numpy as np

from ibidem.passages.filters.distinct_counts import DistinctCounts
from ibidem.passages.filters.length_bands import LengthBands, divide_at_counted_lengths, divide_lengths
from ibidem.passages.query.query import Query
from ibidem.weights import Weighting


def test_bands_cover_all_lengths():
    query = Query.of(np.arange(100, dtype=np.uint32), Weighting.of("multiset"))
    for lengths in ((80, 125), (50, 200), (7, 7), (1, 2), (3, 1000)):
        for bands in divide_lengths(query, lengths):
            assert bands.longest[-1] == lengths[1]
            assert (np.diff(bands.longest) > 0).all()
            assert bands.mass[0] == lengths[0] / 100
            np.testing.assert_allclose(bands.mass[1:], bands.longest[:-1] / 100)


def test_bands_at_counted_lengths_know_the_distinct_tokens_of_their_shortest_passages():
    query = Query.of(np.arange(100, dtype=np.uint32), Weighting.of("set"))
    counted = DistinctCounts(np.empty((4, 0), np.uint16), np.array([10, 20, 40, 70]))
    bands = divide_at_counted_lengths(query, (5, 100), counted)
    assert bands.longest.tolist() == [16, 32, 64, 100]
    assert bands.rows.tolist() == [-1, 0, 1, 2]
    assert bands.typical.tolist() == [0.0, 0.1, 0.2, 0.4]
    assert isinstance(bands, LengthBands)
