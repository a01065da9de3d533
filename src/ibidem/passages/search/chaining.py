"""Queries longer than a passage are cut into overlapping pieces, and the hits of the pieces are chained."""

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.search.selection import SegmentPassage
from ibidem.rounding import reaches
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
    joined_hits = [hit for chain in _link(hits) for hit in _join_while_similar(chain, tokens, weighting, threshold)]
    return _drop_inner(joined_hits)


def _link(hits: Iterable[Hit]) -> list[list[Hit]]:
    """Chains of the hits of one document: in each, the document continues as the query does.

    A hit continues the chain that is as far into the document and into the query as it is, else the first that it can.
    """
    chains: list[list[Hit]] = []
    open_chains: list[list[Hit]] = []
    sorted_hits = sorted(hits, key=lambda hit: (hit.first, hit.passage.first))
    for first, piece_hits in groupby(sorted_hits, key=lambda hit: hit.first):
        open_chains = [chain for chain in open_chains if first <= chain[-1].last + 1]
        loose_hits, loose_chains = _continue_along_diagonals(open_chains, list(piece_hits))
        chains_of_piece = list(_continue_chains(loose_chains, loose_hits))
        chains += chains_of_piece
        open_chains += chains_of_piece
    return chains


def _continue_along_diagonals(chains: list[list[Hit]], hits: list[Hit]) -> tuple[list[Hit], list[list[Hit]]]:
    """Add each of the ``hits`` of a piece to the chain that is as far into both texts, as copies leave them.

    Returns the other hits and the other chains.
    """
    chain_at = {chain[-1].passage.first - chain[-1].first: number for number, chain in enumerate(chains)}
    loose_hits, continued = [], set()
    for hit in hits:
        number = chain_at.get(hit.passage.first - hit.first)
        if number is None or number in continued or hit.passage.first > chains[number][-1].passage.last + 1:
            loose_hits.append(hit)
        else:
            chains[number].append(hit)
            continued.add(number)
    return loose_hits, [chain for number, chain in enumerate(chains) if number not in continued]


def _continue_chains(chains: list[list[Hit]], hits: list[Hit]) -> Iterator[list[Hit]]:
    """Add each of the ``hits`` of a piece to the first of the ``chains`` that it continues; yield a chain for others.

    A hit continues a chain if its passage begins in the last one of the chain or right behind it. The heap holds the
    chains whose last passage begins before the hit's; those that end before it end before all later hits, too.
    """
    unreached = sorted(((chain[-1].passage.first, number) for number, chain in enumerate(chains)), reverse=True)
    reached: list[int] = []
    for hit in hits:
        while unreached and unreached[-1][0] <= hit.passage.first:
            heappush(reached, unreached.pop()[1])
        while reached and chains[reached[0]][-1].passage.last + 1 < hit.passage.first:
            heappop(reached)
        if reached:
            chains[heappop(reached)].append(hit)
        else:
            yield [hit]


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
            if reaches(_similarity(candidate, tokens, weighting), threshold):
                good += step
                step = step // 2 if has_failed else step * 2
            else:
                has_failed = True
                step //= 2
            good = min(good, len(chain))
        yield _measure(_span(chain[:good]), tokens, weighting) if good > 1 else chain[0]
        chain = chain[good:]


def _span(chain: list[Hit]) -> Hit:
    """One hit from the first start to the last end of a chain."""
    first, last = chain[0], chain[-1]
    if len(chain) == 1:
        return first
    end = max(hit.passage.last for hit in chain)
    passage = SegmentPassage(document=first.passage.document, first=first.passage.first, last=end)
    return Hit(segment=first.segment, passage=passage, first=first.first, last=last.last)


def _measure(hit: Hit, tokens: npt.NDArray[np.uint32], weighting: Weighting) -> Hit:
    """The ``hit`` with its similarity as its score."""
    return hit._replace(passage=hit.passage._replace(score=_similarity(hit, tokens, weighting)))


def _similarity(hit: Hit, tokens: npt.NDArray[np.uint32], weighting: Weighting) -> float:
    passage = np.asarray(hit.segment.tokens[hit.passage.first : hit.passage.last + 1])
    return jaccard(tokens[hit.first : hit.last + 1], passage, weighting)


def _drop_inner(hits: list[Hit]) -> list[Hit]:
    """The hits of one document that do not lie inside a larger one on both sides.

    In the order of their passages' starts, a larger hit comes before an inner one, and from the first passage on that
    ends no earlier.
    """
    corners = np.array([(hit.first, hit.last, *hit.passage[1:3]) for hit in hits], np.int64).reshape(-1, 4)
    order = np.argsort(corners[:, 2], kind="stable")
    corners = corners[order]
    stops = np.searchsorted(corners[:, 2], corners[:, 2], side="right")
    begins = np.searchsorted(np.maximum.accumulate(corners[:, 3]), corners[:, 3])
    signed_corners = corners * np.array([1, -1, 1, -1])  # the larger hit has the smaller numbers
    is_inner = [
        _lies_inside(row, signed_corners[begin:stop])
        for row, begin, stop in zip(signed_corners, begins.tolist(), stops.tolist(), strict=True)
    ]
    return [hits[number] for number in np.sort(order[~np.array(is_inner, np.bool_)]).tolist()]


def _lies_inside(row: npt.NDArray[np.int64], larger: npt.NDArray[np.int64]) -> bool:
    """Return whether the signed corners [4] of a hit lie inside those of another one, of ``larger`` [N, 4]."""
    return bool(((larger <= row).all(axis=1) & (larger != row).any(axis=1)).any())
