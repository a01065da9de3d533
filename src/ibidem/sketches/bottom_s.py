"""MIN_s: the s smallest hash values of a set under one function (Broder 1997, section 3; a "bottom-s" sketch).

With a modulus it is MIN_s(MOD_m): the s smallest of the values that ``m`` divides (section 4.1). Other values are
passed over before they are put in order, and the sketch is as large as without.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigurationError
from ibidem.sketches.elements import Elements, hash_values
from ibidem.sketches.estimates import Estimate
from ibidem.sketches.sketches import Overlap, Sketch, compare_samples, is_ascending, one_function


class BottomS(Sketch):
    """Keeps the ``num_hashes`` smallest hash values, and all of them while there are no more.

    The smallest values of a union are among those of its parts, and are a uniform sample of it, without replacement.
    So the share of them that both sketches hold is an unbiased estimate of the resemblance, with a variance of at most
    ``J (1 - J) / num_hashes``; sets whose union has no more elements than that are compared exactly.

    With a ``modulus`` only the values that it divides are kept. The estimate stays unbiased; but sets of fewer
    than ``num_hashes * modulus`` elements have fewer values, and nothing is known of two sets of which none is kept.

    >>> a, b = BottomS.of(range(0, 900)), BottomS.of(range(100, 1000))
    >>> a.resemblance(b), a.containment(b)  # 0.8 and 0.889
    (0.7890625, 0.8782608695652174)
    """

    kind = 1

    def __init__(self, num_hashes: int = 128, seed: int = 0, modulus: int = 1) -> None:
        if not 1 <= modulus < 2**16:
            raise ValueError(f"a modulus is 1 to 65535, not {modulus}")
        super().__init__(num_hashes, seed)
        self._level = 0 if modulus == 1 else int(modulus)

    @classmethod
    def of(cls, elements: Elements, num_hashes: int | None = None, seed: int = 0, modulus: int = 1) -> "BottomS":
        """The sketch of a set of elements."""
        sketch = cls(128 if num_hashes is None else num_hashes, seed, modulus)
        sketch.update(elements)
        return sketch

    @property
    def modulus(self) -> int:
        """The divisor of every value that is kept."""
        return max(1, self._level)

    def resemblance(self, other: "BottomS") -> Estimate:
        """The share of the smallest values of the union that are in both sets."""
        overlap = self._overlap(other)
        if self.modulus > 1 or overlap.either:
            return Estimate.of(overlap.both, overlap.either)
        return Estimate(1.0, self.num_hashes)

    def containment(self, other: "BottomS") -> Estimate:
        """An estimate of the share of this set that ``other`` holds, unbiased wherever it is a number.

        Of the smallest values of the union, those of this set are a uniform sample of it. A set that is many times
        smaller than the other may have none among them; then nothing is known, and the estimate is ``nan``.
        """
        overlap = self._overlap(other)
        if self.modulus > 1 or len(self.values):
            return Estimate.of(overlap.both, overlap.first)
        return Estimate(1.0, self.num_hashes)

    def count(self) -> float:
        """An unbiased estimate of the number of distinct elements; exact below ``num_hashes``, without a modulus.

        ``(num_hashes - 1) / u`` for the largest value kept, ``u``, as a share of the range (Bar-Yossef et al. 2002).
        """
        if len(self.values) < self.num_hashes:
            return float(len(self.values) * self.modulus)
        return (self.num_hashes - 1) / math.ldexp(float(self.values[-1]), -64) * self.modulus

    def _overlap(self, other: "BottomS") -> Overlap:
        self.require_alike(other)
        return compare_samples(self.values, other.values, self.num_hashes)

    @classmethod
    def _least_size(cls) -> int:
        return 2  # the count asks for one below the largest

    def _take(self, elements: NDArray[np.uint64]) -> None:
        self._keep(hash_values(elements, one_function(self.seed)))

    def _join(self, other: "BottomS") -> None:
        self._keep(other.values)

    def require_alike(self, other: Sketch) -> None:
        """Raise a ``ConfigurationError`` that says why, if the two sketches cannot be compared."""
        super().require_alike(other)
        if self._level != other._level:
            moduli = f"{self.modulus} cannot be compared with one of modulus {max(1, other._level)}"
            raise ConfigurationError(f"a BottomS of modulus {moduli}")

    def _keep(self, values: NDArray[np.uint64]) -> None:
        if self._level:
            values = values[values % np.uint64(self._level) == 0]
        if len(self.values) == self.num_hashes:
            values = values[values < self.values[-1]]
        self.values = np.unique(np.concatenate([self.values, values]))[: self.num_hashes]

    def _holds_together(self) -> bool:
        are_divisible = not self._level or not (self.values % np.uint64(self._level)).any()
        return is_ascending(self.values) and len(self.values) <= self.num_hashes and are_divisible
