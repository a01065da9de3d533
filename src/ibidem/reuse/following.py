"""Copies that are followed along both documents, from a few seeds on.

Seeds of two copies lie everywhere in them, and each would be verified by itself. So a few are found first, and from
these on windows are compared along the copy alone: one after the other in both documents, with a new start where words
were put in, left out or replaced. What was followed is a box; candidates within it are not verified any more. Windows
must be as similar as those of a seed, so a box holds nothing that bands could not lead to.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.parallel import in_order
from ibidem.reuse.boxes import PairBoxes, select_pairs
from ibidem.reuse.collection import Comparable
from ibidem.reuse.places import weigh_places
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]

_EDIT = 16
"""Tokens of both documents that are passed over at most where the two differ."""

_ANCHOR = 3
"""Equal tokens near the end of a box, from which on it is followed."""

_ANCHOR_RANGE = 128
"""Tokens of both documents before the end of a box in which an anchor is looked for."""

_ALIKE = 2
"""Equal tokens with which two documents go on behind an edit."""

_RECENT = 8
"""Boxes of two documents with which the next one is compared."""

_BOXES_OF_TASK = 1 << 10
"""About how many boxes a thread follows at a time."""


def follow_copies(
    boxes: PairBoxes, comparable: Comparable, least: tuple[float, float], pool: ThreadPoolExecutor, workers: int
) -> _Ints:
    """The boxes, extended to where windows are no longer similar enough for a seed, int64 [B, 4].

    ``least`` are the least weighted similarities of windows in places that share more than expected by chance, and of
    windows in any places. Every token of an extension is in two such windows, one of either document, that lie in the
    box. Boxes that another one reaches are part of it. Boxes within one document stay as they are. The order of the
    result is that of the pairs of documents.
    """
    cuts = np.unique(np.searchsorted(boxes.bounds, np.arange(0, len(boxes.boxes), _BOXES_OF_TASK))).tolist()

    def follow(span: tuple[int, int]) -> _Ints:
        followed: _Ints = _follow_boxes(comparable, *select_pairs(boxes, *span), least)
        return followed

    return np.concatenate(
        [np.empty((0, 4), np.int64), *in_order(pool, follow, pairwise([*cuts, len(boxes.pairs)]), workers)]
    )


class _Needs(NamedTuple):
    """What windows must have to be a seed: ``least`` similarity with the ``evidence``, or ``sure`` similarity."""

    least: float
    sure: float
    evidence: int


@kernel
def _follow_boxes(
    comparable: Comparable, pairs: _Ints, bounds: _Ints, boxes: _Ints, least: tuple[float, float]
) -> _Ints:
    """The boxes of some pairs of documents, followed."""
    followed, count, window = np.empty_like(boxes), 0, comparable.window
    numbers = np.full(comparable.idf.shape[0], -1, np.int32)
    forward, backward = int(np.int64(1)), int(np.int64(-1))  # a constant would be compiled for by itself
    asks_evidence = comparable.presence.shape[0] > 0
    for pair in range(pairs.shape[0]):
        (d, e), first = (pairs[pair, 0], pairs[pair, 1]), count
        evidence = min(comparable.least_evidence[d], comparable.least_evidence[e]) if asks_evidence else 0
        needs = _Needs(least[0] if asks_evidence else least[1], least[1], evidence)
        for x in range(bounds[pair], bounds[pair + 1]):
            y = _find_near(followed, max(first, count - _RECENT), count, boxes[x], window) if d != e else -1
            if y >= 0:
                _enlarge(followed[y], boxes[x])
                continue
            followed[count] = boxes[x]
            if d != e:
                ends = comparable.bounds[d + 1], comparable.bounds[e + 1]
                _follow_box(comparable, (d, e), followed[count], ends, forward, needs, numbers)
            count += 1
        for y in range(first, count if d != e else first):
            starts = comparable.bounds[d], comparable.bounds[e]
            if y > first and followed[y - 1, 1] <= followed[y, 0] and followed[y - 1, 3] <= followed[y, 2]:
                starts = followed[y - 1, 1], followed[y - 1, 3]
            _follow_box(comparable, (d, e), followed[y], starts, backward, needs, numbers)
    return followed[:count].copy()


@kernel
def _enlarge(box: _Ints, other: _Ints) -> None:
    """Make ``box``, in place, hold the other one."""
    for end in range(0, 4, 2):
        box[end], box[end + 1] = min(box[end], other[end]), max(box[end + 1], other[end + 1])


@kernel
def _find_near(boxes: _Ints, first: int, end: int, box: _Ints, gap: int) -> int:
    """The last of ``boxes`` from ``first`` to ``end - 1`` within ``gap`` of ``box`` in both documents; -1 for none."""
    for y in range(end - 1, first - 1, -1):
        if (
            box[0] <= boxes[y, 1] + gap
            and boxes[y, 0] <= box[1] + gap
            and box[2] <= boxes[y, 3] + gap
            and boxes[y, 2] <= box[3] + gap
        ):
            return y
    return -1


@kernel
def _follow_box(
    comparable: Comparable,
    documents: tuple[int, int],
    box: _Ints,
    reach: tuple[int, int],
    step: int,
    needs: _Needs,
    numbers: _Ids,
) -> None:
    """Move the ends (``step`` 1) or the starts (-1) of ``box``, in place, as far as windows stay similar.

    It does not go beyond the tokens ``reach`` of the two documents. ``numbers`` int32 [V] are -1 before and after.
    """
    tokens, side = comparable.tokens, 1 if step > 0 else 0
    room_a, room_b = step * (reach[0] - box[side]), step * (reach[1] - box[2 + side])
    a, b = box[side] - (1 - side), box[2 + side] - (1 - side)  # the first tokens outside
    done_a, done_b = _find_anchor(tokens, a, b, step, box[1] - box[0], box[3] - box[2])
    edit = min(_EDIT, comparable.window)  # so every token is in a window that was compared
    kept_a, kept_b, checked_a, checked_b = 0, 0, done_a, done_b
    is_followed = done_a <= 0  # there is an anchor
    while is_followed:
        skip_a, skip_b = -1, -1
        if done_a < room_a and done_b < room_b:
            at = a + step * done_a, b + step * done_b
            if tokens[at[0]] == tokens[at[1]]:
                skip_a, skip_b = 1, 1
            else:
                skip_a, skip_b = _find_resumption(tokens, at, step, edit, (room_a - done_a, room_b - done_b))
        is_followed = skip_a >= 0
        if not is_followed or max(done_a + skip_a - checked_a, done_b + skip_b - checked_b) > comparable.window:
            at = a + step * done_a, b + step * done_b
            if not _are_similar(comparable, documents, at, step, needs, numbers):
                break
            kept_a, kept_b = max(kept_a, done_a), max(kept_b, done_b)
            checked_a, checked_b = done_a, done_b
        done_a, done_b = done_a + skip_a, done_b + skip_b
    box[side] += step * kept_a
    box[2 + side] += step * kept_b


@kernel
def _find_anchor(tokens: _Ids, a: int, b: int, step: int, length_a: int, length_b: int) -> tuple[int, int]:
    """How far to go back from ``a`` and ``b``, within a box, to where both go on equally; (1, 1) if there is no place.

    The numbers of tokens are 0 or less.
    """
    for back in range(2 * _ANCHOR, _ANCHOR_RANGE):
        for back_a in range(max(_ANCHOR, back - length_b), min(back - _ANCHOR, length_a) + 1):
            place_a, place_b, equal = a - step * back_a, b - step * (back - back_a), 0
            while equal < _ANCHOR and tokens[place_a + step * equal] == tokens[place_b + step * equal]:
                equal += 1
            if equal == _ANCHOR:
                return -back_a, back_a - back
    return 1, 1


@kernel
def _find_resumption(tokens: _Ids, at: tuple[int, int], step: int, edit: int, room: tuple[int, int]) -> tuple[int, int]:
    """How many tokens of either document to pass over, from where they differ, to where they are equal again.

    (-1, -1) if that is not within ``edit`` tokens, and within the ``room`` that is left in the documents.
    """
    for skip in range(1, 2 * edit + 1):
        for skip_a in range(max(0, skip - min(edit, room[1] - _ALIKE)), min(skip, edit, room[0] - _ALIKE) + 1):
            a, b, equal = at[0] + step * skip_a, at[1] + step * (skip - skip_a), 0
            while equal < _ALIKE and tokens[a + step * equal] == tokens[b + step * equal]:
                equal += 1
            if equal == _ALIKE:
                return skip_a, skip - skip_a
    return -1, -1


@kernel
def _are_similar(
    comparable: Comparable, documents: tuple[int, int], at: tuple[int, int], step: int, needs: _Needs, numbers: _Ids
) -> bool:
    """Return whether the windows before ``at``, which end there or begin behind it, are similar enough to be a seed."""
    tokens, idf, bounds, window = comparable.tokens, comparable.idf, comparable.bounds, comparable.window
    starts = (at[0] - window, at[1] - window) if step > 0 else (at[0] + 1, at[1] + 1)
    first, end = max(starts[0], bounds[documents[0]]), min(starts[0] + window, bounds[documents[0] + 1])
    other_first, other_end = max(starts[1], bounds[documents[1]]), min(starts[1] + window, bounds[documents[1] + 1])
    shared, union = 0.0, 0.0
    for p in range(first, end):
        if numbers[tokens[p]] < 0:
            numbers[tokens[p]] = 0
            union += idf[tokens[p]]
    for p in range(other_first, other_end):
        token = tokens[p]
        shared += idf[token] if numbers[token] == 0 else 0.0
        union += idf[token] if numbers[token] < 0 else 0.0
        numbers[token] = 1
    for p in range(first, end):
        numbers[tokens[p]] = -1
    for p in range(other_first, other_end):
        numbers[tokens[p]] = -1
    if union <= SLACK or shared < needs.least * union - SLACK:
        return False
    if shared >= needs.sure * union - SLACK:
        return True
    middles = starts[0] + window // 2, starts[1] + window // 2
    return bool(weigh_places(comparable, documents, middles, numbers) >= needs.evidence)
