"""Queries longer than a passage: cut into overlapping pieces, and the pieces' finds chained again."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.configuration import Configuration
from ibidem.passages.search.segment_search import Found
from ibidem.similarity import jaccard
from ibidem.store.segment import Segment
from ibidem.weights import Weighting

__all__ = ["Hit", "Piece", "chained", "pieces"]


class Piece(NamedTuple):
    """The first and the last token of a piece of a query."""

    first: int
    last: int


class Hit(NamedTuple):
    """A passage of a segment, and the tokens ``first`` to ``last`` of the query for which it stands."""

    segment: Segment
    found: Found
    first: int
    last: int


def pieces(num_tokens: int, configuration: Configuration) -> Iterator[Piece]:
    """Cut a query of ``num_tokens``: one piece if it is no longer than a passage.

    Otherwise pieces of four times the shortest passage, each from the middle of the one before, so that any quotation
    of six times the shortest passage fills a piece.
    """
    if num_tokens <= configuration.max_length:
        yield Piece(0, num_tokens - 1)
        return
    size = min(4 * configuration.min_length, configuration.max_length)
    step = max(1, size // 2)
    for first in range(0, num_tokens - size + step, step):
        first = min(first, num_tokens - size)
        yield Piece(first, first + size - 1)


def chained(hits: list[Hit], tokens: npt.NDArray[np.uint32], weighting: Weighting, threshold: float) -> list[Hit]:
    """Join hits that overlap or touch in the query and in one document while the whole stays at ``threshold``.

    ``tokens`` uint32 [n] is the whole query. What lies inside another hit on both sides is dropped.
    """
    ordered = sorted(hits, key=_document_of)
    return [
        hit
        for _, group in groupby(ordered, key=_document_of)
        for hit in _chained_in_document(group, tokens, weighting, threshold)
    ]


def _document_of(hit: Hit) -> tuple[str, int]:
    return hit.segment.name, hit.found.document


def _chained_in_document(
    hits: Iterable[Hit], tokens: npt.NDArray[np.uint32], weighting: Weighting, threshold: float
) -> list[Hit]:
    finished: list[list[Hit]] = []
    growing: list[list[Hit]] = []
    for hit in sorted(hits, key=lambda each: (each.first, each.found.first)):
        finished += [chain for chain in growing if hit.first > chain[-1].last + 1]
        growing = [chain for chain in growing if hit.first <= chain[-1].last + 1]
        follows = (chain for chain in growing if _goes_on(chain[-1], hit))
        chain = next(follows, None)
        if chain is None:
            growing.append([hit])
        else:
            chain.append(hit)
    done = [hit for chain in finished + growing for hit in _settled(chain, tokens, weighting, threshold)]
    return [hit for hit in done if not any(_inside(hit, other) for other in done)]


def _goes_on(hit: Hit, after: Hit) -> bool:
    """Whether the document goes on where the query does."""
    return hit.first < after.first and hit.found.first <= after.found.first <= hit.found.last + 1


def _settled(chain: list[Hit], tokens: npt.NDArray[np.uint32], weighting: Weighting, threshold: float) -> Iterator[Hit]:
    """The chain as one hit if that reaches the threshold, else as few that do, each as long as can be.

    How much of a chain holds is found by steps that double and then halve, since each trial reads the whole passage.
    """
    while chain:
        good, step, failed = 1, 1, False
        while step and good < len(chain):
            whole = _joined(chain[: good + step])
            if _similarity(whole, tokens, weighting) >= threshold:
                good += step
                step = step // 2 if failed else step * 2
            else:
                failed = True
                step //= 2
            good = min(good, len(chain))
        yield _joined(chain[:good])
        chain = chain[good:]


def _joined(chain: list[Hit]) -> Hit:
    """Everything from the first start to the last end."""
    one, last = chain[0], chain[-1]
    if len(chain) == 1:
        return one
    end = max(hit.found.last for hit in chain)
    return Hit(one.segment, Found(one.found.document, one.found.first, end), one.first, last.last)


def _similarity(hit: Hit, tokens: npt.NDArray[np.uint32], weighting: Weighting) -> float:
    passage = np.asarray(hit.segment.tokens[hit.found.first : hit.found.last + 1])
    return jaccard(tokens[hit.first : hit.last + 1], passage, weighting)


def _inside(hit: Hit, other: Hit) -> bool:
    """Whether ``other``, of the same document, holds ``hit`` on both sides and is larger."""
    return (
        other.first <= hit.first
        and hit.last <= other.last
        and other.found.first <= hit.found.first
        and hit.found.last <= other.found.last
        and (other.first, other.last, *other.found[1:3]) != (hit.first, hit.last, *hit.found[1:3])
    )
