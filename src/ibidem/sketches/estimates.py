"""How far an estimate may be off: confidence intervals, and how many values an error asks for.

Of ``n`` values that a sketch compares, the number that agree is Binomial(n, J) for similarity ``J`` under independent
functions, and scatters less where the values are drawn without replacement (bottom-s, MOD_m): an interval for the
binomial holds for all sketches (Broder 1997, section 4.2).
"""

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import NamedTuple

from ibidem.rounding import SLACK, ceil_loosely

# The value that replaces a zero in a denominator (Lentz's method).
_TINY = 1e-300

# A continued fraction whose next step changes it by less than this is exact as far as floats go.
_CONVERGED = 1e-15


class Interval(NamedTuple):
    """Where a similarity lies, both ends included."""

    low: float
    high: float


class Estimate(float):
    """An estimated similarity: a float that knows how many values it comes from.

    It is not a number (``nan``) if it comes from none.

    Attributes:
        sampled: how many values were compared.

    >>> estimate = Estimate(0.75, sampled=128)
    >>> [round(end, 3) for end in estimate.interval(0.95)]
    [0.666, 0.822]
    """

    __slots__ = ("sampled",)

    sampled: int

    def __new__(cls, value: float, sampled: int) -> "Estimate":
        """``value`` from ``sampled`` values."""
        estimate = super().__new__(cls, value)
        estimate.sampled = sampled
        return estimate

    @classmethod
    def of(cls, agreeing: int, sampled: int) -> "Estimate":
        """The share of the values compared that agree."""
        return cls(agreeing / sampled if sampled else math.nan, sampled)

    def interval(self, confidence: float = 0.95, method: str = "exact") -> Interval:
        """An interval that holds the exact similarity with this confidence.

        Args:
            confidence: between 0 and 1.
            method: ``"exact"`` for ``binomial_interval``, ``"normal"`` for ``normal_interval``, ``"standard error"``
            for
                ``standard_error_interval``.
        """
        if method not in _METHODS:
            raise ValueError(f"no interval is called {method!r}; there are {', '.join(_METHODS)}")
        agreeing = round(self * self.sampled) if self.sampled else 0
        return _METHODS[method](agreeing, self.sampled, confidence)

    def __getnewargs__(self) -> tuple[float, int]:  # type: ignore[override]  # what copies and pickles are made from
        return float(self), self.sampled


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


_METHODS: dict[str, Callable[[int, int, float], Interval]] = {
    "exact": binomial_interval,
    "normal": normal_interval,
    "standard error": standard_error_interval,
}
_PLANS = ("exact", "normal")


def values_for(error: float, confidence: float = 0.95, similarity: float = 0.5, method: str = "exact") -> int:
    """How many values a sketch needs for an estimate within ``error`` of ``similarity`` with this ``confidence``.

    A similarity of one half is the hardest to estimate. Of a hundred to two hundred values an error of 0.1 is rare
    (Broder 1997, section 4.2).

    Args:
        error: the largest difference allowed, between 0 and 1.
        confidence: between 0 and 1.
        similarity: of the pairs in question.
        method: ``"exact"`` gives the least number from which on the binomial keeps the confidence, in a time that grows
            with it; ``"normal"`` gives ``z^2 J (1 - J) / error^2``.

    >>> values_for(0.1, 0.95), values_for(0.1, 0.99, method="normal")
    (99, 166)
    """
    for name, share in (("error", error), ("confidence", confidence), ("similarity", similarity)):
        if not 0 < share < 1:
            raise ValueError(f"the {name} is between 0 and 1, not {share}")
    if method not in _PLANS:
        raise ValueError(f"no way of planning is called {method!r}; there are {', '.join(_PLANS)}")
    if method == "normal":
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        return max(1, math.ceil((z / error) ** 2 * similarity * (1 - similarity)))
    values = _surely_enough(error, confidence, similarity)
    while values > 1 and chance_within(error, values - 1, similarity) >= confidence:
        values -= 1
    return values


def chance_of_reaching(estimate: float, values: int, similarity: float) -> float:
    """Probability that an estimate from ``values`` of a ``similarity`` is ``estimate`` or more.

    Broder 1997, section 4.2: of 100 values, pairs that resemble each other by less than 50 % are hardly ever
    estimated at more than 90 %.

    >>> chance_of_reaching(0.9, 100, 0.5) < 1e-16
    True
    """
    least_agreeing = ceil_loosely(values * estimate)
    return incomplete_beta(similarity, least_agreeing, values - least_agreeing + 1) if least_agreeing > 0 else 1.0


def _surely_enough(error: float, confidence: float, similarity: float) -> int:
    """From this number of values on, Chernoff's bound on both tails keeps the confidence."""
    rate = min(
        _divergence(min(1.0, similarity + error), similarity), _divergence(max(0.0, similarity - error), similarity)
    )
    return math.ceil(math.log(2 / (1 - confidence)) / rate)


def _divergence(p: float, q: float) -> float:
    """Kullback's divergence between two coins."""
    return sum(a * math.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)


def chance_within(error: float, values: int, similarity: float) -> float:
    """Probability ``p(s, r, ε)`` that an estimate from ``values`` is within ``error`` of the ``similarity``.

    (Broder 1997, section 4.2.)

    >>> round(chance_within(0.1, 100, 0.5), 3)
    0.965
    """
    # 0.6 - 0.5 <= 0.1, whatever floats say
    first = max(0, ceil_loosely(values * (similarity - error)))
    last = min(values, math.floor(values * (similarity + error) + SLACK))
    below = 1 - incomplete_beta(similarity, first, values - first + 1) if first > 0 else 0.0
    above = incomplete_beta(similarity, last + 1, values - last) if last < values else 0.0
    return 1 - below - above


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
