"""Two texts made ready to be aligned: their tokens, and what these weigh."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.arguments import IDFName, TFName
from ibidem.text.token_stream import number_tokens
from ibidem.weights import DocumentFrequencies, Weighting

TF: TFName = "logarithmic"
"""The default of ``tf``. A passage repeats a word because of what it is about, so the second ``self`` or "said he" that
two passages share is less of a surprise than the first (decision 19)."""


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
    """The two texts with the tokens ``a`` [n] and ``b`` [m], weighed by ``weighting``, as ``make_pair`` makes them."""

    def weigh_tokens(tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
        order, idf = np.argsort(tokens), np.empty(len(tokens))
        idf[order] = weighting.idf_of(tokens[order])  # several times as fast in the order of sorted frequencies
        return idf

    return make_pair(a, b, weigh_tokens, lambda most: np.diff(weighting.tf_table(most)), window)


def make_pair(
    a: npt.NDArray[np.uint32],
    b: npt.NDArray[np.uint32],
    weigh_tokens: Callable[[npt.NDArray[np.uint32]], npt.NDArray[np.float64]],
    list_growth: Callable[[int], npt.NDArray[np.float64]],
    window: int,
) -> Pair:
    """The two texts with the tokens ``a`` [n] and ``b`` [m].

    A similarity does not depend on the scale of the weights, but evidence does: here a running token weighs 1 on the
    average.

    Args:
        weigh_tokens: what distinct tokens weigh.
        list_growth: what each of so many occurrences of a token adds to its weight, but for a factor.
        window: tokens of a window.
    """
    ids, tokens = number_tokens(np.concatenate([a, b]))
    idf, growth = weigh_tokens(tokens), list_growth(int(np.bincount(ids).max(initial=0)))
    return Pair(ids[: len(a)], ids[len(a) :], idf / (idf[ids].mean() or 1.0), growth / growth[0], window)


class OrderedPair(NamedTuple):
    """Two weighed texts in an order that follows from their tokens.

    The order of two texts breaks ties, and decides how sums are rounded. A fixed order gives the same results for
    (a, b) and (b, a).

    Attributes:
        pair: the two texts.
        exchanged: whether the second one is ``pair.a``.
    """

    pair: Pair
    exchanged: bool


def weigh_in_order(
    a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32], weighting: Weighting, window: int
) -> OrderedPair:
    """Weigh two texts as :func:`weigh_pair` does, in their order: the shorter one is the first."""
    if (len(a), a.tobytes()) > (len(b), b.tobytes()):
        return OrderedPair(weigh_pair(b, a, weighting, window), True)
    return OrderedPair(weigh_pair(a, b, weighting, window), False)


def weigh_texts(ids: npt.NDArray[np.uint32], tf: TFName = TF, idf: IDFName = "smooth") -> Weighting:
    """Weights that follow from how often each token occurs in some texts, given as their tokens."""
    distinct, counts = np.unique(ids, return_counts=True)
    return Weighting.of("weighted", tf=tf, idf=idf, frequencies=DocumentFrequencies(distinct, counts, len(ids)))
