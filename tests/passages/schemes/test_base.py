"""One suite for every scheme: what it writes is counted, and its candidates are ranges of starts in the segment."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ibidem import PassageIndex
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import SearchStatistics

RANDOM = np.random.default_rng(4)
COPIED = [f"w{number}" for number in RANDOM.integers(0, 900, 40)]
TEXTS = [[f"w{number}" for number in RANDOM.integers(0, 900, 200)] for _ in range(4)]
for row in (1, 3):
    TEXTS[row][60:100] = COPIED


@pytest.mark.parametrize("scheme", ["exact", "minhash", "oph"])
def test_candidates_are_ascending_ranges_and_hold_the_start_of_each_copy(tmp_path, scheme) -> None:  # type: ignore[no-untyped-def]
    texts = [(f"d{row}", " ".join(text)) for row, text in enumerate(TEXTS)]
    with PassageIndex.build(tmp_path / "index", texts[:2], scheme=scheme, min_length=8) as index:
        index.add(texts[2:])
        configuration, segments = index.configuration, index._store.segments
        made, weighting = configuration.make_scheme(None), configuration.weighting(None)
        assert made.keeps_positions == (scheme == "exact")
        tokens = np.asarray(segments[0].tokens[260:300])
        query, options = Query.of(tokens, weighting), SearchOptions(threshold=0.9, recall=1.0)
        plan = made.plan(query, weighting, options, configuration.lengths, SearchStatistics())
        with ThreadPoolExecutor(2) as pool:
            execution = Execution(pool, 2, SearchStatistics())
            found = list(made.candidate_starts(segments, plan, execution))
        assert len(found) == len(segments) == 2
        for segment, ranges in zip(segments, found, strict=True):
            assert ranges.dtype == np.int64
            assert (ranges[:, 0] < ranges[:, 1]).all()
            assert (ranges[1:, 0] >= ranges[:-1, 1]).all()
            assert 0 <= ranges.min(initial=0) <= ranges.max(initial=0) <= segment.num_tokens
            assert any(low <= 260 < high for low, high in ranges.tolist())
            assert (ranges[:, 1] - ranges[:, 0]).sum() < segment.num_tokens
        assert execution.statistics.postings_read <= sum(segment.num_postings for segment in segments)
