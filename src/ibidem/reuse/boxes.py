"""Boxes: seeds of two documents that lie near each other in both, joined into one pair of passages to start from."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.extension import join_near

_Ints = npt.NDArray[np.int64]


class PairBoxes(NamedTuple):
    """Boxes by pairs of documents, in the order of the pairs.

    Attributes:
        pairs: int64 [P, 2], the smaller document first.
        bounds: int64 [P + 1], the boxes of pair ``p`` are ``boxes[bounds[p] : bounds[p + 1]]``.
        boxes: int64 [B, 4], half-open ranges of tokens of the collection, in the first document and in the second.
    """

    pairs: _Ints
    bounds: _Ints
    boxes: _Ints


def select_pairs(boxes: PairBoxes, first: int, end: int) -> PairBoxes:
    """The boxes of the pairs of documents ``first`` to ``end - 1``."""
    end = min(end, len(boxes.pairs))
    low, high = int(boxes.bounds[first]), int(boxes.bounds[end])
    bounds = np.array(boxes.bounds[first : end + 1]) - low
    return PairBoxes(np.array(boxes.pairs[first:end]), bounds, np.array(boxes.boxes[low:high]))


def keep_pairs(boxes: PairBoxes, is_kept: npt.NDArray[np.bool_]) -> PairBoxes:
    """The boxes of the pairs of documents for which ``is_kept`` bool [P] is true."""
    sizes = np.diff(boxes.bounds)
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[is_kept])])
    return PairBoxes(boxes.pairs[is_kept], bounds, boxes.boxes[np.repeat(is_kept, sizes)])


class KnownBoxes(NamedTuple):
    """Boxes that can be looked up by two documents.

    Attributes:
        firsts: int64 [D + 1], the pairs of the first document ``d`` begin at ``firsts[d]``.
        partners: int64 [P], the other document of each pair, ascending for one first document.
        bounds, boxes: those of :class:`PairBoxes`.
    """

    firsts: _Ints
    partners: _Ints
    bounds: _Ints
    boxes: _Ints

    @classmethod
    def of(cls, boxes: PairBoxes, documents: _Ints) -> "KnownBoxes":
        """The boxes of a collection, ready to be looked up; ``documents`` int64 [D + 1] are its bounds."""
        firsts, partners = np.searchsorted(boxes.pairs[:, 0], np.arange(len(documents))), boxes.pairs[:, 1].copy()
        return cls(firsts, partners, boxes.bounds, boxes.boxes)

    @classmethod
    def make_empty(cls, documents: _Ints) -> "KnownBoxes":
        """No box."""
        no_boxes = PairBoxes(np.empty((0, 2), np.int64), np.zeros(1, np.int64), np.empty((0, 4), np.int64))
        return cls.of(no_boxes, documents)


def merge_seeds(seeds: _Ints, documents: _Ints, gap: int) -> PairBoxes:
    """Join the seeds int64 [S, 4] that lie within ``gap`` tokens of each other in both documents.

    ``documents`` int64 [D + 1] are the bounds of the documents. The result does not depend on the order of the seeds,
    and merging the results of parts gives the same: boxes near each other are joined until none are.
    """
    while True:
        seed_documents = np.searchsorted(documents, seeds[:, [0, 2]], side="right") - 1
        # Boxes that begin at the same places are joined, whichever comes first.
        order = np.lexsort((seeds[:, 2], seeds[:, 0], seed_documents[:, 0] * len(documents) + seed_documents[:, 1]))
        seeds, seed_documents = seeds[order], seed_documents[order]
        is_start = np.append(
            np.ones(min(len(seed_documents), 1), np.bool_), (seed_documents[1:] != seed_documents[:-1]).any(axis=1)
        )
        hulls = join_near(seeds, np.cumsum(is_start), gap)
        if len(hulls) == len(seeds):
            break
        seeds = hulls
    first = np.flatnonzero(is_start)
    return PairBoxes(seed_documents[first], np.append(first, len(seed_documents)), seeds)
