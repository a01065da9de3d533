"""Intervals of a share that was counted on some of many: of sketches that agree, plants that are found, outputs."""

import math
from statistics import NormalDist
from typing import NamedTuple

# The value that replaces a zero in a denominator (Lentz's method).
_TINY = 1e-300

# A continued fraction whose next step changes it by less than this is exact as far as floats go.
_CONVERGED = 1e-15


class Interval(NamedTuple):
    """Where a similarity lies, both ends included."""

    low: float
    high: float


def binomial_interval(agreeing: int, sampled: int, confidence: float = 0.95) -> Interval:
    """The interval of Clopper and Pearson (1934): it holds the similarity with ``confidence`` or more, always.

    >>> [round(end, 4) for end in binomial_interval(0, 100)]
    [0.0, 0.0362]
    """
    tail = _tail(agreeing, sampled, confidence)
    low = _quantile(tail, agreeing, sampled - agreeing + 1) if agreeing else 0.0
    high = _quantile(1 - tail, agreeing + 1, sampled - agreeing) if agreeing < sampled else 1.0
    return Interval(low, high)


def normal_interval(agreeing: float, sampled: float, confidence: float = 0.95) -> Interval:
    """The interval of Wilson (1927): the normal approximation, solved for the similarity.

    It is narrower than the exact one and holds with about ``confidence``, some similarities with a little less. Unlike
    ``p ± z √(p (1 - p) / n)`` it keeps its width at 0 and 1.
    """
    tail = _tail(agreeing, sampled, confidence)
    if not sampled:
        return Interval(0.0, 1.0)
    z2 = NormalDist().inv_cdf(tail) ** 2
    share = agreeing / sampled
    middle = (share + z2 / (2 * sampled)) / (1 + z2 / sampled)
    reach = math.sqrt(z2 * (share * (1 - share) + z2 / (4 * sampled)) / sampled) / (1 + z2 / sampled)
    return Interval(max(0.0, min(share, middle - reach)), min(1.0, max(share, middle + reach)))  # despite rounding


def standard_error_interval(agreeing: int, sampled: int, confidence: float = 0.95) -> Interval:
    """The interval ``p ± Z s`` with ``s = √(p (1 - p) / n)``, as textbooks have it (Wald), cut at 0 and 1.

    It holds with less than ``confidence``, far less for shares near 0 and 1, where it shrinks to a point. It is here
    for comparison; ``normal_interval`` is as simple and better.

    >>> [round(end, 3) for end in standard_error_interval(96, 128)]
    [0.675, 0.825]
    """
    tail = _tail(agreeing, sampled, confidence)
    if not sampled:
        return Interval(0.0, 1.0)
    share = agreeing / sampled
    reach = -NormalDist().inv_cdf(tail) * math.sqrt(share * (1 - share) / sampled)
    return Interval(max(0.0, share - reach), min(1.0, share + reach))


def _tail(agreeing: float, sampled: float, confidence: float) -> float:
    """The probability that is left out at either end."""
    if not 0 <= agreeing <= sampled:
        raise ValueError(f"of {sampled} values, {agreeing} cannot agree")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence is between 0 and 1, not {confidence}")
    return (1 - confidence) / 2


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function ``I_x(a, b)``, for positive ``a`` and ``b``.

    ``I_p(m, n - m + 1)`` is the probability of ``m`` or more of ``n`` at a probability ``p`` of each.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):  # on this side the fraction converges fast
        return front * _continued_fraction(x, a, b) / a
    return 1 - front * _continued_fraction(1 - x, b, a) / b


def _continued_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by the method of Lentz."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    value = d
    m = 0
    while True:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for coefficient in (even, odd):
            d = 1 / (1 + coefficient * d or _TINY)
            c = 1 + coefficient / c or _TINY
            value *= c * d
        if abs(c * d - 1) < _CONVERGED:
            return value


def _quantile(probability: float, a: float, b: float) -> float:
    """The ``x`` at which ``I_x(a, b)`` is ``probability``, by halving."""
    low, high = 0.0, 1.0
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return middle
        if incomplete_beta(middle, a, b) < probability:
            low = middle
        else:
            high = middle
