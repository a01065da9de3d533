"""MOD_m: the hash values of a set that m divides (Broder 1997, section 3)."""

import numpy as np
from numpy.typing import NDArray

from ibidem.sketch.estimates import Estimate
from ibidem.sketch.fingerprints import hash_values
from ibidem.sketch.overlap import Overlap, overlap
from ibidem.sketch.sketches import Sketch, ascending, one_function

__all__ = ["ModM"]


class ModM(Sketch):
    """Keeps the hash values that ``size``, the modulus ``m``, divides: one in ``m``, so it grows with the set.

    Whether an element is kept does not depend on the others. So resemblance and containment are both estimated without
    bias by the share of kept values. Nothing is known of a set of which nothing was kept: estimates are ``nan`` then.

    >>> a, b = ModM.of(range(0, 900), 8), ModM.of(range(100, 1000), 8)
    >>> a.resemblance(b), a.containment(b)  # 0.8 and 0.889
    (0.7457627118644068, 0.8543689320388349)
    """

    kind = 2

    def __init__(self, size: int = 32, seed: int = 0) -> None:
        super().__init__(size, seed)

    def resemblance(self, other: "ModM") -> Estimate:
        """The share of the values in either sketch that are in both."""
        common = self._overlap(other)
        return Estimate.of(common.both, common.either)

    def containment(self, other: "ModM") -> Estimate:
        """An unbiased estimate of the share of this set that ``other`` holds."""
        common = self._overlap(other)
        return Estimate.of(common.both, common.first)

    def _overlap(self, other: "ModM") -> Overlap:
        self.require_alike(other)
        return overlap(self.values, other.values)

    def _take(self, elements: NDArray[np.uint64]) -> None:
        values = hash_values(elements, one_function(self.seed))
        self.values = np.union1d(self.values, values[values % np.uint64(self.size) == 0])

    def _join(self, other: "ModM") -> None:
        self.values = np.union1d(self.values, other.values)

    def _holds_together(self) -> bool:
        return ascending(self.values) and not (self.values % np.uint64(self.size)).any()
