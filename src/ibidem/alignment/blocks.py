"""The blocks of a text, and in which of them its tokens stand.

Block ``k`` holds the windows of ``w`` tokens that start at ``k * w`` to ``(k + 1) * w - 1``, so ``2w - 1`` tokens.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.alignment.evidence import tell_presence
from ibidem.alignment.weighted_pair import Pair

__all__ = ["ElementBlocks", "make_blocks"]

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]
_Lists = tuple[_Ints, _Ints, npt.NDArray[np.int32], _Floats]

_COMMON = 1 / 20, 16
"""A token in more than this part of the blocks, and in more than this many, tells little, and its list is long."""

_ENOUGH = 1 << 16
"""Tokens. Fewer do not tell how common a token is: in shorter texts it passes for as rare as in this many."""


class ElementBlocks(NamedTuple):
    """The blocks of ``b`` in which an element stands.

    Attributes:
        elements: int64 [V + 1], the elements (t, 1), (t, 2), ... of token ``t`` begin at ``elements[t]``.
        bounds: int64 [E + 1], the list of element ``e`` is ``lists[bounds[e] : bounds[e + 1]]``.
        lists: int32 [P].
        lightest: float64 [K], the least weight of a window that starts in a block.
        held, lacked: float64 [V], what it tells of two blocks that they share a token, in nats, and what it tells
            that they do not; the one is counted from the other. 0 for a token that is common.
        common: tokens in more blocks than this are common.
    """

    elements: _Ints
    bounds: _Ints
    lists: npt.NDArray[np.int32]
    lightest: _Floats
    held: _Floats
    lacked: _Floats
    common: int


def make_blocks(pair: Pair, similar: float) -> ElementBlocks:
    """The blocks of ``pair.b``; what tokens tell is said of passages that are ``similar``."""
    elements, bounds, lists, lightest = _block_lists(pair)
    part, many = _COMMON
    common = max(int(part * len(lightest)), many)
    held, lacked = tell_presence(_chances(pair), similar)
    firsts, present = elements[:-1], elements[1:] > elements[:-1]
    lengths = np.zeros(len(held), np.int64)
    lengths[present] = bounds[firsts[present] + 1] - bounds[firsts[present]]
    rare = lengths <= common
    return ElementBlocks(elements, bounds, lists, lightest, held * rare, lacked * rare, common)


def _chances(pair: Pair) -> _Floats:
    """How probable it is that a block holds each token by chance, float64 [V]."""
    counts = np.maximum(sum(np.bincount(text, minlength=len(pair.idf)) for text in (pair.a, pair.b)), 1)
    chances: _Floats = -np.expm1(-counts * 2 * pair.window / max(len(pair.a) + len(pair.b), _ENOUGH))
    return chances


@kernel
def _block_lists(pair: Pair) -> _Lists:
    """``elements``, ``bounds``, ``lists`` and ``lightest`` of the :class:`ElementBlocks` of ``pair.b``."""
    b, w = pair.b, pair.window
    m, size = b.shape[0], pair.idf.shape[0]
    blocks = (m - w) // w + 1
    counts = np.zeros(size, np.int64)
    elements = np.zeros(size + 1, np.int64)
    for k in range(blocks):
        last = min(m, (k + 2) * w - 1)
        for p in range(k * w, last):
            counts[b[p]] += 1
            elements[b[p] + 1] = max(elements[b[p] + 1], counts[b[p]])
        for p in range(k * w, last):
            counts[b[p]] = 0
    for t in range(size):
        elements[t + 1] += elements[t]
    bounds = np.zeros(elements[size] + 1, np.int64)
    for k in range(blocks):
        last = min(m, (k + 2) * w - 1)
        for p in range(k * w, last):
            bounds[elements[b[p]] + counts[b[p]] + 1] += 1
            counts[b[p]] += 1
        for p in range(k * w, last):
            counts[b[p]] = 0
    for e in range(elements[size]):
        bounds[e + 1] += bounds[e]
    fill = bounds[:-1].copy()
    lists = np.empty(bounds[-1], np.int32)
    for k in range(blocks):
        last = min(m, (k + 2) * w - 1)
        for p in range(k * w, last):
            e = elements[b[p]] + counts[b[p]]
            lists[fill[e]] = k
            fill[e] += 1
            counts[b[p]] += 1
        for p in range(k * w, last):
            counts[b[p]] = 0
    return elements, bounds, lists, _lightest(pair, blocks)


@kernel
def _lightest(pair: Pair, blocks: int) -> _Floats:
    """float64 [blocks], the least weight of a window that starts in a block."""
    b, idf, growth, w = pair.b, pair.idf, pair.growth, pair.window
    counts = np.zeros(idf.shape[0], np.int64)
    lightest = np.full(blocks, np.inf)
    weight = 0.0
    for end in range(b.shape[0]):
        weight += growth[counts[b[end]]] * idf[b[end]]
        counts[b[end]] += 1
        start = end - w + 1
        if start >= 0:
            lightest[start // w] = min(lightest[start // w], weight)
            counts[b[start]] -= 1
            weight -= growth[counts[b[start]]] * idf[b[start]]
    return lightest
