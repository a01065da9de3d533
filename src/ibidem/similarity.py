"""Exact similarity of two token sequences: resemblance and containment, for sets, multisets and weighted sets.

With the weight ``w`` of each token in ``A`` and in ``B``, similarity is ``Σ min(w_A, w_B) / Σ max(w_A, w_B)`` and the
containment of ``A`` in ``B`` is ``Σ min(w_A, w_B) / Σ w_A``. For sets these are Broder's resemblance and containment.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.arguments import FamilyName
from ibidem.token_weights import require_weight
from ibidem.weights import Weighting

_Sequence = Sequence[Hashable] | NDArray[Any]
_Weights = Mapping[Any, float] | Callable[[Any], float]


def jaccard(
    a: _Sequence, b: _Sequence, family: FamilyName | Weighting = "set", *, idf: _Weights | None = None
) -> float:
    """Jaccard similarity of two sequences of tokens, from 0 to 1; it is 1 if neither has any weight.

    Args:
        a, b: sequences of anything hashable (a string is a sequence of characters), or arrays of token ids.
        family: what counts, ``"set"`` or ``"multiset"``; or a ``Weighting``, the weights of the family ``"weighted"``.
            One with document frequencies or with weights of words needs token ids.
        idf: how much each token weighs: a dictionary, in which tokens that are missing weigh 1, or a function.

    Raises:
        ValueError: a weight is no finite number from 0; the message names the token.

    >>> jaccard("ABBC", "BCD", "multiset")
    0.4
    >>> jaccard("ABBC", "BCD", idf={"A": 0, "D": 0.5})
    0.8
    """
    in_a, in_b = _weights(a, b, family, idf)
    return _ratio(np.minimum(in_a, in_b), np.maximum(in_a, in_b))


def containment(
    a: _Sequence, b: _Sequence, family: FamilyName | Weighting = "set", *, idf: _Weights | None = None
) -> float:
    """Share of ``a`` that ``b`` holds, from 0 to 1; all of it, 1, if ``a`` has no weight. Arguments as in ``jaccard``.

    >>> containment("ABBC", "BCD", "multiset")
    0.5
    """
    in_a, in_b = _weights(a, b, family, idf)
    return _ratio(np.minimum(in_a, in_b), in_a)


def _ratio(part: NDArray[np.float64], full_weights: NDArray[np.float64]) -> float:
    total = float(full_weights.sum())
    return float(part.sum()) / total if total > 0 else 1.0


def _weights(
    a: _Sequence, b: _Sequence, family: FamilyName | Weighting, idf: _Weights | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights float64 [V] of the distinct tokens of both, in ``a`` and in ``b``."""
    weighting = _choose_weighting(family)
    tokens, in_a, in_b = _frequencies(a, b)
    if idf is not None:
        if weighting.idf != "unary" or weighting.weights is not None:
            raise ValueError("idf gives the weights of tokens, and so does the weighting: give one of them")
        factors = _own_weights(tokens, idf)
    elif weighting.idf == "unary" and weighting.weights is None:
        factors = np.ones(len(tokens))
    else:
        factors = weighting.idf_of(_ids(tokens))
    tf = weighting.tf_table(int(max(in_a.max(initial=0), in_b.max(initial=0))))
    return tf[in_a] * factors, tf[in_b] * factors


def _choose_weighting(family: FamilyName | Weighting) -> Weighting:
    if isinstance(family, Weighting):
        return family
    if family == "weighted":
        raise ValueError(
            "'weighted' says no weights: give a Weighting, such as Weighting.of('weighted', tf='squared'), or idf="
        )
    return Weighting.of(family)


def _own_weights(tokens: NDArray[Any] | Sequence[Hashable], idf: _Weights) -> NDArray[np.float64]:
    """Look up the weight that ``idf`` gives each of the tokens [V], float64 [V]."""
    words = tokens.tolist() if isinstance(tokens, np.ndarray) else tokens
    weights = [idf.get(token, 1.0) if isinstance(idf, Mapping) else idf(token) for token in words]
    return np.array(
        [require_weight(*token_and_weight) for token_and_weight in zip(words, weights, strict=True)], np.float64
    )


def _frequencies(a: _Sequence, b: _Sequence) -> tuple[Any, NDArray[np.int64], NDArray[np.int64]]:
    """Distinct tokens [V] of both, and their frequencies int64 [V] in ``a`` and in ``b``."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        tokens, place = np.unique(np.concatenate([a, b]), return_inverse=True)
        in_a, in_b = (np.bincount(part, minlength=len(tokens)) for part in np.split(place, [len(a)]))
        return tokens, in_a, in_b
    counts_a, counts_b = (
        Counter(sequence.tolist() if isinstance(sequence, np.ndarray) else sequence) for sequence in (a, b)
    )
    distinct = list(counts_a | counts_b)
    in_a, in_b = (np.array([counts[t] for t in distinct], np.int64) for counts in (counts_a, counts_b))
    return distinct, in_a, in_b


def _ids(tokens: Any) -> NDArray[np.uint32]:
    ids = np.asarray(tokens) if len(tokens) else np.zeros(0, np.uint32)
    if ids.dtype.kind not in "iu" or (len(ids) and not 0 <= int(ids.min()) <= int(ids.max()) <= 0xFFFFFFFF):
        raise TypeError("document frequencies are kept by token id: give arrays of ids, as a tokenizer makes them")
    return ids.astype(np.uint32)
