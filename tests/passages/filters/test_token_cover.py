"""What covers a start is what can be reached from it, and few starts are left by chance.

That no start of a similar passage is lost is tested with the other filters, in ``test_candidate_starts.py``.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.filters.distinct_counts import DistinctCounts
from ibidem.passages.filters.length_bands import divide_at_counted_lengths, divide_lengths
from ibidem.passages.filters.query_prefix import BLOCKS, Occurrences, QueryPrefix, choose_prefix
from ibidem.passages.filters.token_cover import find_covered_starts
from ibidem.passages.query.query import Query
from ibidem.weights import Weighting

NOTHING = np.empty((1, 0), np.uint16)


def is_alone(prefix, band):
    """Whether a band is counted alone: of two that are counted together, both reach a whole number of blocks."""
    return len(prefix.lists) > 512 or (band % 2 == 0 and band == len(prefix.longest) - 1)


def block_reach(positions, prefix, fewest, blocks):
    """Of each block the longest band of which it reaches enough, 0 for none, from the definition."""
    size, reach = 1 << prefix.bits, []
    for block in range(blocks):
        longest = 0
        for band, length in enumerate(prefix.longest.tolist()):
            held = 0
            for row, earlier, weight in zip(prefix.lists, prefix.earlier, prefix.weights, strict=True):
                listed, earlier = positions[row], int(earlier)
                reached = length - 1 if is_alone(prefix, band) else -(-(length - 1) // size) * size
                held += weight * any(
                    first >= block * size and listed[place + earlier] < (block + 1) * size + reached
                    for place, first in enumerate(listed[: len(listed) - earlier])
                )
            needed = prefix.least_weights[band]
            if prefix.rows[band] >= 0:
                needed = max(needed, prefix.base + int(prefix.per_distinct * fewest[prefix.rows[band], block]))
            longest = length if held >= needed else longest
        reach.append(longest)
    return reach


@given(st.data())
def test_a_block_is_left_if_and_only_if_enough_covers_it(data):
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    bits = data.draw(st.sampled_from([4, 5]))
    count, occurrences = data.draw(st.sampled_from([(900, 7), (900, 7), (900, 7), (200, 520)]))
    positions = [np.flatnonzero(random.random(count) < share) for share in random.random(4) ** 4]
    lists = np.sort(random.integers(0, 4, occurrences))
    bands = np.array(data.draw(st.sampled_from([[20], [20, 90], [20, 50, 90]])))
    counted = data.draw(st.booleans())
    prefix = QueryPrefix(
        places=np.arange(4),
        lists=lists,
        earlier=random.integers(0, 3, occurrences),
        weights=random.integers(1, 9, occurrences).astype(np.int32),
        bits=bits,
        longest=bands,
        rows=np.minimum(np.arange(len(bands)) - 1, 0) if counted else np.full(len(bands), -1),
        least_weights=random.integers(1, 4 * occurrences, len(bands)),
        base=int(random.integers(-5, 10)),
        per_distinct=random.random(),
        work=0.0,
    )
    fewest = random.integers(0, 60, (1, 1 + (count - 1 >> bits))).astype(np.uint16) if counted else NOTHING
    stream, ends = np.concatenate(positions).astype(np.uint32), np.cumsum([len(each) for each in positions])
    ranges = find_covered_starts(stream, ends, prefix, fewest, (0, count)).tolist()
    expected = []
    for block, longest in enumerate(block_reach(positions, prefix, fewest, 1 + (count - 1 >> bits))):
        low, high = block << bits, min((block + 1) << bits, count)
        if longest and expected and low - expected[-1][1] <= longest:
            expected[-1] = [expected[-1][0], high, max(expected[-1][2], longest)]
        elif longest:
            expected.append([low, high, longest])
    assert ranges == expected
    border = 6 << bits
    parts = [
        find_covered_starts(stream, ends, prefix, fewest, share).tolist() for share in ((0, border), (border, count))
    ]
    starts = {start for low, high, _ in ranges for start in range(low, high)}
    assert {start for low, high, _ in [*parts[0], *parts[1]] for start in range(low, high)} <= starts


@pytest.mark.parametrize("family", ["set", "multiset"])
@pytest.mark.parametrize("threshold", [0.5, 0.7, 0.9])
def test_a_copy_is_told_from_chance(family, threshold):
    random = np.random.default_rng(3)
    stream = (random.zipf(1.15, 100_000) % 20_000).astype(np.uint32)
    query = Query.of(stream[50_000:50_100], Weighting.of(family))
    shares = np.array([np.count_nonzero(stream == token) for token in query.vocabulary]) / len(stream)
    occurrences = Occurrences.of(query, shares)
    lengths = query.fewest_tokens(threshold), query.most_tokens(threshold, 1000)
    if family == "set":
        slow = DistinctCounts(
            np.tile(np.array([[8], [14], [25], [45], [80], [140], [250]], np.uint16), 3126), np.zeros(7, int)
        )
        slow = slow._replace(typical=slow.fewest[:, 0].astype(np.int64))
        fewest = slow.fewest
        prefix = choose_prefix(occurrences, threshold, [divide_at_counted_lengths(query, lengths, slow)], range(5, 6))
    else:
        fewest = NOTHING
        prefix = choose_prefix(occurrences, threshold, list(divide_lengths(query, lengths)), BLOCKS)
    positions = [np.flatnonzero(stream == query.vocabulary[place]) for place in prefix.places]
    ends = np.cumsum([len(each) for each in positions])
    ranges = find_covered_starts(np.concatenate(positions).astype(np.uint32), ends, prefix, fewest, (0, len(stream)))
    assert any(low <= 50_000 < high for low, high, _ in ranges)
    beside_the_copy = (ranges[:, 1] - ranges[:, 0]).sum() - (1 << prefix.bits)
    assert beside_the_copy < 0.02 * len(stream)
