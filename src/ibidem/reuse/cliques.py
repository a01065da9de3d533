"""Documents of which every two are known to share nearly all of their text.

In the bands that follow, most runs that agree lie in copies that are known already. Of n copies of a text these are
n (n - 1) / 2 pairs in each group; with cliques, each of the n is looked up once.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]

_MOST = 256
"""The most documents of a clique, so that finding them takes no longer than what they save."""

_LEAST_PART = 0.75
"""The least part of a document that all others of its clique share with it."""


class Cliques(NamedTuple):
    """Which documents are known to share what all of their clique do.

    Attributes:
        of: int32 [D], the clique of each document; -1 for one that is in none.
        spans: int64 [D, 2], the tokens of each document that lie, with those of any other of its clique, in one box.
    """

    of: _Ids
    spans: _Ints


@kernel
def find_cliques(firsts: _Ints, partners: _Ints, bounds: _Ints, boxes: _Ints, documents: _Ints) -> Cliques:
    """Cliques among the pairs of documents that have boxes; the first columns are those of ``KnownBoxes``.

    ``documents`` int64 [D + 1] are the bounds of the documents. Each begins a clique of those that come behind it and
    fit, unless it is in one.
    """
    number, count, members = documents.shape[0] - 1, 0, np.empty(_MOST, np.int64)
    of, spans = np.full(number, -1, np.int32), np.empty((number, 2), np.int64)
    widest = _find_widest(bounds, boxes)
    for d in range(number):
        spans[d, 0], spans[d, 1] = documents[d], documents[d + 1]
    for d in range(number):
        if of[d] >= 0:
            continue
        members[0], size = d, 1
        for pair in range(firsts[d], firsts[d + 1]):
            e = partners[pair]
            if size == _MOST:
                break
            if of[e] >= 0 or e == d:
                continue
            if _fits(firsts, partners, boxes, widest, documents, spans, members[:size], e):
                members[size] = e
                size += 1
                of[d], of[e] = count, count
        count += size > 1
    return Cliques(of, spans)


@kernel
def _find_widest(bounds: _Ints, boxes: _Ints) -> _Ints:
    """The box of each pair of documents that holds the most tokens of the first, int64 [P]."""
    widest = bounds[:-1].copy()
    for pair in range(widest.shape[0]):
        for x in range(bounds[pair], bounds[pair + 1]):
            if boxes[x, 1] - boxes[x, 0] > boxes[widest[pair], 1] - boxes[widest[pair], 0]:
                widest[pair] = x
    return widest


@kernel
def _fits(
    firsts: _Ints,
    partners: _Ints,
    boxes: _Ints,
    widest: _Ints,
    documents: _Ints,
    spans: _Ints,
    members: _Ints,
    e: int,
) -> bool:
    """Whether document ``e`` fits into a clique of ``members``, all before it; if so, ``spans`` are narrowed to it."""
    last, least = members.shape[0], _LEAST_PART * (documents[e + 1] - documents[e])
    narrowed, first, end = np.empty((last, 2), np.int64), documents[e], documents[e + 1]
    for m in range(last):
        d = members[m]
        place = firsts[d] + np.searchsorted(partners[firsts[d] : firsts[d + 1]], e)
        if place == firsts[d + 1] or partners[place] != e:
            return False
        box = widest[place]
        narrowed[m, 0], narrowed[m, 1] = max(spans[d, 0], boxes[box, 0]), min(spans[d, 1], boxes[box, 1])
        first, end = max(first, boxes[box, 2]), min(end, boxes[box, 3])
        if narrowed[m, 1] - narrowed[m, 0] < _LEAST_PART * (documents[d + 1] - documents[d]) or end - first < least:
            return False
    for m in range(last):
        spans[members[m], 0], spans[members[m], 1] = narrowed[m, 0], narrowed[m, 1]
    spans[e, 0], spans[e, 1] = first, end
    return True
