"""How far an estimate may be off: confidence intervals, and how many values an error asks for.

Of ``n`` values that a sketch compares, the number that agree is Binomial(n, J) for similarity ``J`` under independent
functions, and scatters less where the values are drawn without replacement (bottom-s, MOD_m): an interval for the
binomial holds for all sketches (Broder 1997, section 4.2).
"""

import math
from collections.abc import Callable
from statistics import NormalDist

from ibidem.intervals import Interval, binomial_interval, incomplete_beta, normal_interval, standard_error_interval
from ibidem.rounding import SLACK, ceil_loosely


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
