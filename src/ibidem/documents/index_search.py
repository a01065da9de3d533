"""Looking documents up in a segment: those that share a band with a query, and their exact resemblance.

A text without a token has no shingle, and so no resemblance. It duplicates only what has the same text, byte for byte:
such documents have no postings, and are compared as strings.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.signatures import make_shingle_sets
from ibidem.documents.verification import count_overlaps
from ibidem.rounding import reaches
from ibidem.store import Segment
from ibidem.text import Texts, Tokens

BLOCK_PAIRS = 4096
"""Pairs compared at a time: the sets of their documents are in memory together."""


class SimilarPairs(NamedTuple):
    """Pairs of queries and documents.

    Attributes:
        queries, rows: int64 [P], their numbers.
        similarities: float64 [P], their resemblance.
        containments: float64 [P], the share of the document's shingles that the query has.
    """

    queries: NDArray[np.int64]
    rows: NDArray[np.int64]
    similarities: NDArray[np.float64]
    containments: NDArray[np.float64]

    def join(self, other_pairs: "SimilarPairs") -> "SimilarPairs":
        """These pairs, and then those of another."""
        return SimilarPairs(*(np.concatenate(columns) for columns in zip(self, other_pairs, strict=True)))


def find_similar(
    segment: Segment, tokens: Tokens, keys: NDArray[np.uint32], width: int, threshold: float
) -> SimilarPairs:
    """The living documents of ``segment`` that share a band with a query and resemble it.

    ``tokens`` are those of q queries, and ``keys`` uint32 [q, bands] those of their bands.
    """
    pairs = _find_candidates(segment, keys, np.flatnonzero(np.diff(tokens.bounds)))
    blocks = [
        _compare(segment, tokens, pairs[first : first + BLOCK_PAIRS], width, threshold)
        for first in range(0, len(pairs), BLOCK_PAIRS)
    ]
    similarities, containments = np.concatenate([np.zeros((2, 0)), *blocks], axis=1)
    is_similar = reaches(similarities, threshold)
    return SimilarPairs(pairs[is_similar, 0], pairs[is_similar, 1], similarities[is_similar], containments[is_similar])


def find_identical(segment: Segment, texts: Texts, tokens: Tokens) -> SimilarPairs:
    """The living documents of ``segment`` without a token whose text is that of a query without a token.

    ``tokens`` are those of ``texts``, the queries. The similarity of the same text is 1.
    """
    queries: dict[str, list[int]] = {}
    for query in np.flatnonzero(np.diff(tokens.bounds) == 0).tolist():
        queries.setdefault(texts[query], []).append(query)
    rows = np.flatnonzero((np.diff(segment.token_bounds) == 0) & segment.alive) if queries else np.zeros(0, np.int64)
    query_rows = [(query, row) for row in rows.tolist() for query in queries.get(segment.text(row), ())]
    pairs = np.array(query_rows, np.int64).reshape(-1, 2)
    return SimilarPairs(pairs[:, 0], pairs[:, 1], np.ones(len(pairs)), np.ones(len(pairs)))


def _find_candidates(segment: Segment, keys: NDArray[np.uint32], queries: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs [P, 2] of ``queries`` and rows that share a band, each once, in order."""
    parts = [np.zeros((0, 2), np.int64)]
    for band in range(keys.shape[1] if segment.num_functions else 0):
        bounds = segment.list_bounds(band, keys[queries, band])
        rows = segment.document_of(segment.starts_of(bounds))
        parts.append(np.stack([np.repeat(queries, bounds[:, 1] - bounds[:, 0]), rows], axis=1))
    pairs = np.concatenate(parts)
    codes = np.unique(pairs[segment.alive[pairs[:, 1]]] @ np.array([segment.num_documents, 1]))
    return np.stack(np.divmod(codes, max(segment.num_documents, 1)), axis=1)


def _compare(
    segment: Segment, tokens: Tokens, pairs: NDArray[np.int64], width: int, threshold: float
) -> NDArray[np.float64]:
    """The resemblances and containments of pairs, float64 [2, P]."""
    queries, query_places = np.unique(pairs[:, 0], return_inverse=True)
    rows, document_places = np.unique(pairs[:, 1], return_inverse=True)
    query_sets = make_shingle_sets(tokens.ids, tokens.bounds, queries, width)
    document_sets = make_shingle_sets(np.asarray(segment.tokens), segment.token_bounds, rows, width)
    values = np.concatenate([query_sets.values, document_sets.values])
    bounds = np.concatenate([query_sets.bounds, document_sets.bounds[1:] + len(query_sets.values)])
    places = np.stack([query_places, document_places + len(queries)], axis=1)
    overlaps = count_overlaps(values, bounds, places, threshold)
    return np.stack([overlaps.resemblances, overlaps.containments])
