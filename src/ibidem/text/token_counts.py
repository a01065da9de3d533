"""Counts of each token in a whole segment."""

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.text.token_stream import number_tokens

# Tokens of a block, whose first document is listed, so that the document of a position is found without a search.
_BLOCK = 64

Counts = tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint64]]
"""Distinct tokens, ascending, uint32 [V]; in how many documents each occurs, uint32; and how often, uint64."""


def count_tokens(tokens: npt.NDArray[np.uint32], bounds: npt.NDArray[np.int64]) -> Counts:
    """Count the ``tokens`` [n] of the documents that ``bounds`` [D + 1] separates."""
    ids, vocabulary = number_tokens(tokens)
    in_documents, in_all = _count(ids, bounds, len(vocabulary))
    order = np.argsort(vocabulary)
    return vocabulary[order], in_documents[order], in_all[order]


def merge_counts(counts: list[Counts]) -> Counts:
    """Counts over several segments together."""
    if not counts:
        return np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint64)
    tokens, places = np.unique(np.concatenate([segment_counts[0] for segment_counts in counts]), return_inverse=True)
    in_documents, in_all = np.zeros(len(tokens), np.uint32), np.zeros(len(tokens), np.uint64)
    np.add.at(in_documents, places, np.concatenate([segment_counts[1] for segment_counts in counts]))
    np.add.at(in_all, places, np.concatenate([segment_counts[2] for segment_counts in counts]))
    return tokens, in_documents, in_all


def count_documents(
    positions: npt.NDArray[np.uint32], ends: npt.NDArray[np.uint32], bounds: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint32]:
    """In how many of the documents that ``bounds`` [D + 1] separates each of some tokens occurs, uint32 [V].

    The positions of a token, ascending, end at ``ends`` [V]; those of the next one follow.
    """
    blocks = np.arange(0, bounds[-1], _BLOCK)
    firsts = np.searchsorted(bounds, blocks, side="right") - 1
    return _count_documents(positions, ends, np.ascontiguousarray(bounds, np.int64), firsts)


@kernel
def _count_documents(
    positions: npt.NDArray[np.uint32],
    ends: npt.NDArray[np.uint32],
    bounds: npt.NDArray[np.int64],
    firsts: npt.NDArray[np.int64],
) -> npt.NDArray[np.uint32]:
    """Count the documents; ``firsts`` [B] is that of the first token of each block."""
    counts, begin = np.zeros(ends.shape[0], np.uint32), np.int64(0)
    for token in range(ends.shape[0]):
        end, count, document_end = np.int64(ends[token]), 0, np.int64(0)
        for p in range(begin, end):
            position = np.int64(positions[p])
            if position >= document_end:
                document = firsts[position // _BLOCK]
                while bounds[document + 1] <= position:
                    document += 1
                document_end = bounds[document + 1]
                count += 1
        counts[token] = np.uint32(count)
        begin = end
    return counts


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
