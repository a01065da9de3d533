"""Windows are read where a start is left, and what they reach has an allowed length, as by plain loops."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.sketches.schemes.collisions.areas import _divide_at_lengths
from ibidem.weights import Weighting


@st.composite
def rectangles(draw):
    """First and last start, first and last end, and a best passage among them that has an allowed length."""
    low, high = draw(st.integers(0, 20)), draw(st.integers(0, 6))
    begin, width = draw(st.integers(0, 12)), draw(st.integers(0, 10))
    return low, low + high, low + high + begin, low + high + begin + width


@given(found=st.lists(rectangles(), max_size=5), least=st.integers(1, 6), more=st.integers(0, 12))
def test_what_is_divided_holds_each_passage_of_an_allowed_length_once(found, least, more):
    lengths = least, least + more
    # As a sweep cuts them: from each start some end gives an allowed length.
    found = [
        (s, t, max(low, s + lengths[0] - 1), min(high, t + lengths[1] - 1), s, max(low, s + lengths[0] - 1))
        for s, t, low, high in found
    ]
    found = [each for each in found if all(fits(start, each, lengths) for start in range(each[0], each[1] + 1))]
    with ThreadPoolExecutor(1) as pool:
        execution = Execution(pool, 1, SearchStatistics())
        table, scores = np.array(found, np.int64).reshape(-1, 6), np.arange(len(found), dtype=np.float64)
        divided, kept = _divide_at_lengths(table, scores, lengths, execution)
    expected = [
        (number, start, end)
        for number, (s, t, low, high, _, _) in enumerate(found)
        for start in range(s, t + 1)
        for end in range(low, high + 1)
        if lengths[0] <= end - start + 1 <= lengths[1]
    ]
    given_back = [
        (int(number), start, end)
        for number, (s, t, low, high, _, _) in zip(kept, divided.tolist(), strict=True)
        for start in range(s, t + 1)
        for end in range(low, high + 1)
    ]
    assert sorted(given_back) == expected


def fits(start, rectangle, lengths):
    """Whether a passage of an allowed length begins there."""
    low, high = rectangle[2:4]
    return max(low, start + lengths[0] - 1) <= min(high, start + lengths[1] - 1)


@pytest.mark.parametrize("select", ["all", "longest"])
def test_estimated_passages_are_of_living_documents(tmp_path, select):
    random = np.random.default_rng(6)
    texts = [" ".join(f"w{number}" for number in random.integers(0, 5, size)) for size in (30, 1, 40, 25)]
    options = SearchOptions(threshold=0.5, select=select, verify=False)
    index = PassageIndex.build(tmp_path / "i", texts, scheme="minhash", min_length=2, num_hashes=4)
    with index, ThreadPoolExecutor(2) as pool:
        index.remove(["2"])
        (segment,) = index.segments
        scheme, weighting = index.configuration.make_scheme(None), Weighting.of("multiset")
        execution = Execution(pool, 2, SearchStatistics())
        query = Query.of(np.asarray(segment.tokens[3:9]), weighting)
        plan = scheme.plan(query, weighting, options, (1, 12), execution.statistics)
        ((found, areas),) = scheme.estimate_areas([segment], plan, options, execution)
    assert found is segment
    assert {0, 3} <= set(areas.documents.tolist()) <= {0, 1, 3}
    assert (areas.scores >= 0.5).all()
