"""Queries longer than a passage: cut into overlapping pieces, and the pieces' finds chained again."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.configuration import Configuration
from ibidem.passages.search import Found
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
    done: list[Hit] = []
    growing: list[Hit] = []
    for hit in sorted(hits, key=lambda each: (each.first, each.found.first)):
        done += [chain for chain in growing if hit.first > chain.last + 1]
        growing = [chain for chain in growing if hit.first <= chain.last + 1]
        for place, chain in enumerate(growing):
            joined = _joined(chain, hit)
            if joined is not None and _similarity(joined, tokens, weighting) >= threshold:
                growing[place] = joined
                break
        else:
            growing.append(hit)
    done += growing
    return [hit for hit in done if not any(_inside(hit, other) for other in done)]


def _joined(chain: Hit, hit: Hit) -> Hit | None:
    """Both as one, if the document goes on where the query does."""
    one, other = chain.found, hit.found
    if not (one.first <= other.first <= one.last + 1) or chain.first == hit.first:
        return None
    found = Found(one.document, one.first, max(one.last, other.last))
    return Hit(chain.segment, found, chain.first, max(chain.last, hit.last))


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
