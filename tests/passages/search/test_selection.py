"""Which of the similar passages of a segment are reported, beside a choice by hand."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.passages.query.areas import NO_AREAS
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search import selection
from ibidem.passages.search.selection import select_passages
from ibidem.passages.search.verification import CandidateRanges, verify_candidates
from ibidem.similarity import jaccard
from ibidem.weights import Weighting

MULTISET = Weighting.of("multiset")


class Segment:
    """As much of a segment as a selection asks for: documents of 30 tokens."""

    def __init__(self, tokens):
        self.tokens = np.array(tokens, np.uint32)

    def document_of(self, positions):
        return positions // 30

    def document_id(self, row):
        return f"{row:03}"


@pytest.fixture(scope="module")
def execution():
    with ThreadPoolExecutor(1) as pool:
        yield Execution(pool, 1, SearchStatistics())


def find_areas(segment, query, threshold):
    """The similar passages of all documents, and the plan that they were looked for with."""
    starts = np.arange(0, len(segment.tokens), 30)
    ends = np.minimum(starts + 30, len(segment.tokens))
    query = Query.of(np.array(query, np.uint32), MULTISET)
    plan = plan_search(query, MULTISET, SearchOptions(threshold=threshold), (1, 30))
    ranges = CandidateRanges(np.stack((starts, ends), axis=1), ends, np.arange(len(starts)))
    return verify_candidates(segment.tokens, ranges, plan), plan


streams = st.lists(st.integers(0, 5), min_size=1, max_size=70)
queries = st.lists(st.integers(0, 4), min_size=1, max_size=6)
thresholds = st.sampled_from([0.3, 0.6, 1.0])


def places(passages):
    return [(passage.first, passage.last) for passage in passages]


@given(stream=streams, query=queries, threshold=thresholds, most=st.sampled_from([None, 1, 3]))
def test_all_reports_each_area_and_the_limit_keeps_the_highest_scores(execution, stream, query, threshold, most):
    segment = Segment(stream)
    areas, plan = find_areas(segment, query, threshold)
    chosen, in_all = select_passages(segment, areas, plan, SearchOptions(select="all"), most, execution)
    assert in_all == len(areas.scores)
    assert len(chosen) == min(in_all, most or in_all)
    assert places(chosen) == sorted(places(chosen))
    left = sorted(areas.scores.tolist(), reverse=True)[: len(chosen)]
    assert sorted((passage.score for passage in chosen), reverse=True) == left
    for passage in chosen:
        assert passage.document == passage.first // 30
        assert passage.starts[0] <= passage.first <= passage.starts[1]
        assert passage.ends[0] <= passage.last <= passage.ends[1]


@given(stream=streams, query=queries, threshold=thresholds)
def test_of_each_document_the_best_is_reported(execution, stream, query, threshold):
    segment = Segment(stream)
    areas, plan = find_areas(segment, query, threshold)
    chosen, in_all = select_passages(segment, areas, plan, SearchOptions(select="document"), None, execution)
    documents = [passage.document for passage in chosen]
    assert documents == sorted(set(areas.documents.tolist()))
    assert in_all == len(documents)
    for passage in chosen:
        assert passage.score == areas.scores[areas.documents == passage.document].max()


@given(stream=streams, query=queries, threshold=thresholds, select=st.sampled_from(["best", "longest"]))
def test_what_is_reported_is_similar_and_the_best_share_no_token(execution, stream, query, threshold, select):
    segment = Segment(stream)
    areas, plan = find_areas(segment, query, threshold)
    chosen, in_all = select_passages(segment, areas, plan, SearchOptions(select=select), None, execution)
    assert in_all == len(chosen)
    assert bool(chosen) == bool(len(areas.scores))
    for passage in chosen:
        starts, ends = areas.starts, areas.ends
        inside = (starts[:, 0] <= passage.first) & (passage.first <= starts[:, 1])
        assert (inside & (ends[:, 0] <= passage.last) & (passage.last <= ends[:, 1])).any()
    if select == "best" and chosen:
        assert all(first[1] < second[0] for first, second in pairwise(places(chosen)))
        assert max(passage.score for passage in chosen) == pytest.approx(areas.scores.max())


@given(stream=streams, query=queries, threshold=thresholds)
def test_maximal_are_the_similar_passages_that_lie_in_no_longer_one(execution, stream, query, threshold):
    """The longest near-duplicate subsequences of Peng et al. 2024, section 4.2, by brute force over all passages."""
    segment = Segment(stream)
    similar = [
        (first, last)
        for first in range(len(stream))
        for last in range(first, min(len(stream), (first // 30 + 1) * 30))
        if jaccard(query, stream[first : last + 1], MULTISET) >= threshold - 1e-9
    ]
    longer = {(i, j) for i, j in similar for a, b in similar if a <= i and j <= b and (a, b) != (i, j)}
    areas, plan = find_areas(segment, query, threshold)
    chosen, in_all = select_passages(segment, areas, plan, SearchOptions(select="maximal"), None, execution)
    assert places(chosen) == sorted(set(similar) - longer)
    assert in_all == len(chosen)


def test_nothing_similar_is_nothing_to_report(execution):
    _, plan = find_areas(Segment([1]), [1], 1.0)
    assert select_passages(Segment([]), NO_AREAS, plan, SearchOptions(), 10, execution) == ([], 0)


def test_a_search_that_has_to_stop_selects_among_what_it_has(monkeypatch):
    segment = Segment([1, 2, 3] * 9)
    areas, plan = find_areas(segment, [1, 2, 3], 0.5)
    with ThreadPoolExecutor(1) as pool:
        stopping = Execution(pool, 1, SearchStatistics())
        everything = select_passages(segment, areas, plan, SearchOptions(), None, stopping)
        stopping.stop[0] = 1
        assert select_passages(segment, areas, plan, SearchOptions(), None, stopping) == everything
        monkeypatch.setattr(selection, "_SELECTED_IN_HASTE", 3)
        hasty, _ = select_passages(segment, areas, plan, SearchOptions(), None, stopping)
    assert hasty
    assert {passage.score for passage in hasty} == {1.0}


def test_of_each_document_the_most_similar_passage_alone_is_reported(tmp_path):
    passage = list("abcdefgh")
    words = [[*passage, *"zzzzzzzz", *"abcdefyh"], [*"abcdyyyy", *"zzzzzzzz", *"abcdefgy"], list("zzzzzzzz")]
    texts = [" ".join(each) for each in words]
    with PassageIndex.build(tmp_path / "index", texts, min_length=4, max_length=16) as index:
        every = index.search(" ".join(passage), threshold=0.6)
        first = index.search(" ".join(passage), threshold=0.6, select="document")
    assert len(every) == 3
    assert first == [every[0], next(match for match in every if match.document == "1")]
    assert [(match.document, match.similarity) for match in first] == [("0", 1.0), ("1", 7 / 8)]
