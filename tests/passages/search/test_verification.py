"""The walk with incremental counts against the exact similarity of every passage."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines.every_passage import every_passage
from ibidem import PassageIndex
from ibidem.passages.query.execution import Execution, OverBudgetError
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import QueryPlan, plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search import verification
from ibidem.passages.search.verification import CandidateRanges, verify_candidates, verify_starts
from ibidem.similarity import jaccard
from ibidem.weights import IDF, TF, DocumentFrequencies, Weighting

FREQUENCIES = DocumentFrequencies([0, 1, 2, 3, 4], [10, 1, 3, 5, 9], 10)
WEIGHTINGS = [Weighting.of("set"), Weighting.of("multiset")] + [
    Weighting(tf, idf, FREQUENCIES) for tf in TF for idf in IDF
]

weightings = st.sampled_from(WEIGHTINGS)
thresholds = st.sampled_from([0.1, 0.3, 0.5, 2 / 3, 0.8, 1.0])
tokens_of_a_text = st.lists(st.one_of(st.integers(0, 5), st.just(2**32 - 1)), max_size=22)


def plan_of(query, weighting, threshold, lengths) -> QueryPlan:
    return plan_search(query, weighting, SearchOptions(threshold=threshold), lengths)


@st.composite
def some_regions(draw, text):
    """One or two ranges of starts in documents that are parts of the text."""
    cut = draw(st.integers(0, len(text)))
    rows, ends, documents = [], [], []
    for document, (low, high) in enumerate([(0, cut), (cut, len(text))]):
        if high > low and draw(st.booleans()):
            first = draw(st.integers(low, high - 1))
            rows.append((first, draw(st.integers(first + 1, high))))
            ends.append(high)
            documents.append(document)
    return CandidateRanges(
        *(np.array(each, np.int64).reshape(shape) for each, shape in ((rows, (-1, 2)), (ends, -1), (documents, -1)))
    )


@given(
    data=st.data(),
    text=tokens_of_a_text,
    asked=st.lists(st.integers(0, 6), min_size=1, max_size=10),
    weighting=weightings,
    threshold=thresholds,
    lengths=st.sampled_from([(1, 100), (3, 8), (4, 4)]),
)
def test_areas_are_the_passages_that_qualify(data, text, asked, weighting, threshold, lengths):
    place = data.draw(st.integers(0, len(text)))
    text = text[:place] + asked + text[place:]
    tokens, query = np.array(text, np.uint32), Query.of(np.array(asked, np.uint32), weighting)
    if not query.mass:
        return
    regions = data.draw(some_regions(text))
    areas = verify_candidates(tokens, regions, plan_of(query, weighting, threshold, lengths))
    exact = {
        (document, i, j): jaccard(query.tokens, tokens[i : j + 1], weighting)
        for (low, high), end, document in zip(regions.starts, regions.ends, regions.documents, strict=True)
        for i in range(low, high)
        for j in range(i + lengths[0] - 1, min(end, i + lengths[1]))
    }
    found = [
        (document, int(start), j)
        for document, (start, _), (first, last) in zip(areas.documents, areas.starts, areas.ends, strict=True)
        for j in range(first, last + 1)
    ]
    assert len(found) == len(set(found))
    assert {passage for passage, share in exact.items() if share >= threshold * (1 - 1e-13)} <= set(found)
    assert set(found) <= {passage for passage, share in exact.items() if share >= threshold * (1 - 1e-11)}
    assert (areas.starts[:, 0] == areas.starts[:, 1]).all()
    for document, (start, best), (first, last), score in zip(
        areas.documents, areas.best, areas.ends, areas.scores, strict=True
    ):
        run = [exact[document, start, j] for j in range(first, last + 1)]
        assert score == pytest.approx(max(run), abs=1e-12)
        assert exact[document, start, best] == pytest.approx(max(run), abs=1e-12)
        assert (document, start, first - 1) not in found
        assert (document, start, last + 1) not in found


@pytest.mark.parametrize("threshold", [0.25, 0.5, 0.8, 1.0])
def test_a_walk_goes_on_to_the_heaviest_passage_that_is_similar(threshold):
    """Twenty tokens of the query, and then others until the query is just the threshold's share of the passage."""
    weighting = Weighting.of("multiset")
    tokens, query = np.arange(200, dtype=np.uint32), Query.of(np.arange(20, dtype=np.uint32), weighting)
    region = CandidateRanges(np.array([[0, 1]]), np.array([200]), np.array([0]))
    areas = verify_candidates(tokens, region, plan_of(query, weighting, threshold, (1, 150)))
    assert areas.ends.tolist() == [[20 * threshold - 1, 20 / threshold - 1]]
    assert areas.best.tolist() == [[0, 19]]


def test_of_equally_similar_passages_of_a_start_the_longest_is_the_best():
    """Under sets, a repeated token changes nothing."""
    tokens = np.array([1, 2, 2, 2, 3], np.uint32)
    weighting = Weighting.of("set")
    query = Query.of(np.array([1, 2], np.uint32), weighting)
    region = CandidateRanges(np.array([[0, 1]]), np.array([5]), np.array([0]))
    areas = verify_candidates(tokens, region, plan_of(query, weighting, 0.6, (1, 9)))
    assert (areas.best.tolist(), areas.ends.tolist(), areas.scores.tolist()) == ([[0, 3]], [[1, 4]], [1.0])


def test_passages_at_both_sides_of_a_gap_are_areas_of_their_own():
    """1 2 3 shares three of five; 9 makes that three of six, and 4 makes it four of six."""
    weighting = Weighting.of("multiset")
    tokens, query = np.array([1, 2, 3, 9, 4, 5], np.uint32), Query.of(np.array([1, 2, 3, 4, 5], np.uint32), weighting)
    region = CandidateRanges(np.array([[0, 1]]), np.array([6]), np.array([0]))
    areas = verify_candidates(tokens, region, plan_of(query, weighting, 0.6, (1, 9)))
    assert areas.ends.tolist() == [[2, 2], [4, 5]]
    assert areas.scores.tolist() == pytest.approx([3 / 5, 5 / 6])


def test_more_areas_than_there_was_room_for_are_found_all():
    tokens = np.tile(np.array([1, 2, 9], np.uint32), 3000)
    weighting = Weighting.of("multiset")
    query = Query.of(np.array([1, 2], np.uint32), weighting)
    region = CandidateRanges(np.array([[0, 9000]]), np.array([9000]), np.array([4]))
    areas = verify_candidates(tokens, region, plan_of(query, weighting, 1.0, (1, 9)))
    assert areas.starts[:, 0].tolist() == list(range(0, 9000, 3))
    some = verify_candidates(tokens, region, plan_of(query, weighting, 0.5, (1, 9)))
    # From a 2 there are two areas, 2 and 2 9 1, but the last 2 has no second.
    assert len(some.scores) == 4 * 3000 - 2
    assert len({(start, first) for (start, _), (first, _) in zip(some.starts, some.ends, strict=True)}) == 11_998


def test_nothing_qualifies_in_no_region():
    nothing = CandidateRanges(np.empty((0, 2), np.int64), np.empty(0, np.int64), np.empty(0, np.int64))
    query = Query.of(np.array([1], np.uint32), Weighting())
    areas = verify_candidates(np.array([1], np.uint32), nothing, plan_of(query, Weighting(), 0.5, (1, 9)))
    assert [len(column) for column in areas] == [0] * 5


MULTISET = Weighting.of("multiset")
RANDOM = np.random.default_rng(6)
TEXTS = [" ".join(f"w{number}" for number in RANDOM.integers(0, 5, size)) for size in (30, 1, 40, 25)]


@pytest.fixture(scope="module")
def segment(tmp_path_factory):
    """The segment of an exact index whose third document is removed."""
    with PassageIndex.build(tmp_path_factory.mktemp("segments") / "exact", TEXTS) as index:
        index.remove(["2"])
        yield index.segments[0]


@pytest.fixture
def execution():
    with ThreadPoolExecutor(2) as pool:
        yield Execution(pool, 2, SearchStatistics())


def plan_for(segment, threshold):
    query = Query.of(np.asarray(segment.tokens[3:9]), MULTISET)
    return plan_search(query, MULTISET, SearchOptions(threshold=threshold), (1, 12))


@pytest.mark.parametrize("starts_per_task", [1, 7, 1 << 14])
def test_verified_passages_are_those_of_each_living_document(segment, execution, monkeypatch, starts_per_task):
    monkeypatch.setattr(verification, "_STARTS_PER_TASK", starts_per_task)
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
    divided, ends, documents = verification._divide_ranges(
        np.array(starts, np.int64).reshape(-1, 2), bounds, np.array(alive)
    )
    expected = [
        (max(low, bounds[document]), min(high, bounds[document + 1]), bounds[document + 1], document)
        for low, high in starts
        for document in range(len(sizes))
        if alive[document] and max(low, bounds[document]) < min(high, bounds[document + 1])
    ]
    assert list(zip(*divided.T.tolist(), ends.tolist(), documents.tolist(), strict=True)) == expected


def test_verification_is_not_begun_over_its_budget(segment, execution):
    execution.allow(10)
    with pytest.raises(OverBudgetError):
        verify_starts(segment, np.array([[0, segment.num_tokens]]), plan_for(segment, 0.6), execution)
    assert len(verify_starts(segment, np.empty((0, 2), np.int64), plan_for(segment, 0.6), execution).scores) == 0
