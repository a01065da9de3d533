"""The similar passages of a segment are those of its living documents, and none reaches from one into the next."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines.every_passage import every_passage
from ibidem import PassageIndex
from ibidem.passages.query.execution import Execution, OverBudgetError
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search import segment_search
from ibidem.passages.search.segment_search import estimate_areas, verify_starts
from ibidem.weights import Weighting

MULTISET = Weighting.of("multiset")
RANDOM = np.random.default_rng(6)
TEXTS = [" ".join(f"w{number}" for number in RANDOM.integers(0, 5, size)) for size in (30, 1, 40, 25)]


@pytest.fixture(scope="module")
def indexes(tmp_path_factory):
    """An exact index and a sketched one whose third document is removed."""
    folder = tmp_path_factory.mktemp("segments")
    exact = PassageIndex.build(folder / "exact", TEXTS)
    sketched = PassageIndex.build(folder / "sketched", TEXTS, scheme="minhash", min_length=2, num_hashes=4)
    with exact, sketched:
        for index in (exact, sketched):
            index.remove(["2"])
        yield exact, sketched


@pytest.fixture
def execution():
    with ThreadPoolExecutor(2) as pool:
        yield Execution(pool, 2, SearchStatistics())


def plan_for(segment, threshold, sketch=None, verify=True):
    query = Query.of(np.asarray(segment.tokens[3:9]), MULTISET)
    options = SearchOptions(threshold=threshold, verify=verify)
    return plan_search(query, MULTISET, options, (1, 12), sketch)


@pytest.mark.parametrize("starts_per_task", [1, 7, 1 << 14])
def test_verified_passages_are_those_of_each_living_document(indexes, execution, monkeypatch, starts_per_task):
    monkeypatch.setattr(segment_search, "_STARTS_PER_TASK", starts_per_task)
    (segment,) = indexes[0]._store.segments
    plan = plan_for(segment, 0.6)
    areas = verify_starts(segment, np.array([[0, 20], [25, segment.num_tokens]]), plan, execution)
    found = {
        (document, start, last)
        for document, start, (first, end) in zip(
            areas.documents.tolist(), areas.starts[:, 0].tolist(), areas.ends.tolist(), strict=True
        )
        for last in range(first, end + 1)
    }
    expected = set()
    bounds = segment.token_bounds.tolist()
    for document in (0, 1, 3):
        tokens = np.asarray(segment.tokens[bounds[document] : bounds[document + 1]])
        for passage in every_passage(tokens, plan.query.tokens, 0.6, MULTISET):
            start, last = passage.start + bounds[document], passage.stop - 1 + bounds[document]
            expected |= {(document, start, last)} if not 20 <= start < 25 else set()
    assert found == expected
    assert {document for document, _, _ in found} >= {0, 3}


@given(st.data())
def test_starts_are_divided_among_the_documents_that_are_alive(data):
    sizes = data.draw(st.lists(st.integers(0, 6), min_size=1, max_size=8))
    alive = data.draw(st.lists(st.booleans(), min_size=len(sizes), max_size=len(sizes)))
    bounds = np.cumsum([0, *sizes])
    cuts = sorted(data.draw(st.sets(st.integers(0, int(bounds[-1])), max_size=10)))
    starts = [(low, high) for low, high in zip(cuts[::2], cuts[1::2], strict=False)]
    divided, ends, documents = segment_search._divide_ranges(
        np.array(starts, np.int64).reshape(-1, 2), bounds, np.array(alive)
    )
    expected = [
        (max(low, bounds[document]), min(high, bounds[document + 1]), bounds[document + 1], document)
        for low, high in starts
        for document in range(len(sizes))
        if alive[document] and max(low, bounds[document]) < min(high, bounds[document + 1])
    ]
    assert list(zip(*divided.T.tolist(), ends.tolist(), documents.tolist(), strict=True)) == expected


def test_verification_is_not_begun_over_its_budget(indexes, execution):
    (segment,) = indexes[0]._store.segments
    execution.allow(10)
    with pytest.raises(OverBudgetError):
        verify_starts(segment, np.array([[0, segment.num_tokens]]), plan_for(segment, 0.6), execution)
    assert len(verify_starts(segment, np.empty((0, 2), np.int64), plan_for(segment, 0.6), execution).scores) == 0


@pytest.mark.parametrize("select", ["all", "longest"])
def test_estimated_passages_are_of_living_documents(indexes, execution, select):
    (segment,) = indexes[1]._store.segments
    scheme = indexes[1].configuration.make_scheme(None)
    sketch = scheme.query_estimate(np.asarray(segment.tokens[3:9]), 0.5)
    plan = plan_for(segment, 0.5, sketch, verify=False)
    areas = estimate_areas(segment, plan, SearchOptions(select=select, verify=False), execution)
    assert {0, 3} <= set(areas.documents.tolist()) <= {0, 1, 3}
    assert (areas.scores >= 0.5).all()
