"""Segments are as large as memory allows, and those of one size are merged when there are many."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from ibidem.store.sizing import TIER_RATIO, crowded_segments, segment_tokens


class Segment(NamedTuple):
    """As much of a segment as its size."""

    name: int
    num_tokens: int


def segments_of(sizes: list[int]) -> list[Segment]:
    return [Segment(name, size) for name, size in enumerate(sizes)]


sizes = st.lists(st.integers(0, 6).flatmap(lambda power: st.integers(0, 4**power)), max_size=60)


@given(sizes=sizes, most_tokens=st.integers(0, 10_000))
def test_segments_that_are_merged_are_many_of_one_size_and_fit_into_one(sizes: list[int], most_tokens: int) -> None:
    crowded = crowded_segments(segments_of(sizes), most_tokens)
    if crowded:
        assert len(crowded) >= TIER_RATIO
        assert sum(segment.num_tokens for segment in crowded) <= most_tokens
        smallest, largest = (max(1, pick(segment.num_tokens for segment in crowded)) for pick in (min, max))
        assert largest < TIER_RATIO * smallest
        assert [segment.name for segment in crowded] == sorted(segment.name for segment in crowded)


@given(sizes=sizes)
def test_merging_ends_with_few_segments_of_each_size(sizes: list[int]) -> None:
    left, merges = segments_of(sizes), 0
    while crowded := crowded_segments(left, 10**9):
        left = [segment for segment in left if segment not in crowded]
        left.append(Segment(100 + merges, sum(segment.num_tokens for segment in crowded)))
        merges += 1
    assert sum(segment.num_tokens for segment in left) == sum(sizes)
    for tier in range(20):
        low, high = TIER_RATIO**tier if tier else 0, TIER_RATIO ** (tier + 1)
        assert sum(low <= segment.num_tokens < high for segment in left) < TIER_RATIO


def test_a_segment_has_as_many_tokens_as_memory_holds_and_positions_count() -> None:
    assert segment_tokens(80) == 10
    assert segment_tokens(80, token_bytes=20) == 4
    assert segment_tokens(1 << 60) == 2**32 - 1
