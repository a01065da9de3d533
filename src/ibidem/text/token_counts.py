"""Counts of each token in a whole segment."""

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.text.token_stream import number_tokens

__all__ = ["count_tokens", "merge_counts"]

# Tokens of a long document that are counted at a time.
_PIECE = 1 << 20

Counts = tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint64]]
"""Distinct tokens, ascending, uint32 [V]; in how many documents each occurs, uint32; and how often, uint64."""


def count_tokens(tokens: npt.NDArray[np.uint32], bounds: npt.NDArray[np.int64]) -> Counts:
    """Count the ``tokens`` [n] of the documents that ``bounds`` [D + 1] separates."""
    if len(bounds) == 2 and len(tokens) > _PIECE:
        return _count_long(tokens)
    ids, vocabulary = number_tokens(tokens)
    in_documents, in_all = _count(ids, bounds, len(vocabulary))
    order = np.argsort(vocabulary)
    return vocabulary[order], in_documents[order], in_all[order]


def _count_long(tokens: npt.NDArray[np.uint32]) -> Counts:
    """The counts of one document, which is counted piece by piece."""
    counted = merge_counts([])
    for low in range(0, len(tokens), _PIECE):
        piece = tokens[low : low + _PIECE]
        counted = merge_counts([counted, count_tokens(piece, np.array([0, len(piece)], np.int64))])
    return counted[0], np.ones(len(counted[0]), np.uint32), counted[2]


def merge_counts(counts: list[Counts]) -> Counts:
    """Counts over several segments together."""
    if not counts:
        return np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint64)
    tokens, places = np.unique(np.concatenate([each[0] for each in counts]), return_inverse=True)
    in_documents, in_all = np.zeros(len(tokens), np.uint32), np.zeros(len(tokens), np.uint64)
    np.add.at(in_documents, places, np.concatenate([each[1] for each in counts]))
    np.add.at(in_all, places, np.concatenate([each[2] for each in counts]))
    return tokens, in_documents, in_all


@kernel
def _count(
    ids: npt.NDArray[np.int32], bounds: npt.NDArray[np.int64], size: int
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
    in_documents = np.zeros(size, np.uint32)
    in_all = np.zeros(size, np.uint64)
    last_document = np.full(size, -1, np.int64)
    for document in range(bounds.shape[0] - 1):
        for j in range(bounds[document], bounds[document + 1]):
            token = ids[j]
            in_all[token] += np.uint64(1)
            if last_document[token] != document:
                last_document[token] = document
                in_documents[token] += np.uint32(1)
    return in_documents, in_all
