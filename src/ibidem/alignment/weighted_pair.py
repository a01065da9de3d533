"""Two texts made ready to be aligned: their tokens, what these weigh, and where they stand."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import Weighting

__all__ = ["ElementBlocks", "Pair", "make_blocks", "weigh_pair"]


class Pair(NamedTuple):
    """Two texts, and how their tokens weigh.

    Attributes:
        a: int32 [n], b: int32 [m], dense token ids 0 to V-1.
        idf: float64 [V], the weight of a token's first occurrence.
        growth: float64 [F], what the x-th occurrence of a token adds to its weight is ``growth[x - 1] * idf``.
        window: the number w of tokens in a window, at most n and m.
    """

    a: npt.NDArray[np.int32]
    b: npt.NDArray[np.int32]
    idf: npt.NDArray[np.float64]
    growth: npt.NDArray[np.float64]
    window: int


def weigh_pair(a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32], weighting: Weighting, window: int) -> Pair:
    """The two texts with the tokens ``a`` [n] and ``b`` [m], weighed by ``weighting``, in windows of ``window`` tokens.

    A similarity does not depend on the scale of the weights, but evidence does: here a running token weighs 1 on the
    average.
    """
    stream = prepare_tokens(np.concatenate([a, b]), np.array([0, len(a), len(a) + len(b)], np.int64))
    idf = weighting.idf_of(stream.vocabulary)
    growth = np.diff(weighting.tf_table(int(stream.peaks.max())))
    return Pair(
        a=stream.ids[: len(a)],
        b=stream.ids[len(a) :],
        idf=idf / (idf[stream.ids].mean() or 1.0),
        growth=growth / growth[0],
        window=window,
    )


_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]
_Lists = tuple[_Ints, _Ints, npt.NDArray[np.int32], _Floats]


class ElementBlocks(NamedTuple):
    """The blocks of ``b`` in which an element stands.

    Attributes:
        elements: int64 [V + 1], the elements (t, 1), (t, 2), ... of token ``t`` begin at ``elements[t]``.
        bounds: int64 [E + 1], the list of element ``e`` is ``lists[bounds[e] : bounds[e + 1]]``.
        lists: int32 [P].
        lightest: float64 [K], the least weight of a window that starts in a block.
    """

    elements: npt.NDArray[np.int64]
    bounds: npt.NDArray[np.int64]
    lists: npt.NDArray[np.int32]
    lightest: npt.NDArray[np.float64]


def make_blocks(pair: Pair) -> ElementBlocks:
    """The blocks of ``pair.b``."""
    return ElementBlocks(*_block_lists(pair))


@kernel
def _block_lists(pair: Pair) -> _Lists:
    """The arrays of the :class:`ElementBlocks` of ``pair.b``."""
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
