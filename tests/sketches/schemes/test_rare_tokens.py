"""Every similar passage holds what is asked of the rare tokens, and no block of such a passage is passed over."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.filters.overlap import UNIT
from ibidem.passages.query.query import Query
from ibidem.similarity import jaccard
from ibidem.sketches.schemes.rare_tokens import (
    Needs,
    RareTokens,
    choose_rare_tokens,
    find_rich_blocks,
    join_blocks,
    join_ranges,
)
from ibidem.weights import Weighting

tokens = st.lists(st.integers(0, 9), min_size=1, max_size=14).map(lambda ids: np.array(ids, np.uint32))


@given(
    tokens=tokens,
    stream=st.lists(st.integers(0, 12), max_size=24).map(lambda ids: np.array(ids, np.uint32)),
    shares=st.lists(st.floats(0, 1), min_size=10, max_size=10),
    family=st.sampled_from(["set", "multiset"]),
    threshold=st.sampled_from([0.3, 0.5, 2 / 3, 0.9, 1.0]),
    block=st.sampled_from([1, 4, 8]),
)
def test_a_similar_passage_holds_the_units_that_are_asked_for(tokens, stream, shares, family, threshold, block):
    query = Query.of(tokens, Weighting.of(family))
    lengths = query.fewest_tokens(threshold), query.most_tokens(threshold, 24)
    rare = choose_rare_tokens(query, np.array(shares)[query.vocabulary], threshold, lengths, block)
    units = dict(zip(query.vocabulary[rare.places].tolist(), rare.weights.tolist(), strict=True))
    for start in range(len(stream)):
        for stop in range(start + 1, len(stream) + 1):
            if jaccard(tokens, stream[start:stop], family) >= threshold:
                held = sum(units.get(token, 0) for token in stream[start:stop].tolist())
                touched = (stop - 1) // block - start // block + 1
                assert held >= rare.needs.least
                assert held >= rare.needs.base + rare.needs.per_block * max(0, touched - 2)
                assert touched <= rare.needs.far


def test_the_units_of_a_query_are_counted_up():
    query = Query.of(np.arange(7, dtype=np.uint32), Weighting.of("multiset"))
    rare = choose_rare_tokens(query, np.full(7, 0.1), 1.0, (7, 7), 8)
    assert rare.weights.sum() >= UNIT * len(rare.places) / 7


@given(data=st.data())
def test_a_block_is_rich_if_and_only_if_a_run_from_it_holds_enough(data):
    held = np.array(data.draw(st.lists(st.integers(0, 9), max_size=12)), np.int32)
    together = data.draw(st.integers(1, 4))
    groups = -(-len(held) // together)
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=groups, max_size=groups)), np.bool_)
    near = data.draw(st.integers(1, 5))
    rare = RareTokens(
        places=np.empty(0, np.int64),
        weights=np.empty(0, np.int32),
        block=8,
        needs=Needs(
            near=near,
            far=near + data.draw(st.integers(0, 4)),
            least=data.draw(st.integers(1, 30)),
            base=data.draw(st.integers(-10, 30)),
            per_block=data.draw(st.integers(0, 9)),
        ),
    )
    expected = []
    for block in np.flatnonzero(np.repeat(allowed, together)[: len(held)]).tolist():
        enough = held[block : block + rare.needs.near].sum() >= rare.needs.least
        for size in range(rare.needs.near + 1, min(rare.needs.far, len(held) - block) + 1):
            enough |= held[block : block + size].sum() >= max(
                rare.needs.least, rare.needs.base + rare.needs.per_block * (size - 2)
            )
        expected += [block] if enough else []
    assert find_rich_blocks(held, allowed, rare, together).tolist() == expected


@given(
    blocks=st.sets(st.integers(0, 60)).map(sorted),
    block=st.sampled_from([1, 8]),
    longest=st.integers(1, 40),
    cut=st.integers(0, 7),
)
def test_joined_blocks_hold_all_their_positions_and_lie_apart(blocks, block, longest, cut):
    end = (max(blocks, default=0) + 1) * block - cut % block
    rare = RareTokens(np.empty(0, np.int64), np.empty(0, np.int32), block, Needs(1, 1, 0, 0, 0))
    ranges = join_blocks(np.array(blocks, np.int64), rare, longest, end).tolist()
    inside = {position for low, high in ranges for position in range(low, high)}
    assert {position for each in blocks for position in range(each * block, min((each + 1) * block, end))} <= inside
    assert all(low // block in blocks and (high - 1) // block in blocks for low, high in ranges)
    assert all(later - earlier > longest for (_, earlier), (later, _) in pairwise(ranges))


@given(bounds=st.sets(st.integers(0, 60)).map(sorted), gap=st.integers(0, 9))
def test_ranges_are_joined_over_gaps_that_are_short_enough_and_over_no_others(bounds: list[int], gap: int) -> None:
    ranges = list(zip(bounds[::2], bounds[1::2], strict=False))
    expected: list[list[int]] = []
    for low, high in ranges:
        if expected and low - expected[-1][1] <= gap:
            expected[-1][1] = high
        else:
            expected.append([low, high])
    joined = join_ranges(np.array(ranges, np.int64).reshape(-1, 2), gap).tolist()
    assert joined == expected
    assert all(second[0] - first[1] > gap for first, second in pairwise(joined))


def test_ranges_that_touch_are_one() -> None:
    assert join_ranges(np.array([[0, 4], [4, 6], [7, 8]]), 0).tolist() == [[0, 6], [7, 8]]
