"""The one rounding rule: how far two floats may lie apart and still count as the same number.

A sum of real weights depends on the order of its terms in its last digits: 64-bit floats keep 16 digits, and a passage
has at most 65,535 tokens, so a sum is right to about eleven. Two margins follow, both relative to what is compared.

- ``SLACK`` loosens every bound of a filter. A bound that is too loose costs time; one that is too tight loses a match.
- ``EQUAL`` is the distance below which two similarities are the same: a passage whose similarity *is* the threshold
  reaches it, however it was summed up.

Kernels read the two constants. Everything else calls the functions, and every similarity that is compared with a
threshold goes through ``reaches``.
"""

import math
from typing import overload

import numpy as np
import numpy.typing as npt

SLACK = 1e-9
"""Relative room of every bound that a filter computes."""

EQUAL = 1e-12
"""Relative distance up to which two similarities are equal."""


def loosen(least: float) -> float:
    """A lower bound with room for rounding.

    >>> loosen(3.0) < 3.0
    True
    """
    return least * (1.0 - SLACK)


@overload
def reaches(similarity: float, threshold: float) -> bool: ...
@overload
def reaches(similarity: npt.NDArray[np.float64], threshold: float) -> npt.NDArray[np.bool_]: ...
def reaches(similarity: float | npt.NDArray[np.float64], threshold: float) -> bool | npt.NDArray[np.bool_]:
    """Return whether a similarity, or which of some, is at least ``threshold``, however it was summed up.

    >>> sum([0.1] * 8), reaches(sum([0.1] * 8), 0.8)
    (0.7999999999999999, True)
    """
    return similarity >= threshold * (1.0 - EQUAL)


def level(similarities: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The ``similarities`` [N], where those that are equal but for rounding are the same number."""
    order = np.argsort(similarities)
    ascending = similarities[order]
    begins = np.append(True, np.diff(ascending) > EQUAL * ascending[1:])[: len(similarities)]
    levels = np.empty(len(similarities))
    levels[order] = ascending[np.maximum.accumulate(np.where(begins, np.arange(len(similarities)), 0))]
    return levels


def order_by_similarity(similarities: npt.NDArray[np.float64], most: int | None = None) -> npt.NDArray[np.intp]:
    """The rows of the ``most`` highest ``similarities`` [N], the highest first; of equals the first row first."""
    return np.argsort(-level(similarities), kind="stable")[:most]


def ceil_loosely(number: float) -> int:
    """The smallest whole number that is not below ``number`` but by rounding.

    >>> ceil_loosely(0.1 * 3 * 10), math.ceil(0.1 * 3 * 10)
    (3, 4)
    """
    return math.ceil(number - SLACK)


def floor_loosely(number: float) -> int:
    """The largest whole number that is not above ``number`` but by rounding.

    >>> floor_loosely((0.1 + 0.7) * 10), math.floor((0.1 + 0.7) * 10)
    (8, 7)
    """
    return math.floor(number * (1.0 + SLACK))
