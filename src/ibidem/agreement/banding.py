"""Locality-sensitive hashing by bands: which pairs of documents become candidates, and how likely at a similarity.

The values of a signature are cut into ``bands`` of ``rows`` values each. Two documents are candidates if all values of
a band agree in at least one band. Values agree with a probability equal to the similarity ``s``, so a pair becomes a
candidate with probability ``1 - (1 - s^rows)^bands``: an S-curve that is steep near ``(1 / bands)^(1 / rows)``
(Broder 1997; Leskovec, Rajaraman, Ullman, *Mining of Massive Datasets*, section 3.4).
"""

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem.arguments import require_fraction
from ibidem.plots import take_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_Floats = NDArray[np.float64]

# Enough for 511 functions without any error but rounding, and for a step as narrow as any threshold allows.
_MOST_NODES = 256

# As many as a signature may have values.
_MOST_FUNCTIONS = 65535


_POINTS = 101
"""Points of a picture on either side of the threshold."""


class Banding(NamedTuple):
    """How a signature of at least ``bands * rows`` values is cut.

    >>> banding = Banding(20, 5)
    >>> banding.probability([0.2, 0.5, 0.8]).round(4).tolist()
    [0.0064, 0.4701, 0.9996]
    """

    bands: int
    rows: int

    @classmethod
    def for_threshold(
        cls,
        threshold: float,
        num_hashes: int,
        false_positive_weight: float = 0.5,
        false_negative_weight: float = 0.5,
    ) -> "Banding":
        """The banding of at most ``num_hashes`` values that errs least about whether a pair reaches ``threshold``.

        The error is ``w_p`` times the integral of the probability under the threshold (candidates that are none) plus
        ``w_n`` times the integral of its complement above it (pairs that are missed). Where both weights favour none,
        fewer bands, then fewer rows are taken.

        Raises:
            ValueError: a threshold outside of 0 to 1, no hash function, or weights that are negative or both zero.

        >>> Banding.for_threshold(0.8, 128)
        Banding(bands=9, rows=13)
        """
        weights = (float(false_positive_weight), float(false_negative_weight))
        if not (min(weights) >= 0 and 0 < sum(weights) < math.inf):
            raise ValueError(f"weights are numbers from 0, and not both 0: not {weights[0]} and {weights[1]}")
        threshold, num_hashes = require_fraction("threshold", threshold, zero=True), _require_functions(num_hashes)
        return cls(*_least_error(threshold, num_hashes, *weights))

    @classmethod
    def for_recall(cls, threshold: float, num_hashes: int, recall: float = 0.99) -> "Banding":
        """The banding with the fewest false candidates that misses a pair at ``threshold`` with at most ``1 - recall``.

        A pair above the threshold is missed less often still. This is the choice when candidates are verified: a false
        one costs a little time, a missed one is lost. A recall of 1 gives a band of no rows, in which every pair is a
        candidate.

        Raises:
            ValueError: no banding of so few functions has this recall at this threshold.

        >>> Banding.for_recall(0.8, 128)
        Banding(bands=16, rows=6)
        """
        require_fraction("recall", recall)
        threshold, num_hashes = require_fraction("threshold", threshold, zero=True), _require_functions(num_hashes)
        if recall == 1:
            return cls(1, 0)
        fitting = [cls(_bands_for(threshold, rows, recall), rows) for rows in range(1, num_hashes + 1)]
        fitting = [banding for banding in fitting if banding.num_hashes <= num_hashes]
        if not fitting:
            raise ValueError(f"num_hashes={num_hashes} cannot have a recall of {recall} at a similarity of {threshold}")
        return min(fitting, key=lambda banding: banding.errors(threshold))

    @property
    def num_hashes(self) -> int:
        """How many values of a signature the bands hold together."""
        return self.bands * self.rows

    @property
    def threshold(self) -> float:
        """The similarity ``(1 / bands)^(1 / rows)`` near which the curve is steepest; its probability is about 1 - 1/e.

        >>> round(Banding(20, 5).threshold, 3)
        0.549
        """
        return float((1 / self.bands) ** (1 / self.rows)) if self.rows else 0.0

    def probability(self, similarity: ArrayLike) -> _Floats:
        """Probability that pairs of an exact ``similarity`` become candidates: float64, in its shape."""
        return -np.expm1(self._log_missed(similarity))

    def similarity(self, probability: float) -> float:
        """The similarity of pairs that become candidates with this ``probability``: the S-curve read backwards.

        >>> round(Banding(20, 5).similarity(0.99), 3)
        0.729
        """
        require_fraction("probability", probability, zero=True)
        log_disagreement = -math.inf if probability == 1 else math.log1p(-probability) / self.bands
        return float((-math.expm1(log_disagreement)) ** (1 / self.rows)) if self.rows else 0.0

    def errors(self, threshold: float) -> tuple[float, float]:
        """Integrals of false positives, below ``threshold``, and of false negatives, from it on."""
        nodes, weights = _quadrature(min(self.num_hashes // 2 + 1, _MOST_NODES))
        positives = threshold * weights @ self.probability(threshold * nodes)
        above = 1 - threshold
        negatives = above * weights @ np.exp(self._log_missed(threshold + above * nodes))
        return float(positives), float(negatives)

    def plot(self, threshold: float | None = None, *, axes: "Axes | None" = None) -> "Axes":
        """Draw the S-curve; the extra ``viz`` is needed.

        With a ``threshold``, what falls on its wrong side is shaded: pairs below it that become candidates, and pairs
        above it that do not. Their areas are ``errors(threshold)``.
        """
        middle = self.threshold if threshold is None else require_fraction("threshold", threshold, zero=True)
        axes = take_axes(axes)
        below, above = np.linspace(0, middle, _POINTS), np.linspace(middle, 1, _POINTS)
        curve = np.concatenate([below, above])
        axes.plot(curve, self.probability(curve), label=f"{self.bands} bands of {self.rows} rows")
        axes.axvline(middle, color="gray", linestyle="--")
        if threshold is not None:
            axes.fill_between(below, self.probability(below), alpha=0.35, label="false positives")
            axes.fill_between(above, self.probability(above), 1, alpha=0.35, label="false negatives")
        axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="similarity", ylabel="probability of becoming a candidate")
        axes.legend()
        return axes

    def _log_missed(self, similarity: ArrayLike) -> _Floats:
        """Logarithm of the probability ``(1 - s^rows)^bands`` that no band agrees."""
        return self.bands * _log_disagreement(similarity, self.rows)


def _log_disagreement(similarity: ArrayLike, rows: int) -> _Floats:
    """Logarithm of the probability ``1 - s^rows`` that one band does not agree."""
    with np.errstate(divide="ignore", under="ignore"):  # equal documents agree: the logarithm of 0
        disagreement: _Floats = np.log1p(-(np.asarray(similarity, np.float64) ** rows))
    return disagreement


def _require_functions(functions: int) -> int:
    if functions < 1:
        raise ValueError(f"a banding needs at least 1 function, not {functions}")
    if functions > _MOST_FUNCTIONS:
        raise ValueError(f"num_hashes is at most {_MOST_FUNCTIONS}, as many as a signature has values, not {functions}")
    return int(functions)


def _bands_for(threshold: float, rows: int, recall: float) -> int:
    """The fewest bands of ``rows`` with this recall; more than any signature has where it takes too many."""
    agrees = threshold**rows
    if agrees >= recall:
        return 1
    if agrees == 0:  # so small that no float holds it
        return _MOST_FUNCTIONS + 1
    return math.ceil(min(math.log1p(-recall) / math.log1p(-agrees), _MOST_FUNCTIONS + 1))


@cache
def _quadrature(nodes: int) -> tuple[_Floats, _Floats]:
    """Nodes and weights of Gauss and Legendre on 0 to 1, exact for polynomials of degree below ``2 * nodes``.

    The probability is a polynomial of degree ``bands * rows`` in the similarity.
    """
    nodes_of_legendre, weights = np.polynomial.legendre.leggauss(nodes)
    return (nodes_of_legendre + 1) / 2, weights / 2


@cache
def _least_error(threshold: float, functions: int, positive: float, negative: float) -> tuple[int, int]:
    nodes, weights = _quadrature(min(functions // 2 + 1, _MOST_NODES))
    below, above = threshold * nodes, threshold + (1 - threshold) * nodes
    best = (math.inf, 0, 0)
    for rows in range(1, functions + 1):
        bands = np.arange(1, functions // rows + 1)
        missed_below, missed_above = (
            np.exp(np.outer(bands, _log_disagreement(similarities, rows))) for similarities in (below, above)
        )
        errors = positive * threshold * ((1 - missed_below) @ weights)
        errors += negative * (1 - threshold) * (missed_above @ weights)
        least = int(errors.argmin())
        best = min(best, (float(errors[least]), int(bands[least]), rows))
    return best[1], best[2]
