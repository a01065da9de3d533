"""Boxes: the seeds of two documents that lie near each other in both, as one pair of passages to begin from."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.extension import join_near

_Ints = npt.NDArray[np.int64]

_PLACE = 16
"""Tokens that are one place where it is counted how many boxes lie there."""


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


class KnownBoxes(NamedTuple):
    """Boxes that can be looked up by two documents.

    Attributes:
        firsts: int64 [D + 1], the pairs of the first document ``d`` begin at ``firsts[d]``.
        others: int64 [P], the other document of each pair, ascending for one first document.
        bounds, boxes: those of :class:`PairBoxes`.
    """

    firsts: _Ints
    others: _Ints
    bounds: _Ints
    boxes: _Ints

    @classmethod
    def of(cls, found: PairBoxes, documents: int) -> "KnownBoxes":
        """Those of a collection of so many documents."""
        firsts = np.searchsorted(found.pairs[:, 0], np.arange(documents + 1))
        return cls(firsts, found.pairs[:, 1].copy(), found.bounds, found.boxes)

    @classmethod
    def nothing(cls, documents: int) -> "KnownBoxes":
        """No box."""
        none = PairBoxes(np.empty((0, 2), np.int64), np.zeros(1, np.int64), np.empty((0, 4), np.int64))
        return cls.of(none, documents)


def merge_seeds(seeds: _Ints, documents: _Ints, gap: int) -> PairBoxes:
    """Join the seeds int64 [S, 4] that lie within ``gap`` tokens of each other in both documents.

    ``documents`` int64 [D + 1] are the bounds of the documents. The result does not depend on the order of the seeds,
    and merging the results of parts gives the same: boxes near each other are joined until none are.
    """
    while True:
        of = np.searchsorted(documents, seeds[:, [0, 2]], side="right") - 1
        # Boxes that begin at the same places are joined, whichever comes first.
        order = np.lexsort((seeds[:, 2], seeds[:, 0], of[:, 0] * len(documents) + of[:, 1]))
        seeds, of = seeds[order], of[order]
        begins = np.append(np.ones(min(len(of), 1), np.bool_), (of[1:] != of[:-1]).any(axis=1))
        merged = join_near(seeds, np.cumsum(begins), gap)
        if len(merged) == len(seeds):
            break
        seeds = merged
    first = np.flatnonzero(begins)
    return PairBoxes(of[first], np.append(first, len(of)), seeds)


class Thinned(NamedTuple):
    """Boxes that are left, and those that were taken out."""

    boxes: PairBoxes
    taken: PairBoxes


def thin_crowded(found: PairBoxes, documents: _Ints, ranks: npt.NDArray[np.int32], most: int, window: int) -> Thinned:
    """Remove most boxes of text that occurs in more than ``most`` places, which would be a pair for each two of them.

    A box is crowded if on either side all but less than a ``window`` lies where more than ``most`` boxes do: anything
    else that the two documents share is not lost. Of these, each place keeps the one with the first document, and the
    one with the next. The order of documents is that of their ``ranks``, and places are counted within each, so neither
    the names of documents nor those between them affect the choice.

    Args:
        documents: int64 [D + 1], their bounds.
        ranks: int32 [D], their order by contents.
    """
    if not len(found.boxes):
        return Thinned(found, found)
    of = np.repeat(found.pairs, np.diff(found.bounds), axis=0)
    blocks = np.cumsum(-(-np.diff(documents) // _PLACE))
    begins, before = documents[of], np.concatenate([np.zeros(1, np.int64), blocks])[of]
    starts, ends = found.boxes[:, ::2] - begins, found.boxes[:, 1::2] - begins
    first, last = before + starts // _PLACE, before + (ends - 1) // _PLACE + 1
    crowded = count_crowded(first, last, most)
    rows = np.flatnonzero(((crowded > 0) & ((last - first - crowded) * _PLACE < window)).all(axis=1))
    order = np.argsort(ranks[of[rows]], axis=1, kind="stable")  # the side of the first document first
    boxes = (np.take_along_axis(each[rows], order, axis=1).T for each in (before, ranks[of], starts, ends))
    (before_a, before_b), (a, b), (start_a, start_b), (end_a, end_b) = boxes
    place_a, place_b = before_a + (start_a + end_a) // (2 * _PLACE), before_b + (start_b + end_b) // (2 * _PLACE)
    within = np.lexsort((end_b, end_a, start_b, start_a))  # boxes of the same documents
    kept = np.ones(len(found.boxes), np.bool_)
    kept[rows[within]] = _is_first(place_b[within], a[within]) | _is_first(place_a[within], b[within])
    return Thinned(select_boxes(found, kept), select_boxes(found, ~kept))


def count_crowded(first: _Ints, last: _Ints, most: int) -> _Ints:
    """How many places of each range ``first`` to ``last - 1``, both int64 [B, 2], lie in more than ``most`` ranges.

    Only where ranges begin or end does their number change, so no place between is examined.
    """
    places, at = np.unique(np.stack([first, last]), return_inverse=True)
    begins, ends = at.reshape(2, *first.shape)
    changes = np.bincount(begins.ravel(), minlength=len(places)) - np.bincount(ends.ravel(), minlength=len(places))
    crowded = np.where(np.cumsum(changes) > most, np.diff(places, append=places[-1:]), 0)
    before = np.cumsum(crowded) - crowded
    found: _Ints = before[ends] - before[begins]
    return found


def _is_first(places: _Ints, documents: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Whether each row has the smallest of the ``documents`` of its place, the first of equal ones alone."""
    order = np.lexsort((documents, places))
    begins = np.ones(len(order), np.bool_)
    begins[1:] = places[order][1:] != places[order][:-1]
    first = np.zeros(len(order), np.bool_)
    first[order[begins]] = True
    return first


def select_boxes(found: PairBoxes, kept: npt.NDArray[np.bool_]) -> PairBoxes:
    """The boxes that are ``kept`` bool [B], and the pairs of documents that have some."""
    of = np.repeat(np.arange(len(found.pairs)), np.diff(found.bounds))[kept]
    sizes = np.bincount(of, minlength=len(found.pairs))
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[sizes > 0])])
    return PairBoxes(found.pairs[sizes > 0], bounds, found.boxes[kept])
