"""The blocks of a text, and the cells in which each of its tokens occurs.

Cell ``k`` holds the ``w`` tokens from ``k * w`` on; the last one may hold fewer. Block ``k`` holds the windows of ``w``
tokens that start in cell ``k``, so its ``2w - 1`` tokens lie in the cells ``k`` and ``k + 1``.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.overlap_evidence import weigh_presence
from ibidem.alignment.weighted_pair import Pair
from ibidem.kernels import kernel

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]
_Lists = tuple[_Ints, _Ints, npt.NDArray[np.int32], _Ints]

_COMMON = 1 / 20, 16
"""A token in more than this part of the blocks, and in more than this many, is weak evidence, and its list is long."""

_ENOUGH = 1 << 16
"""Tokens. Fewer do not show how common a token is: in shorter texts it counts as rare as in this many."""


class ElementBlocks(NamedTuple):
    """The cells of ``b`` in which each element occurs, with weights and evidence of its blocks.

    A window shares with a block at most what it shares with the two cells, if each ``x``-th occurrence of a token in a
    cell weighs ``min(growth[x - 1], ceilings[t]) * idf[t]``. This never rises with ``x`` and is never less than the
    weight of any occurrence in a block.

    Attributes:
        elements: int64 [V + 1], the elements (t, 1), (t, 2), ... of token ``t`` begin at ``elements[t]``.
        bounds: int64 [E + 1], the list of element ``e`` is ``lists[bounds[e] : bounds[e + 1]]``.
        lists: int32 [P], cells, ascending in each list.
        lengths: int64 [V], in how many blocks each token occurs.
        growth, ceilings: float64 [2w], [V], see above.
        lightest: float64 [K], the least weight of a window that starts in a block.
        presence, absence: float64 [V], the evidence of a token that two blocks share, in nats, and that of one that
            they do not; the former is counted from the latter. 0 for a token that is common.
        common: tokens in more blocks than this are common.
    """

    elements: _Ints
    bounds: _Ints
    lists: npt.NDArray[np.int32]
    lengths: _Ints
    growth: _Floats
    ceilings: _Floats
    lightest: _Floats
    presence: _Floats
    absence: _Floats
    common: int


def make_blocks(pair: Pair, similar: float) -> ElementBlocks:
    """Make the blocks of ``pair.b``; the evidence of tokens is for passages of the similarity ``similar``."""
    elements, bounds, lists, lengths = _list_cells(pair)
    lightest = _lightest(pair)
    part, many = _COMMON
    common = max(int(part * len(lightest)), many)
    presence, absence = weigh_presence(_chances(pair), similar)
    rare = lengths <= common
    growth, ceilings = _bound_growth(pair, np.diff(elements))
    return ElementBlocks(
        elements=elements,
        bounds=bounds,
        lists=lists,
        lengths=lengths,
        growth=growth,
        ceilings=ceilings,
        lightest=lightest,
        presence=presence * rare,
        absence=absence * rare,
        common=common,
    )


def _chances(pair: Pair) -> _Floats:
    """How probable it is that a block holds each token by chance, float64 [V]."""
    counts = np.maximum(sum(np.bincount(text, minlength=len(pair.idf)) for text in (pair.a, pair.b)), 1)
    chances: _Floats = -np.expm1(-counts * 2 * pair.window / max(len(pair.a) + len(pair.b), _ENOUGH))
    return chances


def _bound_growth(pair: Pair, most: _Ints) -> tuple[_Floats, _Floats]:
    """Return ``growth`` and ``ceilings`` of :class:`ElementBlocks` whose tokens occur ``most`` [V] times in a cell."""
    growth = np.zeros(2 * pair.window)
    known = pair.growth[: len(growth)]
    growth[: len(known)] = np.maximum.accumulate(known[::-1])[::-1]
    highest = np.append(0.0, np.maximum.accumulate(known))
    return growth, highest[np.minimum(2 * most, len(known))]


@kernel
def _list_cells(pair: Pair) -> _Lists:
    """``elements``, ``bounds``, ``lists`` and ``lengths`` of the :class:`ElementBlocks` of ``pair.b``."""
    b, w = pair.b, pair.window
    m, size = b.shape[0], pair.idf.shape[0]
    last_block = (m - w) // w
    counts, cells = np.zeros(size, np.int64), np.full(size, -2)
    elements, lengths = np.zeros(size + 1, np.int64), np.zeros(size, np.int64)
    ranks = np.empty(m, np.int32)
    for p in range(m):
        token, cell = b[p], p // w
        if cells[token] != cell:
            # A cell lies in the block that begins with it, and in the one before; some are listed already.
            lengths[token] += (cell <= last_block) + (cell > 0 and cells[token] != cell - 1)
            cells[token], counts[token] = cell, 0
        ranks[p] = counts[token]
        counts[token] += 1
        elements[token + 1] = max(elements[token + 1], counts[token])
    for t in range(size):
        elements[t + 1] += elements[t]
    bounds = np.zeros(elements[size] + 1, np.int64)
    for p in range(m):
        bounds[elements[b[p]] + ranks[p] + 1] += 1
    for e in range(elements[size]):
        bounds[e + 1] += bounds[e]
    fill, lists = bounds[:-1].copy(), np.empty(m, np.int32)
    for p in range(m):
        e = elements[b[p]] + ranks[p]
        lists[fill[e]] = p // w
        fill[e] += 1
    return elements, bounds, lists, lengths


@kernel
def _lightest(pair: Pair) -> _Floats:
    """float64 [K], the least weight of a window that starts in a block."""
    b, idf, growth, w = pair.b, pair.idf, pair.growth, pair.window
    counts = np.zeros(idf.shape[0], np.int64)
    lightest = np.full((b.shape[0] - w) // w + 1, np.inf)
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
