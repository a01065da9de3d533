"""The k-mins scheme: k independent functions, each keeps the smallest of a passage's hash values.

Two passages of similarity J collide under one function with probability J, independently of the others, so the number
of collisions over k functions is Binomial(k, J) (Broder 1997; for weights Ioffe, ICDM 2010).
"""

import math
from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np
import numpy.typing as npt

from ibidem.sketches.families import Family

EMPTY = -1
"""In place of a key where a text has no element at all."""


def sketch(family: Family, tokens: npt.NDArray[np.uint32], seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """The key of the min-hash of a text under each of k functions, int64 [k]; ``EMPTY`` where it has none.

    ``tokens`` uint32 [n] are the text's tokens in any order; ``seeds`` uint64 [k] name the functions.
    """
    vocabulary, counts = np.unique(tokens, return_counts=True)
    frequencies = counts.astype(np.int32)
    keys = np.full(len(seeds), EMPTY, np.int64)
    for function, seed in enumerate(seeds):
        values = family.active(vocabulary, frequencies, seed)
        if len(values.rank):
            keys[function] = values.key[np.argmin(values.rank)]
    return keys


def recall_of(needed: int, functions: int, similarity: float) -> float:
    """Probability of at least ``needed`` collisions out of ``functions`` at an exact ``similarity``.

    It is 1 only where fewer are impossible: rounding makes no certainty of what is merely likely.
    """
    chances, total = _chances(functions, similarity)
    failures = sum(islice(chances, needed))
    return min((total - failures) / total, math.nextafter(1.0, 0.0)) if failures else 1.0


@cache
def collisions_needed(functions: int, threshold: float, recall: float) -> int:
    """The largest number of collisions that a passage of similarity ``threshold`` reaches with probability ``recall``.

    It is the ``1 - recall`` quantile of Binomial(functions, threshold). Passages above the threshold reach it more
    often. 0 means that no number of collisions can be asked for: every passage has to be examined.
    """
    chances, total = _chances(functions, threshold)
    part, parts = float(recall).as_integer_ratio()
    remaining = total  # chance of more than ``needed``
    for needed, chance in enumerate(chances):
        remaining -= chance
        if remaining * parts < part * total:
            return needed
    return functions


def _chances(functions: int, similarity: float) -> tuple[Iterator[int], int]:
    """The chances of 0, 1, ..., ``functions`` collisions as shares of a whole number.

    A float is a fraction, so they are exact; as floats they would leave its range from about a thousand functions on.
    """
    part, denominator = float(similarity).as_integer_ratio()
    return _terms(functions, part, denominator - part), denominator**functions


def _terms(n: int, p: int, q: int) -> Iterator[int]:
    """The terms ``C(n, m) p^m q^(n - m)`` of ``(p + q)^n``, each from the one before."""
    if not q:
        yield from [0] * n
        yield p**n
        return
    term = q**n
    for m in range(n + 1):
        yield term
        term = term * ((n - m) * p) // ((m + 1) * q)
