"""Queries longer than a passage are cut into overlapping pieces, and the hits of the pieces are chained."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.search.selection import SegmentPassage
from ibidem.similarity import jaccard
from ibidem.store.segments.segment import Segment
from ibidem.weights import Weighting

_SHORTEST = 32


class QueryPiece(NamedTuple):
    """The first and the last token of a piece of a query."""

    first: int
    last: int


class Hit(NamedTuple):
    """A passage of a segment, and the tokens ``first`` to ``last`` of the query to which it is similar."""

    segment: Segment
    passage: SegmentPassage
    first: int
    last: int


def cut_query(num_tokens: int, lengths: tuple[int, int]) -> Iterator[QueryPiece]:
    """Cut a query of ``num_tokens``: into one piece if it is no longer than the longest passage.

    Otherwise into pieces of four times the shortest passage, each from the middle of the one before, so that any
    quotation of six times the shortest passage fills a piece. ``lengths`` are those of the shortest and the longest
    passage; where there is no shortest passage, one of 32 tokens takes its place.
    """
    if num_tokens <= lengths[1]:
        yield QueryPiece(0, num_tokens - 1)
        return
    shortest = lengths[0] if lengths[0] > 1 else _SHORTEST
    size = min(4 * shortest, lengths[1])
    step = max(1, size // 2)
    for first in range(0, num_tokens - size + step, step):
        first = min(first, num_tokens - size)
        yield QueryPiece(first, first + size - 1)


def chain_hits(hits: list[Hit], tokens: npt.NDArray[np.uint32], weighting: Weighting, threshold: float) -> list[Hit]:
    """Join hits that overlap or touch in the query and in one document while the whole stays at ``threshold``.

    ``tokens`` uint32 [n] is the whole query. A hit that lies inside another one on both sides is dropped.
    """
    sorted_hits = sorted(hits, key=_document_of)
    return [
        hit
        for _, group in groupby(sorted_hits, key=_document_of)
        for hit in _chain_in_document(group, tokens, weighting, threshold)
    ]


def _document_of(hit: Hit) -> tuple[str, int]:
    return hit.segment.name, hit.passage.document


def _chain_in_document(
    hits: Iterable[Hit], tokens: npt.NDArray[np.uint32], weighting: Weighting, threshold: float
) -> list[Hit]:
    finished_chains: list[list[Hit]] = []
    open_chains: list[list[Hit]] = []
    for hit in sorted(hits, key=lambda hit: (hit.first, hit.passage.first)):
        finished_chains += [chain for chain in open_chains if hit.first > chain[-1].last + 1]
        open_chains = [chain for chain in open_chains if hit.first <= chain[-1].last + 1]
        follows = (chain for chain in open_chains if _continues(chain[-1], hit))
        chain = next(follows, None)
        if chain is None:
            open_chains.append([hit])
        else:
            chain.append(hit)
    chains = finished_chains + open_chains
    joined_hits = [hit for chain in chains for hit in _join_while_similar(chain, tokens, weighting, threshold)]
    return _drop_inner(joined_hits)


def _continues(hit: Hit, after: Hit) -> bool:
    """Whether the document continues as the query does."""
    return hit.first < after.first and hit.passage.first <= after.passage.first <= hit.passage.last + 1


def _join_while_similar(
    chain: list[Hit], tokens: npt.NDArray[np.uint32], weighting: Weighting, threshold: float
) -> Iterator[Hit]:
    """The chain as one hit if that reaches the threshold; else as few that do, each as long as possible.

    How many links to join is found by steps that double and then halve, since each trial reads the whole passage.
    """
    while chain:
        good, step, has_failed = 1, 1, False
        while step and good < len(chain):
            candidate = _span(chain[: good + step])
            if _similarity(candidate, tokens, weighting) >= threshold:
                good += step
                step = step // 2 if has_failed else step * 2
            else:
                has_failed = True
                step //= 2
            good = min(good, len(chain))
        yield _span(chain[:good])
        chain = chain[good:]


def _span(chain: list[Hit]) -> Hit:
    """One hit from the first start to the last end of a chain."""
    first, last = chain[0], chain[-1]
    if len(chain) == 1:
        return first
    end = max(hit.passage.last for hit in chain)
    score = max(hit.passage.score for hit in chain)
    passage = SegmentPassage(document=first.passage.document, first=first.passage.first, last=end, score=score)
    return Hit(segment=first.segment, passage=passage, first=first.first, last=last.last)


def _similarity(hit: Hit, tokens: npt.NDArray[np.uint32], weighting: Weighting) -> float:
    passage = np.asarray(hit.segment.tokens[hit.passage.first : hit.passage.last + 1])
    return jaccard(tokens[hit.first : hit.last + 1], passage, weighting)


def _drop_inner(hits: list[Hit]) -> list[Hit]:
    """The hits of one document that do not lie inside a larger one on both sides."""
    corners = np.array([(hit.first, hit.last, *hit.passage[1:3]) for hit in hits], np.int64).reshape(-1, 4)
    signed_corners = corners * np.array([1, -1, 1, -1])  # the larger hit has the smaller numbers
    return [
        hit
        for hit, row in zip(hits, signed_corners, strict=True)
        if not ((signed_corners <= row).all(axis=1) & (signed_corners != row).any(axis=1)).any()
    ]
