"""Pieces of long queries, and the chains of what they find."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.search.chaining import Hit, chain_hits, cut_query
from ibidem.passages.search.selection import SegmentPassage
from ibidem.similarity import jaccard
from ibidem.weights import Weighting

MULTISET = Weighting.of("multiset")


lengths = st.integers(1, 40).flatmap(lambda low: st.tuples(st.just(low), st.integers(low, 200)))


@given(num_tokens=st.integers(1, 900), allowed=lengths)
def test_pieces_cover_a_query_from_end_to_end(num_tokens, allowed):
    low, high = allowed
    cut = list(cut_query(num_tokens, (low, high)))
    assert cut[0].first == 0
    assert cut[-1].last == num_tokens - 1
    assert len(set(cut)) == len(cut)
    sizes = {piece.last - piece.first + 1 for piece in cut}
    if num_tokens <= high:
        assert sizes == {num_tokens}
        assert len(cut) == 1
    else:
        (size,) = sizes
        assert size == min(4 * (low if low > 1 else 32), high)
        steps = [other.first - piece.first for piece, other in pairwise(cut)]
        assert all(1 <= step <= max(1, size // 2) for step in steps)


@given(num_tokens=st.integers(1, 900), allowed=lengths, start=st.integers(0, 900))
def test_a_quotation_of_six_times_the_shortest_passage_fills_a_piece(num_tokens, allowed, start):
    low, high = allowed
    if low > 1 and num_tokens > high and start + 6 * low <= num_tokens:
        cut = cut_query(num_tokens, (low, high))
        assert any(start <= piece.first and piece.last < start + 6 * low for piece in cut)


class Segment(NamedTuple):
    """As much of a segment as chaining asks for."""

    name: str
    tokens: npt.NDArray[np.uint32]


def hit(segment, first, last, found_first, found_last, document=0):
    return Hit(segment, SegmentPassage(document, found_first, found_last), first, last)


def corners(hits):
    return sorted((each.segment.name, *each.passage[:3], each.first, each.last) for each in hits)


TOKENS = np.arange(60, dtype=np.uint32)
COPY = Segment("000001", TOKENS)


def test_hits_along_one_diagonal_become_one():
    hits = [hit(COPY, first, first + 15, first, first + 15) for first in (16, 0, 8, 24)]
    assert corners(chain_hits(hits, TOKENS, MULTISET, 0.9)) == [("000001", 0, 0, 39, 0, 39)]


def test_hits_are_joined_when_they_touch_and_not_across_a_gap():
    touching = [hit(COPY, 0, 15, 0, 15), hit(COPY, 16, 31, 16, 31)]
    assert corners(chain_hits(touching, TOKENS, MULTISET, 1.0)) == [("000001", 0, 0, 31, 0, 31)]
    apart = [hit(COPY, 0, 15, 0, 15), hit(COPY, 17, 31, 17, 31)]
    assert len(chain_hits(apart, TOKENS, MULTISET, 0.5)) == 2


def test_a_copy_is_chained_with_itself_among_passages_that_begin_a_little_before():
    hits = [hit(COPY, first, first + 15, place, place + 15) for first in (0, 8) for place in (first, first + 2)]
    assert corners(chain_hits(hits, TOKENS, MULTISET, 0.5)) == [
        ("000001", 0, 0, 23, 0, 23),
        ("000001", 0, 2, 25, 0, 23),
    ]


def test_hits_in_different_documents_or_segments_are_not_joined():
    other = Segment("000002", TOKENS)
    hits = [hit(COPY, 0, 15, 0, 15), hit(COPY, 8, 23, 8, 23, document=1), hit(other, 8, 23, 8, 23)]
    assert len(chain_hits(hits, TOKENS, MULTISET, 0.5)) == 3


def test_hits_are_not_joined_when_the_whole_falls_below_the_threshold():
    """Both share eight of ten tokens with the query, but the second goes on where the query does not."""
    mixed = Segment("000001", np.concatenate([TOKENS[:10], np.arange(100, 130), TOKENS[10:20]]).astype(np.uint32))
    hits = [hit(mixed, 0, 9, 0, 9), hit(mixed, 10, 19, 10, 49)]
    assert len(chain_hits(hits, TOKENS, MULTISET, 0.5)) == 2
    assert len(chain_hits(hits, TOKENS, MULTISET, 0.3)) == 1


def test_a_hit_inside_another_is_dropped():
    hits = [hit(COPY, 0, 31, 0, 31), hit(COPY, 0, 20, 3, 18)]
    assert corners(chain_hits(hits, TOKENS, MULTISET, 0.9)) == [("000001", 0, 0, 31, 0, 31)]


@st.composite
def some_hits(draw):
    """Hits of pieces of eight tokens, every fourth, anywhere in two documents of one of two segments."""
    found = []
    for _ in range(draw(st.integers(0, 9))):
        first = 4 * draw(st.integers(0, 4))
        document, low = draw(st.integers(0, 1)), draw(st.integers(0, 18))
        place = 30 * document + low
        segment = draw(st.sampled_from("12"))
        found.append((segment, document, first, place, place + draw(st.integers(2, 11))))
    return found


@given(
    query=st.lists(st.integers(0, 3), min_size=24, max_size=24),
    stream=st.lists(st.integers(0, 3), min_size=60, max_size=60),
    rows=some_hits(),
    threshold=st.sampled_from([0.3, 0.6, 0.9]),
)
def test_chains_hold_every_hit_and_keep_the_threshold(query, stream, rows, threshold):
    tokens = np.array(query, np.uint32)
    segments = {name: Segment(name, np.array(stream, np.uint32)) for name in "12"}
    hits = [
        hit(segments[name], first, first + 7, low, high, document=document)
        for name, document, first, low, high in dict.fromkeys(rows)
    ]
    chains = chain_hits(hits, tokens, MULTISET, threshold)
    assert len(set(corners(chains))) == len(chains)
    assert all(any(holds(chain, each) for chain in chains) for each in hits)
    assert not any(holds(one, other) for one in chains for other in chains if one is not other)
    for chain in chains:
        if chain not in hits:
            passage = chain.segment.tokens[chain.passage.first : chain.passage.last + 1]
            assert jaccard(tokens[chain.first : chain.last + 1], passage, MULTISET) >= threshold


def holds(outer, inner):
    return (
        outer.segment is inner.segment
        and outer.passage.document == inner.passage.document
        and outer.first <= inner.first <= inner.last <= outer.last
        and outer.passage.first <= inner.passage.first <= inner.passage.last <= outer.passage.last
    )
