"""The items of an evaluation that are most like each other, and what tells them apart.

An evaluation may be made from templates: its items differ in names, numbers or choices. A document with an item of such
a family that is not in the evaluation holds most of the words of those that are, and is a leak of none. So the parts of
all items are looked for in each other. Another item that holds as much of a part as a leak does is its *sibling*: what
the part has beyond a sibling *distinguishes* it from that one. Of this, a leak holds nearly as large a share as of what
both have, for each of its siblings.
"""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.contamination.bigrams import BigramTable
from ibidem.contamination.items import THRESHOLD
from ibidem.contamination.local_alignment import AlignableParts, align_candidates
from ibidem.contamination.parts import Parts, condense
from ibidem.contamination.seeds import BigramPostings, find_candidates
from ibidem.ragged import count_earlier

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]

MOST = 8
"""Siblings of a part, at most: a bit for each."""

_ALIGNED = 2 * MOST
"""Parts of other items that a part is aligned with, at most: those that have most of the weight of its seeds."""

_BATCH = 256
"""Parts in which the others are looked for at once."""


class Siblings(NamedTuple):
    """What the siblings of each part have of it.

    Attributes:
        holders: uint8 [T], which of the siblings of its part have a token of the part: a bit for each sibling.
        differ_in_signs: bool [P], whether another item of the evaluation has the same words, and other signs.
    """

    holders: npt.NDArray[np.uint8]
    differ_in_signs: npt.NDArray[np.bool_]


def find_siblings(
    parts: Parts, evaluations: _Ints, alignable: AlignableParts, table: BigramTable, seeds: BigramPostings
) -> Siblings:
    """The siblings of all ``parts``, which belong to these ``evaluations``, int64 [P], by number."""
    candidates = _choose_candidates(parts, evaluations, table, seeds)
    alignments = align_candidates(parts.ids, parts.bounds, candidates, alignable)
    totals = np.bincount(np.repeat(np.arange(len(parts)), np.diff(parts.bounds)), alignable.weights, len(parts))
    owners = candidates[:, 1]
    shares = alignments.shared / np.maximum(totals[owners], np.finfo(float).tiny)
    order = np.lexsort((candidates[:, 0], -shares, owners))
    order = order[shares[order] >= THRESHOLD]
    ranks = count_earlier(owners[order])
    holders = np.zeros(len(parts.ids), np.uint8)
    for row, rank in zip(order[ranks < MOST].tolist(), ranks[ranks < MOST].tolist(), strict=True):
        places = alignments.places_of(row)
        first = int(parts.bounds[owners[row]])
        holders[first : first + len(places)] |= (places >= 0).astype(np.uint8) << np.uint8(rank)
    return Siblings(holders, _find_same_words(parts, evaluations))


def _choose_candidates(parts: Parts, evaluations: _Ints, table: BigramTable, seeds: BigramPostings) -> _Ints:
    """For each part the parts of other items of its evaluation that have most of its seeds, as candidates [C, 4]."""
    chosen, weights = [np.empty((0, 4), np.int64)], [np.empty(0)]
    for first in range(0, len(parts), _BATCH):
        candidates, sums = find_candidates(parts.ids, parts.bounds[first : first + _BATCH + 1], table, seeds)
        candidates[:, 0] += first
        texts, owners = candidates[:, 0], candidates[:, 1]
        is_other = (evaluations[texts] == evaluations[owners]) & (parts.groups[texts] != parts.groups[owners])
        chosen.append(candidates[is_other])
        weights.append(sums[is_other])
    candidates = np.concatenate(chosen)
    order = np.lexsort((candidates[:, 0], -np.concatenate(weights), candidates[:, 1]))
    return candidates[order[count_earlier(candidates[order, 1]) < _ALIGNED]]


def _find_same_words(parts: Parts, evaluations: _Ints) -> npt.NDArray[np.bool_]:
    """Determine which parts have the words of one of another item of their evaluation, and other signs: bool [P]."""
    families: dict[tuple[int, bytes], dict[int, str]] = defaultdict(dict)
    for part, text in enumerate(parts.texts):
        words = parts.ids[parts.bounds[part] : parts.bounds[part + 1]].tobytes()
        families[int(evaluations[part]), words][part] = condense(text)
    differ = np.zeros(len(parts), np.bool_)
    for family in families.values():
        if len(family) > 1 and len(set(family.values())) > 1:
            differ[list(family)] = True
    return differ


def measure_distinct(weights: _Floats, holders: npt.NDArray[np.uint8], is_found: npt.NDArray[np.bool_]) -> float:
    """The share of what distinguishes a part that was found, to the share of what a sibling has that was found.

    The least over all siblings, and at most 1. Where words were changed at random, both shares are about the same; of
    another item of the template, one finds all that the siblings have.

    Args:
        weights: float64 [n], of the tokens of the part.
        holders: uint8 [n], the siblings that have each.
        is_found: bool [n], which were found.

    >>> measure_distinct(np.array([9.0, 3.0, 5.0]), np.array([3, 1, 2], np.uint8), np.array([True, True, False]))
    0.0
    """
    least = 1.0
    for rank in range(MOST):
        is_common = (holders >> np.uint8(rank)) & 1 == 1
        common, common_total = float(weights[is_common & is_found].sum()), float(weights[is_common].sum())
        own, own_total = float(weights[~is_common & is_found].sum()), float(weights[~is_common].sum())
        if common > 0 and own_total > 0:
            least = min(least, own / own_total * common_total / common)
    return least
