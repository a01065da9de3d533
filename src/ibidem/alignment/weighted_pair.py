"""Two texts made ready to be aligned: their tokens, and what these weigh."""

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
    """The two texts with the tokens ``a`` [n] and ``b`` [m], weighed by ``weighting``, in windows of ``window`` tokens.

    A similarity does not depend on the scale of the weights, but evidence does: here a running token weighs 1 on the
    average.
    """
    ids, vocabulary = number_tokens(np.concatenate([a, b]))
    in_a, in_b = np.split(ids, [len(a)])
    most = max(int(np.bincount(text).max(initial=0)) for text in (in_a, in_b))
    order = np.argsort(vocabulary)  # a look-up in sorted frequencies is several times as fast in their order
    idf = np.empty(len(vocabulary))
    idf[order] = weighting.idf_of(vocabulary[order])
    growth = np.diff(weighting.tf_table(most))
    return Pair(a=in_a, b=in_b, idf=idf / (idf[ids].mean() or 1.0), growth=growth / growth[0], window=window)


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
