"""The alignment of long sequences: runs that occur once in both divide them into short parts.

The exact alignment takes time in proportion to the product of two lengths. Above a stated size, runs of tokens that
occur once in either sequence are paired first, in the longest order that both share (Bram Cohen's patience diff), and
only what lies between them is aligned exactly. Parts without such a run are cut in proportion.
"""

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem._jit import kernel
from ibidem.comparison.global_alignment import ALONE, Sequences, align_globally
from ibidem.hashing import GOLDEN

MOST_CELLS = 1 << 24
"""Product of two lengths up to which an alignment is exact."""

_WIDTHS = (16, 8, 4, 2, 1)
"""Lengths of the runs that are tried as anchors, in this order."""


class _Part(NamedTuple):
    """A range of each sequence."""

    a_first: int
    a_last: int
    b_first: int
    b_last: int

    @property
    def cells(self) -> int:
        return (self.a_last - self.a_first) * (self.b_last - self.b_first)


def align_long(given: Sequences, most_cells: int = MOST_CELLS) -> NDArray[np.int64]:
    """Partner int64 [n] in ``b`` of each token of ``a``, or ``ALONE``.

    The score is the highest that there is if ``len(a) * len(b)`` is at most ``most_cells``.
    """
    partners = np.full(len(given.a), ALONE, np.int64)
    parts = [_Part(0, len(given.a), 0, len(given.b))]
    while parts:
        part = _trim(given, parts.pop(), partners)
        if part.cells == 0:
            continue
        if part.cells <= most_cells:
            found = align_globally(given.part(*part))
            partners[part.a_first : part.a_last] = np.where(found == ALONE, ALONE, found + part.b_first)
        else:
            parts.extend(_divide(given, part, partners))
    return partners


def _trim(given: Sequences, part: _Part, partners: NDArray[np.int64]) -> _Part:
    """Pair the equal tokens at both ends, which some best alignment does, and return what is left."""
    ahead, behind = _count_equal_ends(given.a[part.a_first : part.a_last], given.b[part.b_first : part.b_last])
    left = _Part(part.a_first + ahead, part.a_last - behind, part.b_first + ahead, part.b_last - behind)
    if ahead:
        partners[part.a_first : left.a_first] = np.arange(part.b_first, left.b_first)
    if behind:
        partners[left.a_last : part.a_last] = np.arange(left.b_last, part.b_last)
    return left


@kernel
def _count_equal_ends(a: NDArray[np.int32], b: NDArray[np.int32]) -> tuple[int, int]:
    """Tokens at the beginning in which two sequences are equal, and of the rest those at the end."""
    most, ahead, behind = min(a.shape[0], b.shape[0]), 0, 0
    while ahead < most and a[ahead] == b[ahead]:
        ahead += 1
    while ahead + behind < most and a[a.shape[0] - 1 - behind] == b[b.shape[0] - 1 - behind]:
        behind += 1
    return ahead, behind


def _divide(given: Sequences, part: _Part, partners: NDArray[np.int64]) -> Iterator[_Part]:
    """Pair the anchors of ``part``, and give the parts between them."""
    anchors = _anchors(given.a[part.a_first : part.a_last], given.b[part.b_first : part.b_last])
    if not len(anchors):
        # Nothing shows where to cut: the middle of one is taken for the middle of the other.
        a_middle, b_middle = (part.a_first + part.a_last) // 2, (part.b_first + part.b_last) // 2
        yield _Part(part.a_first, a_middle, part.b_first, b_middle)
        yield _Part(a_middle, part.a_last, b_middle, part.b_last)
        return
    a_at, b_at = anchors[:, 0] + part.a_first, anchors[:, 1] + part.b_first
    partners[a_at] = b_at
    a_bounds = np.concatenate([[part.a_first - 1], a_at, [part.a_last]])
    b_bounds = np.concatenate([[part.b_first - 1], b_at, [part.b_last]])
    wide = (np.diff(a_bounds) > 1) & (np.diff(b_bounds) > 1)
    for k in np.flatnonzero(wide).tolist():
        yield _Part(int(a_bounds[k]) + 1, int(a_bounds[k + 1]), int(b_bounds[k]) + 1, int(b_bounds[k + 1]))


def _anchors(a: NDArray[np.int32], b: NDArray[np.int32]) -> NDArray[np.int64]:
    """Places [K, 2] of tokens, rising in both sequences, at which a run begins that occurs once in either."""
    for width in _WIDTHS:
        if width <= min(len(a), len(b)):
            pairs = _shared_once(_runs(a, width), _runs(b, width))
            if len(pairs):
                return pairs[_longest_rise(pairs[:, 1])]
    return np.empty((0, 2), np.int64)


def _runs(ids: NDArray[np.int32], width: int) -> NDArray[np.uint64]:
    """A hash uint64 [n - width + 1] of each run of ``width`` tokens."""
    hashes = np.zeros(len(ids) - width + 1, np.uint64)
    for k in range(width):
        hashes = (hashes ^ ids[k : k + len(hashes)].astype(np.uint64)) * GOLDEN
        hashes ^= hashes >> np.uint64(29)
    return hashes


def _shared_once(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Places [K, 2] of the values that occur once in ``a`` and once in ``b``, in the order of ``a``."""
    once = []
    for values in (a, b):
        distinct, first, counts = np.unique(values, return_index=True, return_counts=True)
        once.append((distinct[counts == 1], first[counts == 1]))
    _, in_a, in_b = np.intersect1d(once[0][0], once[1][0], assume_unique=True, return_indices=True)
    pairs = np.stack([once[0][1][in_a], once[1][1][in_b]], axis=1).astype(np.int64)
    return pairs[np.argsort(pairs[:, 0])]


def _longest_rise(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places of a longest rising subsequence of distinct ``values``."""
    tails: list[int] = []
    at: list[int] = []
    before = np.full(len(values), -1, np.int64)
    for place, value in enumerate(values.tolist()):
        length = bisect_left(tails, value)
        before[place] = at[length - 1] if length else -1
        tails[length : length + 1] = [value]
        at[length : length + 1] = [place]
    chain = []
    place = at[-1] if at else -1
    while place >= 0:
        chain.append(place)
        place = int(before[place])
    return np.array(chain[::-1], np.int64)
