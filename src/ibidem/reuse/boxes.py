"""Boxes: seeds of two documents that lie near each other in both, joined into one pair of passages to start from."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.extension import join_near

_Ints = npt.NDArray[np.int64]

_PLACE = 16
"""The tokens of a place, the unit in which the number of boxes at one point of a document is counted."""


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


class ThinnedBoxes(NamedTuple):
    """The boxes that stay, and those of text in too many places."""

    boxes: PairBoxes
    crowded: PairBoxes


def thin_crowded(
    boxes: PairBoxes, documents: _Ints, ranks: npt.NDArray[np.int32], most: int, window: int
) -> ThinnedBoxes:
    """Remove most boxes of text that occurs in more than ``most`` places: there would be one for each two of them.

    A box is crowded if on both sides, except for less than a ``window``, it lies where more than ``most`` boxes do. So
    nothing else that the two documents share is lost. Of the crowded boxes, each place keeps the one with the first
    document and the one with the next. Documents are in the order of their ``ranks``, and places are counted within
    each document, so the choice depends neither on names of documents nor on the documents between.

    Args:
        documents: int64 [D + 1], their bounds.
        ranks: int32 [D], their order by contents.
    """
    if not len(boxes.boxes):
        return ThinnedBoxes(boxes, boxes)
    box_documents = np.repeat(boxes.pairs, np.diff(boxes.bounds), axis=0)
    blocks = np.cumsum(-(-np.diff(documents) // _PLACE))
    document_starts, places_before = (
        documents[box_documents],
        np.concatenate([np.zeros(1, np.int64), blocks])[box_documents],
    )
    starts, ends = boxes.boxes[:, ::2] - document_starts, boxes.boxes[:, 1::2] - document_starts
    first, last = places_before + starts // _PLACE, places_before + (ends - 1) // _PLACE + 1
    crowded_places = count_crowded(first, last, most)
    rows = np.flatnonzero(((crowded_places > 0) & ((last - first - crowded_places) * _PLACE < window)).all(axis=1))
    order = np.argsort(ranks[box_documents[rows]], axis=1, kind="stable")  # the side of the first document first
    columns = (
        np.take_along_axis(column[rows], order, axis=1).T
        for column in (places_before, ranks[box_documents], starts, ends)
    )
    (before_a, before_b), (a, b), (start_a, start_b), (end_a, end_b) = columns
    place_a, place_b = before_a + (start_a + end_a) // (2 * _PLACE), before_b + (start_b + end_b) // (2 * _PLACE)
    box_order = np.lexsort((end_b, end_a, start_b, start_a))  # boxes of the same documents
    is_kept = np.ones(len(boxes.boxes), np.bool_)
    is_kept[rows[box_order]] = _is_first(place_b[box_order], a[box_order]) | _is_first(place_a[box_order], b[box_order])
    return ThinnedBoxes(select_boxes(boxes, is_kept), select_boxes(boxes, ~is_kept))


def count_crowded(first: _Ints, last: _Ints, most: int) -> _Ints:
    """Count the places of each range ``first`` to ``last - 1``, int64 [B, 2], that lie in more than ``most`` ranges.

    The number of ranges changes only where one begins or ends, so no place between is examined.
    """
    places, positions = np.unique(np.stack([first, last]), return_inverse=True)
    start_positions, end_positions = positions.reshape(2, *first.shape)
    changes = np.bincount(start_positions.ravel(), minlength=len(places)) - np.bincount(
        end_positions.ravel(), minlength=len(places)
    )
    crowded_places = np.where(np.cumsum(changes) > most, np.diff(places, append=places[-1:]), 0)
    crowded_before = np.cumsum(crowded_places) - crowded_places
    counts: _Ints = crowded_before[end_positions] - crowded_before[start_positions]
    return counts


def _is_first(places: _Ints, documents: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return whether each row has the smallest of the ``documents`` of its place, the first of equal ones alone."""
    order = np.lexsort((documents, places))
    is_start = np.ones(len(order), np.bool_)
    is_start[1:] = places[order][1:] != places[order][:-1]
    first = np.zeros(len(order), np.bool_)
    first[order[is_start]] = True
    return first


def select_boxes(boxes: PairBoxes, is_kept: npt.NDArray[np.bool_]) -> PairBoxes:
    """The boxes for which ``is_kept`` bool [B] is true, and the pairs of documents that have some."""
    pair_of_box = np.repeat(np.arange(len(boxes.pairs)), np.diff(boxes.bounds))[is_kept]
    sizes = np.bincount(pair_of_box, minlength=len(boxes.pairs))
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[sizes > 0])])
    return PairBoxes(boxes.pairs[sizes > 0], bounds, boxes.boxes[is_kept])
