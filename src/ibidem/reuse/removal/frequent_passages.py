"""Passages in many documents: each place is compared with the first ones alone, and then counts as absent.

Frequent text (:mod:`ibidem.reuse.frequent`) with little else between is a *stretch*. A stretch of the least length of a
passage is paired with the documents in which its shingles occur first: one, if all copies are alike, and a few if words
of them were changed. So a text in a thousand documents costs about a thousand alignments, and the rest of these
documents is compared as if the stretches were not there.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.reuse import frequent
from ibidem.reuse.collection import Collection
from ibidem.reuse.frequent import ShingledTexts, choose_shingle_width, join_runs

_Ints = npt.NDArray[np.int64]


class FrequentPassages(NamedTuple):
    """Stretches of frequent text, by tokens of the collection.

    Attributes:
        ranges: int64 [S, 2], ascending, half open; none overlap.
        boxes: int64 [B, 4], for each document in which a part of a stretch occurs first the place there, and the
            stretch. The first place is before the second.
    """

    ranges: _Ints
    boxes: _Ints


def find_frequent(collection: Collection, most: int, gap: int, min_length: int) -> FrequentPassages:
    """The stretches of ``min_length`` tokens or more of text that more than ``most`` documents hold.

    Fewer than ``gap`` tokens between two parts of a stretch belong to it.
    """
    tokens, bounds, vocabulary = collection.tokens, collection.bounds, collection.vocabulary
    width = choose_shingle_width(len(tokens), int(collection.input.lengths("texts").sum()))
    texts = ShingledTexts(tokens, bounds, vocabulary, np.arange(len(collection), dtype=np.int32))
    runs, _ = frequent.find_frequent(texts, min(width, min_length), most + 1)
    stretches = join_runs(runs, bounds, gap)
    is_long = stretches.lengths >= min_length
    rows = np.flatnonzero(is_long[stretches.of] & (runs[:, 2] != runs[:, 0]))
    stretch_of = stretches.of[rows]
    return FrequentPassages(
        stretches.ranges[is_long], _make_boxes(bounds, runs[rows], stretches.ranges[stretch_of], stretch_of, gap)
    )


def _make_boxes(bounds: _Ints, runs: _Ints, stretches: _Ints, stretch_of: _Ints, gap: int) -> _Ints:
    """A box for the runs of one stretch whose first places lie in one document, near one diagonal."""
    documents = np.searchsorted(bounds, runs[:, 2], side="right") - 1
    diagonals = runs[:, 2] - runs[:, 0]
    order = np.lexsort((diagonals, documents, stretch_of))
    stretch_of, documents, diagonals = stretch_of[order], documents[order], diagonals[order]
    stretches = stretches[order]
    is_start = (
        (stretch_of[1:] != stretch_of[:-1]) | (documents[1:] != documents[:-1]) | (diagonals[1:] > diagonals[:-1] + gap)
    )
    firsts = np.flatnonzero(np.concatenate([np.ones(min(len(stretch_of), 1), np.bool_), is_start]))
    lasts = np.append(firsts[1:], len(stretch_of))[: len(firsts)] - 1
    low, high = bounds[documents[firsts]], bounds[documents[firsts] + 1]
    box_stretches = stretches[firsts]
    start = np.maximum(box_stretches[:, 0] + diagonals[firsts], low)
    end = np.minimum(box_stretches[:, 1] + diagonals[lasts], high)
    all_boxes = np.stack([start, end, box_stretches[:, 0], box_stretches[:, 1]], axis=1)
    boxes: _Ints = all_boxes[(start < end) & (start < box_stretches[:, 0])]
    return boxes
