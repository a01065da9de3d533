"""The pairs of similar passages of two weighed texts, as one row of steps.

1. *Seeds* are all pairs of windows of ``w`` tokens with a similarity of at least 3/4 of the threshold
   (:mod:`ibidem.alignment.seeds`). Seeds within ``w`` tokens of each other in both texts make a box.
2. The four ends of each box *climb* to where the evidence that the pair is no chance is greatest
   (:mod:`ibidem.alignment.extension`). Pairs within ``w`` tokens of each other are joined where that costs no
   evidence, and climb again.
3. Pairs that are similar enough, long enough and beyond chance are *selected*; of two that overlap in both texts the
   one with more evidence (:mod:`ibidem.alignment.selection`).
4. If there is no such pair but in one passage, this may *sum up* the other text (:mod:`ibidem.alignment.summaries`).
5. Windows that stand alike but are in none of the pairs, since they drowned in their box, are extended by themselves.
6. The tokens outside of the surely similar pairs show what chance gives in texts like these
   (:mod:`ibidem.alignment.null_model`). If a pair does not stand up to it, steps 3 to 5 are done again with it.

Memory is linear in the texts and in what is found.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.extension import GROW, GROW_AND_TRIM, extend_box, extend_boxes, join_boxes, measure
from ibidem.alignment.null_model import Unrelated
from ibidem.alignment.seeds import find_seed_boxes, next_seed
from ibidem.alignment.selection import Criteria, judge, overlaps, select
from ibidem.alignment.summaries import find_digest
from ibidem.alignment.weighted_pair import ElementBlocks, Pair, make_blocks

__all__ = ["PassagePairs", "criteria_for", "extend_seed_boxes", "extend_seeds_and_digests", "find_passage_pairs"]

_Ints = npt.NDArray[np.int64]

_NONE = np.empty((0, 4), np.int64)

_LENIENCE = 0.75
"""A passage is not equally similar everywhere: its parts are held to this share of the threshold, the whole to all."""

_SURPRISE = math.log(10)
"""Nats of evidence that a pair must have beyond the logarithm of the places where it could stand, the product of the
two lengths: chance alone gives about one such pair in ten pairs of texts."""


class PassagePairs(NamedTuple):
    """Pairs of passages, int64 [R, 4]: the half-open range of tokens in the one text, then in the other.

    Attributes:
        similar: pairs of passages that are similar.
        digests: pairs of which one passage sums up the other.
    """

    similar: _Ints
    digests: _Ints

    def exchange(self) -> "PassagePairs":
        """The same with the two texts exchanged."""
        return PassagePairs(self.similar[:, [2, 3, 0, 1]], self.digests[:, [2, 3, 0, 1]])


def criteria_for(pair: Pair, threshold: float, min_length: int) -> Criteria:
    """What is asked of the passages of ``pair``: the more places two texts have, the more evidence."""
    return Criteria(threshold, min_length, _SURPRISE + math.log(len(pair.a)) + math.log(len(pair.b)))


def find_passage_pairs(pair: Pair, criteria: Criteria) -> PassagePairs:
    """The pairs of passages of ``pair`` that meet the ``criteria``, in no order: every step of this module."""
    blocks = make_blocks(pair)
    return _extend(pair, blocks, find_seed_boxes(pair, blocks, _LENIENCE * criteria.threshold), criteria, digests=True)


def extend_seed_boxes(pair: Pair, boxes: _Ints, criteria: Criteria) -> _Ints:
    """The pairs of similar passages around given seeds: extended, joined, judged against chance and selected.

    For callers that find the seeds of a pair in another way, as in bands of a whole collection. Nothing is looked for
    outside of what the boxes lead to. No two pairs of the result overlap in both texts.

    Args:
        pair: the two texts (:func:`ibidem.alignment.weighted_pair.weigh_pair`).
        boxes: int64 [B, 4], each a half-open range of tokens of ``a``, then one of ``b``, of ``pair.window`` tokens at
            least, that hold passages which may be similar.
        criteria: see :func:`criteria_for`.

    Returns:
        Boxes int64 [R, 4] of the same form, in no order.
    """
    return _extend(pair, make_blocks(pair), boxes, criteria, digests=False).similar


def extend_seeds_and_digests(pair: Pair, boxes: _Ints, criteria: Criteria) -> PassagePairs:
    """As :func:`extend_seed_boxes`, and a passage of one text that sums up the other, if there is one."""
    return _extend(pair, make_blocks(pair), boxes, criteria, digests=True)


def _extend(pair: Pair, blocks: ElementBlocks, seeds: _Ints, criteria: Criteria, digests: bool) -> PassagePairs:
    """Steps 2 to 6 for the boxes ``seeds``."""
    counts = np.zeros((2, len(pair.idf)), np.int64)
    candidates = join_boxes(pair, counts, seeds, always=True)
    extended = extend_boxes(pair, counts, candidates)
    extended = extend_boxes(pair, counts, join_boxes(pair, counts, extended, always=False))
    search = _Search(pair, blocks, counts, candidates, extended, criteria, digests)
    found = _select_and_complete(search, None)
    unrelated = Unrelated.outside(
        pair, (box for box in found.similar if measure(pair, counts, box)[1] >= criteria.sure)
    )
    if all(judge(pair, counts, box, criteria, unrelated) > 0 for box in found.similar):
        return found
    return _select_and_complete(search, unrelated)


class _Search(NamedTuple):
    """What the steps after the extension read: the texts, the boxes of seeds, and the pairs that these led to."""

    pair: Pair
    blocks: ElementBlocks
    counts: _Ints
    candidates: _Ints
    extended: _Ints
    criteria: Criteria
    digests: bool


def _select_and_complete(search: _Search, unrelated: Unrelated | None) -> PassagePairs:
    """Steps 3 to 5: the extended pairs that may be reported, a digest, and what of the candidates is in neither."""
    pair, counts, criteria = search.pair, search.counts, search.criteria
    similar = select(pair, counts, search.extended, criteria, unrelated)
    digest = _find_digests(pair, similar, criteria) if search.digests else _NONE
    if len(digest):
        similar = _NONE  # the digest holds them all
    for box in search.candidates:
        found = np.vstack([similar, digest])
        if not any(_meets_all(each, box, pair.window) for each in found):
            similar = np.vstack([similar, _find_drowned(search, box, found, unrelated)])
    return PassagePairs(similar, digest)


def _find_digests(pair: Pair, similar: _Ints, criteria: Criteria) -> _Ints:
    """The passage of one text that sums up the other, with all of this, or no row."""
    a, b, idf = pair.a, pair.b, pair.idf
    in_a, in_b = similar[:, :2], similar[:, 2:]
    digests = [(0.0, [0, 0, 0, 0])]
    if (of_b := find_digest(a, b, idf, in_a, in_b)) is not None and of_b.end - of_b.start >= criteria.min_length:
        digests.append((of_b.evidence, [of_b.start, of_b.end, 0, len(b)]))
    if (of_a := find_digest(b, a, idf, in_b, in_a)) is not None and of_a.end - of_a.start >= criteria.min_length:
        digests.append((of_a.evidence, [0, len(a), of_a.start, of_a.end]))
    strength, box = max(digests)
    return np.array([box] if strength >= criteria.nats else [], np.int64).reshape(-1, 4)


def _find_drowned(search: _Search, box: _Ints, found: _Ints, unrelated: Unrelated | None) -> _Ints:
    """Pairs for windows in ``box`` that are surely similar, no chance, and do not both meet one of ``found``."""
    rest, near = box.copy(), found
    window, criteria = search.pair.window, search.criteria
    more: list[_Ints] = []
    while True:
        start_a, start_b = next_seed(search.pair, search.blocks, criteria.sure, criteria.nats, rest, near)
        if start_a < 0:
            return np.array(more, np.int64).reshape(-1, 4)
        rest[0] = start_a
        seed = np.array([start_a, start_a + window, start_b, start_b + window])
        best = _extend_seed(search, seed, near, unrelated)
        if judge(search.pair, search.counts, best, criteria, unrelated) > 0:
            more.append(best)
        near = np.vstack([near, best])


def _extend_seed(search: _Search, seed: _Ints, near: _Ints, unrelated: Unrelated | None) -> _Ints:
    """The best pair that can be reached from a pair of windows, meets both, and overlaps none of ``near``."""
    for moves in (GROW_AND_TRIM, GROW):
        best = extend_box(search.pair, search.counts, seed, moves)
        if (
            overlaps(seed, best[np.newaxis]).all()
            and not overlaps(best, near).any()
            and judge(search.pair, search.counts, best, search.criteria, unrelated) > 0
        ):
            return best
    return seed


def _meets_all(found: _Ints, box: _Ints, window: int) -> bool:
    """Whether ``found`` has tokens of every two windows in ``box``, in both texts."""
    return bool((found[::2] < box[::2] + window).all() and (box[1::2] - window < found[1::2]).all())
