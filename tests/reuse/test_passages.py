"""Passages that sides of pairs make, and the clusters that they make."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse.pairs import Pairs
from ibidem.reuse.passages import _follow, gather_passages


def pairs_of(rows: list[tuple[int, int, int, int, int, int]], summary: bool = False) -> Pairs:
    """Pairs of (document, first, last, document, first, last)."""
    table = np.array(rows, np.int64).reshape(-1, 6)
    ones = np.ones(len(table))
    return Pairs(table[:, [0, 3]], table[:, [1, 2, 4, 5]], ones, ones, np.full(len(table), summary), ones)


def test_sides_that_end_at_other_words_are_one_passage() -> None:
    passages = gather_passages(pairs_of([(0, 10, 60, 1, 0, 50), (0, 12, 55, 2, 5, 48), (1, 2, 51, 2, 5, 50)]))
    assert passages.documents.tolist() == [0, 1, 2]
    assert passages.ranges.tolist() == [[10, 60], [0, 50], [5, 50]]
    assert passages.sides.tolist() == [[0, 1], [0, 2], [1, 2]]


def test_a_quotation_in_a_longer_copy_is_a_passage_of_its_own() -> None:
    passages = gather_passages(pairs_of([(0, 0, 1000, 1, 0, 1000), (0, 400, 440, 2, 0, 40)]))
    assert passages.ranges[passages.documents == 0].tolist() == [[0, 1000], [400, 440]]


def test_a_chain_of_overlaps_does_not_grow() -> None:
    chain = [(0, 40 * step, 40 * step + 100, step + 1, 0, 100) for step in range(20)]
    passages = gather_passages(pairs_of(chain))
    assert (passages.documents == 0).sum() == 10  # every second one follows the one before it


def test_a_summary_makes_no_passage() -> None:
    passages = gather_passages(pairs_of([(0, 0, 900, 1, 0, 60)], summary=True))
    assert len(passages.documents) == 0
    assert passages.sides.tolist() == [[-1, -1]]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 20)), max_size=20))
def test_a_range_follows_the_one_that_it_shares_most_with(drawn: list[tuple[int, int]]) -> None:
    ranges = [(start, start + length) for start, length in sorted(drawn, key=lambda each: (-each[1], each[0]))]
    expected: list[int] = []
    for x, (start, end) in enumerate(ranges):
        shared = {
            leader: min(ranges[leader][1], end) - max(ranges[leader][0], start) for leader in dict.fromkeys(expected)
        }
        close = [leader for leader, size in shared.items() if 2 * size >= ranges[leader][1] - ranges[leader][0]]
        expected.append(max(close, key=lambda leader: shared[leader], default=x))
    assert _follow(np.array(ranges, np.int64).reshape(-1, 2)).tolist() == expected


@given(st.lists(st.tuples(*[st.integers(0, 3), st.integers(0, 20), st.integers(1, 20)] * 2), max_size=15))
def test_every_side_shares_half_of_the_longer_with_its_passage(rows: list[tuple[int, ...]]) -> None:
    pairs = pairs_of([(a, x, x + n, b, y, y + m) for a, x, n, b, y, m in rows])
    passages = gather_passages(pairs)
    for row, sides in enumerate(passages.sides.tolist()):
        for side, passage in enumerate(sides):
            assert passages.documents[passage] == pairs.documents[row, side]
            first, last = pairs.ranges[row, 2 * side : 2 * side + 2]
            start, end = passages.ranges[passage]
            assert 2 * (min(last, end) - max(first, start)) >= max(last - first, end - start)
    again = gather_passages(pairs.take(np.arange(len(rows))[::-1]))
    assert again.ranges.tolist() == passages.ranges.tolist()
