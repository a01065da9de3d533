"""The filters lose no start of a similar passage, however the work is divided."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.filters import candidate_starts
from ibidem.passages.filters.candidate_starts import find_candidate_starts
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.radix_sort import sort_stably
from ibidem.store.postings.lists import find_list_ends
from ibidem.weights import Weighting

from .similar_starts import WEIGHTINGS, cases, starts_of_similar_passages


class Positions:
    """A segment that has nothing but its tokens and their positions."""

    def __init__(self, tokens):
        self.tokens, self.num_tokens = tokens, len(tokens)
        keys, self.starts = sort_stably(tokens)
        self.keys, ends = find_list_ends(keys)
        self.bounds = np.append(0, ends).astype(np.int64)

    def starts_of(self, bounds):
        return np.concatenate([self.starts[low:high] for low, high in bounds] or [np.empty(0, np.uint32)])

    def narrow_lists(self, bounds, first, stop):
        places = [low + np.searchsorted(self.starts[low:high], (first, stop)) for low, high in bounds]
        return np.array(places, np.int64).reshape(-1, 2)

    def list_bounds(self, function, keys):
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        low = self.bounds[place]
        return np.stack((low, np.where(self.keys[place] == keys, self.bounds[place + 1], low)), axis=1)


@given(
    case=cases(),
    weighting=st.sampled_from(WEIGHTINGS),
    threshold=st.sampled_from([0.2, 0.5, 2 / 3, 0.9, 1.0]),
    max_length=st.sampled_from([5, 33, 60, 400]),
    share=st.sampled_from([512, 1 << 22]),
    piece=st.sampled_from([3, 1 << 17]),
)
def test_every_start_of_a_similar_passage_is_found(case, weighting, threshold, max_length, share, piece):
    tokens, stream, _ = case
    query = Query.of(tokens, weighting)
    if not query.mass or not len(stream):
        return
    lengths = query.fewest_tokens(threshold), query.most_tokens(threshold, max_length)
    if lengths[1] < lengths[0]:
        return
    with pytest.MonkeyPatch.context() as patched, ThreadPoolExecutor(2) as pool:
        patched.setattr(candidate_starts, "_NARROWED_PER_TASK", share)
        patched.setattr(candidate_starts, "_POSITIONS_PER_TASK", piece)
        plan = plan_search(query, weighting, SearchOptions(threshold=threshold), (1, max_length))
        execution = Execution(pool=pool, workers=2, statistics=SearchStatistics())
        [ranges] = find_candidate_starts([Positions(stream)], plan, execution)
    found = {start for low, high in ranges.tolist() for start in range(low, high)}
    assert found <= set(range(len(stream)))
    assert set(starts_of_similar_passages(stream, query, weighting, threshold, lengths[1])) <= found


@pytest.mark.parametrize("least", [0, 1 << 40])
def test_segments_that_are_filtered_together_have_the_candidates_of_each_alone(least, monkeypatch):
    random = np.random.default_rng(7)
    segments = [Positions((random.zipf(1.3, size) % 500).astype(np.uint32)) for size in (3000, 1, 2000, 4000)]
    query = Query.of(segments[2].tokens[500:540], Weighting.of("multiset"))
    plan = plan_search(query, Weighting.of("multiset"), SearchOptions(threshold=0.6), (1, 400))

    def find(some, in_part):
        with ThreadPoolExecutor(2) as pool:
            execution = Execution(pool=pool, workers=2, statistics=SearchStatistics())
            execution.allow(1e9, in_part=in_part)
            found = [ranges.tolist() for ranges in find_candidate_starts(some, plan, execution)]
            return found, round(execution.spent, 3), execution.statistics.postings_read

    alone = find(segments, in_part=True)
    monkeypatch.setattr(candidate_starts, "_LEAST_TOGETHER", least)
    assert find(segments, in_part=False) == alone
    monkeypatch.setattr(candidate_starts, "_MOST_TOGETHER", 3)
    assert find(segments, in_part=False) == alone
    assert any(low <= 500 < high for low, high in alone[0][2])
