"""What covers a start is what can be reached from it, and few starts are left by chance.

That no start of a similar passage is lost is tested with the other filters, in ``test_likely.py``.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.filters.distinct_counts import Growth
from ibidem.passages.filters.length_bands import Rungs, ladders, rungs_of_octaves
from ibidem.passages.filters.token_cover import BLOCKS, Chosen, Occurrences, chosen_occurrences, covered_starts
from ibidem.passages.query.query import Query
from ibidem.weights import Weighting

NOTHING = np.empty((1, 0), np.uint16)


def block_reach(positions, chosen, fewest, blocks):
    """Of each block the longest rung of which it reaches enough, 0 for none, from the definition."""
    size, reach = 1 << chosen.bits, []
    for block in range(blocks):
        longest = 0
        for rung, length in enumerate(chosen.longest.tolist()):
            held = 0
            for row, earlier, weight in zip(chosen.lists, chosen.earlier, chosen.weights, strict=True):
                listed, earlier = positions[row], int(earlier)
                held += weight * any(
                    first >= block * size and listed[place + earlier] - length + 1 < (block + 1) * size
                    for place, first in enumerate(listed[: len(listed) - earlier])
                )
            asked = chosen.asked[rung]
            if chosen.rows[rung] >= 0:
                asked = max(asked, chosen.base + int(chosen.per_distinct * fewest[chosen.rows[rung], block]))
            longest = length if held >= asked else longest
        reach.append(longest)
    return reach


@given(st.data())
def test_a_block_is_left_if_and_only_if_enough_covers_it(data):
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    bits, count = data.draw(st.sampled_from([4, 5])), 900
    positions = [np.flatnonzero(random.random(count) < share) for share in random.random(4) ** 4]
    lists = np.sort(random.integers(0, 4, 7))
    rungs = np.array([20, 90])
    counted = data.draw(st.booleans())
    chosen = Chosen(
        np.arange(4),
        lists,
        random.integers(0, 3, 7),
        random.integers(1, 9, 7).astype(np.int32),
        bits,
        rungs,
        np.array([-1, 0]) if counted else np.full(2, -1),
        random.integers(1, 30, 2),
        int(random.integers(-5, 10)),
        random.random(),
        0.0,
    )
    fewest = random.integers(0, 60, (1, 1 + (count - 1 >> bits))).astype(np.uint16) if counted else NOTHING
    stream, ends = np.concatenate(positions).astype(np.uint32), np.cumsum([len(each) for each in positions])
    ranges = covered_starts(stream, ends, chosen, fewest, (0, count)).tolist()
    expected = []
    for block, longest in enumerate(block_reach(positions, chosen, fewest, 1 + (count - 1 >> bits))):
        low, high = block << bits, min((block + 1) << bits, count)
        if longest and expected and low - expected[-1][1] <= longest:
            expected[-1] = [expected[-1][0], high, max(expected[-1][2], longest)]
        elif longest:
            expected.append([low, high, longest])
    assert ranges == expected
    border = 20 << bits
    parts = [covered_starts(stream, ends, chosen, fewest, share).tolist() for share in ((0, border), (border, count))]
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
        slow = Growth(np.tile(np.array([[8], [14], [25], [45], [80], [140], [250]], np.uint16), 3126), np.zeros(7, int))
        slow = slow._replace(typical=slow.fewest[:, 0].astype(np.int64))
        fewest = slow.fewest
        chosen = chosen_occurrences(occurrences, threshold, rungs_of_octaves(query, lengths, slow), range(5, 6))
    else:
        fewest = NOTHING
        chosen = min(
            (chosen_occurrences(occurrences, threshold, ladder, BLOCKS) for ladder in ladders(query, lengths)),
            key=lambda one: one.work,
        )
    positions = [np.flatnonzero(stream == query.vocabulary[place]) for place in chosen.places]
    ends = np.cumsum([len(each) for each in positions])
    ranges = covered_starts(np.concatenate(positions).astype(np.uint32), ends, chosen, fewest, (0, len(stream)))
    assert any(low <= 50_000 < high for low, high, _ in ranges)
    assert (ranges[:, 1] - ranges[:, 0]).sum() < 0.02 * len(stream)


def test_occurrences_of_a_token_share_its_weight():
    query = Query.of(np.array([4, 4, 4, 9], np.uint32), Weighting("logarithmic"))
    occurrences = Occurrences.of(query, np.array([0.1, 0.2]))
    assert occurrences.places.tolist() == [0, 0, 1]
    assert occurrences.earlier.tolist() == [0, 1, 0]
    # ln 4 is 2 ln 2: a second occurrence of the token adds the rest, whatever the third would
    np.testing.assert_allclose(occurrences.weights, np.log(2) / query.mass)
    assert occurrences.shares.tolist() == [0.1, 0.1, 0.2]


def test_a_ladder_covers_all_lengths():
    query = Query.of(np.arange(100, dtype=np.uint32), Weighting.of("multiset"))
    for lengths in ((80, 125), (50, 200), (7, 7), (1, 2), (3, 1000)):
        for ladder in ladders(query, lengths):
            assert ladder.longest[-1] == lengths[1]
            assert (np.diff(ladder.longest) > 0).all()
            assert ladder.mass[0] == lengths[0] / 100
            np.testing.assert_allclose(ladder.mass[1:], ladder.longest[:-1] / 100)


def test_rungs_of_octaves_know_the_distinct_tokens_of_their_shortest_passages():
    query = Query.of(np.arange(100, dtype=np.uint32), Weighting.of("set"))
    counted = Growth(np.empty((4, 0), np.uint16), np.array([10, 20, 40, 70]))
    rungs = rungs_of_octaves(query, (5, 100), counted)
    assert rungs.longest.tolist() == [16, 32, 64, 100]
    assert rungs.rows.tolist() == [-1, 0, 1, 2]
    assert rungs.typical.tolist() == [0.0, 0.1, 0.2, 0.4]
    assert isinstance(rungs, Rungs)
