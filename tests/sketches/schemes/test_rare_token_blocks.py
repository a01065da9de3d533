"""The filters over starts lose no similar passage, whatever they are told about how common tokens are."""

import warnings

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.passages.filters.distinct_counts import NOTHING_COUNTED
from ibidem.passages.filters.overlap import OverlapFilter
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.sketches.schemes import schemes as sketched
from ibidem.sketches.schemes.collision_count import BIN
from ibidem.sketches.schemes.rare_tokens import build_token_table, find_rich_ranges
from ibidem.weights import DocumentFrequencies, Weighting

from ...passages.filters.similar_starts import WEIGHTINGS, cases, count_fewest, starts_of_similar_passages


def plan_of(query, weighting, threshold, lengths):
    plan = plan_search(query, weighting, SearchOptions(threshold=threshold), lengths)
    return msgspec.structs.replace(plan, similar_lengths=lengths)


def find_likely_starts(tokens, bins, plan, table, fewest=NOTHING_COUNTED, first_block=0):
    """The starts that the rare tokens leave, and then the overlap filter."""
    overlap = OverlapFilter.of(plan.query, plan.threshold, plan.similar_lengths[0])
    return overlap.starts(tokens, find_rich_ranges(tokens, bins, plan, table), fewest, first_block)


@given(
    case=cases(),
    weighting=st.sampled_from(WEIGHTINGS),
    threshold=st.sampled_from([0.2, 0.5, 2 / 3, 0.9, 1.0]),
    max_length=st.sampled_from([5, 33, 60]),
    told=st.sampled_from(["true", "equal", "wrong"]),
    share=st.sampled_from([1.0, 0.5]),
    counted=st.booleans(),
)
def test_every_start_of_a_similar_passage_is_likely(case, weighting, threshold, max_length, told, share, counted):
    tokens, stream, random = case
    query = Query.of(tokens, weighting)
    if not query.mass:
        return
    lengths = query.fewest_tokens(threshold), query.most_tokens(threshold, max_length)
    if lengths[1] < lengths[0]:
        return
    shares = {
        "true": np.array([np.count_nonzero(stream == token) for token in query.vocabulary]) / max(1, len(stream)),
        "equal": np.zeros(len(query.vocabulary)),
        "wrong": random.random(len(query.vocabulary)),
    }[told]
    bins = random.random(len(stream) // BIN + 1) < share
    table = build_token_table(query, shares, threshold, lengths)
    fewest = count_fewest(stream) if counted else NOTHING_COUNTED
    ranges = find_likely_starts(stream, bins, plan_of(query, weighting, threshold, lengths), table, fewest)
    assert (np.diff(ranges.reshape(-1)) > 0)[::2].all()
    assert (ranges[1:, 0] >= ranges[:-1, 1]).all()
    likely = {start for low, high in ranges.tolist() for start in range(low, high)}
    assert likely <= set(range(len(stream)))
    similar = starts_of_similar_passages(stream, query, weighting, threshold, lengths[1])
    assert {start for start in similar if bins[start // BIN]} <= likely


@pytest.mark.parametrize("longest", [40, 64, 65, 66, 81])
def test_a_start_is_likely_that_holds_just_enough_within_just_the_longest_passage(longest):
    """Token 0 weighs nothing: half of the query, at both ends of the longest passage, is similar by exactly a half."""
    weighting = Weighting("binary", "standard", DocumentFrequencies(range(21), [10] + [1] * 20, 10))
    query = Query.of(np.arange(1, 21, dtype=np.uint32), weighting)
    table = build_token_table(query, np.zeros(20), 0.5, (10, longest))
    plan = plan_of(query, weighting, 0.5, (10, longest))
    for start in range(100, 132):
        stream = np.zeros(300, np.uint32)
        stream[start : start + 5] = np.arange(3, 8)
        stream[start + longest - 5 : start + longest] = np.arange(9, 14)
        bins = np.ones(300 // BIN + 1, np.bool_)
        assert find_likely_starts(stream, bins, plan, table).tolist() == [[start, start + 1]]


def test_starts_that_cannot_be_similar_are_left_out():
    random = np.random.default_rng(8)
    stream = random.integers(1000, 5000, 20_000).astype(np.uint32)
    tokens = np.arange(40, dtype=np.uint32)
    stream[7000:7040] = tokens
    weighting = Weighting.of("multiset")
    query = Query.of(tokens, weighting)
    table, plan = build_token_table(query, np.full(40, 1e-4), 0.6, (24, 66)), plan_of(query, weighting, 0.6, (24, 66))
    ((low, high),) = find_likely_starts(stream, np.ones(20_000 // BIN + 1, np.bool_), plan, table)
    assert low <= 7000 < high
    assert high - low < 100


def test_fewer_bins_than_the_stream_has_are_those_at_its_beginning():
    tokens = np.arange(30, dtype=np.uint32)
    stream = np.tile(tokens, 20)
    weighting = Weighting.of("multiset")
    query = Query.of(tokens, weighting)
    table, plan = build_token_table(query, np.full(30, 0.03), 0.9, (27, 33)), plan_of(query, weighting, 0.9, (27, 33))
    whole = find_likely_starts(stream, np.ones(10, np.bool_), plan, table)
    assert whole.tolist() == [[0, 600 - 26]]
    part = find_likely_starts(stream, np.ones(2, np.bool_), plan, table)
    assert part.tolist() == [[0, 2 * BIN]]


@pytest.mark.parametrize(("family", "weights"), [("set", {}), ("multiset", {}), ("weighted", {"idf": "smooth"})])
def test_bins_shared_out_among_workers_lose_and_double_nothing(tmp_path, monkeypatch, family, weights):
    """Copies of the query stand everywhere, so they lie across every border between the shares."""
    random = np.random.default_rng(12)
    query = [f"w{number}" for number in random.zipf(1.3, 40) % 60]
    documents = []
    for _ in range(12):
        words = [f"w{number}" for number in random.integers(0, 200, 90)]
        place = random.integers(0, 50)
        documents.append(" ".join([*words[:place], *query[: random.integers(30, 41)], *words[place:]]))
    monkeypatch.setattr(sketched, "_BINS_PER_TASK", 1)
    options = {"min_length": 8, "scheme": "minhash", "num_hashes": 8, "family": family, **weights}
    with PassageIndex.build(tmp_path / "index", documents, **options) as index:
        answers = []
        for workers in (1, 2, 7):
            index._workers = workers
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answers.append(
                    [
                        index.search(" ".join(query), threshold=0.6, recall=recall, select=report)
                        for recall in (0.9, 1.0)
                        for report in ("all", "best")
                    ]
                )
        assert answers[0][3]
        assert len({match.document for match in answers[0][3]}) > 6
        assert all(answer == answers[0] for answer in answers)
