"""MIN_s: the s smallest hash values of a set under one function (Broder 1997, section 3; a "bottom-s" sketch)."""

import math

import numpy as np
from numpy.typing import NDArray

from ibidem.sketch.estimates import Estimate
from ibidem.sketch.fingerprints import hash_values
from ibidem.sketch.overlap import Overlap, overlap
from ibidem.sketch.sketches import Sketch, ascending, one_function

__all__ = ["BottomS"]


class BottomS(Sketch):
    """Keeps the ``size`` smallest hash values, and all of them while there are no more.

    The smallest values of a union are among those of its parts, and are a uniform sample of it, without replacement.
    So the share of them that both sketches hold is an unbiased estimate of the resemblance, with a variance of at most
    ``J (1 - J) / size``; sets whose union has no more elements than that are compared exactly.

    >>> a, b = BottomS.of(range(0, 900)), BottomS.of(range(100, 1000))
    >>> a.resemblance(b), a.containment(b)  # 0.8 and 0.889
    (0.7890625, 0.8782608695652174)
    """

    kind = 1

    def __init__(self, size: int = 128, seed: int = 0) -> None:
        super().__init__(size, seed)

    def resemblance(self, other: "BottomS") -> Estimate:
        """The share of the smallest values of the union that are in both sets."""
        common = self._overlap(other)
        return Estimate.of(common.both, common.either) if common.either else Estimate(1.0, self.size)

    def containment(self, other: "BottomS") -> Estimate:
        """An estimate of the share of this set that ``other`` holds, unbiased wherever it is a number.

        Of the smallest values of the union, those of this set are a uniform sample of it. A set that is many times
        smaller than the other may have none among them; then nothing is known, and the estimate is ``nan``.
        """
        common = self._overlap(other)
        return Estimate.of(common.both, common.first) if len(self.values) else Estimate(1.0, self.size)

    def count(self) -> float:
        """An unbiased estimate of the number of distinct elements; exact while there are fewer than ``size``.

        ``(size - 1) / u`` for the largest value kept, ``u``, as a share of the range (Bar-Yossef et al. 2002).
        """
        if len(self.values) < self.size:
            return float(len(self.values))
        return (self.size - 1) / math.ldexp(float(self.values[-1]), -64)

    def _overlap(self, other: "BottomS") -> Overlap:
        self.require_alike(other)
        return overlap(self.values, other.values, self.size)

    @classmethod
    def _least_size(cls) -> int:
        return 2  # the count asks for one below the largest

    def _take(self, elements: NDArray[np.uint64]) -> None:
        self._keep(hash_values(elements, one_function(self.seed)))

    def _join(self, other: "BottomS") -> None:
        self._keep(other.values)

    def _keep(self, values: NDArray[np.uint64]) -> None:
        if len(self.values) == self.size:
            values = values[values < self.values[-1]]
        self.values = np.unique(np.concatenate([self.values, values]))[: self.size]

    def _holds_together(self) -> bool:
        return ascending(self.values) and len(self.values) <= self.size
