"""The family L_i: MOD_m sketches with m = 2^i, where i rises with the size of the set (Broder 1997, section 3)."""

import numpy as np
from numpy.typing import NDArray

from ibidem.sketches.elements import hash_values
from ibidem.sketches.estimates import Estimate
from ibidem.sketches.sketches import Overlap, Sketch, compare_samples, is_ascending, one_function

_LAST_LEVEL = 63


class SizeAdaptive(Sketch):
    """Keeps the hash values that ``2^level`` divides, at the first level that has no more than ``num_hashes`` of them.

    Level ``i + 1`` is derived from level ``i`` by dropping what ``2^(i + 1)`` does not divide, about half of it. So a
    sketch of a large set has between half of ``num_hashes`` and ``num_hashes`` values, 50 to 100 by default: never
    more, and fewer only by the scatter of that halving. Two sketches are compared at the coarser of their levels, where
    both are MOD_m sketches of one modulus. Unlike a bottom-s sketch it says how much of a short text a long one holds,
    and unlike MOD_m its room is bounded.

    >>> short, long = SizeAdaptive.of(range(1000)), SizeAdaptive.of(range(500, 10_000))
    >>> short.level, long.level, short.containment(long).sampled  # 0.5
    (4, 7, 8)
    """

    kind = 3

    def __init__(self, num_hashes: int = 100, seed: int = 0) -> None:
        super().__init__(num_hashes, seed)

    @property
    def level(self) -> int:
        """The ``i`` of ``L_i``."""
        return self._level

    def at_level(self, level: int) -> NDArray[np.uint64]:
        """The values at a ``level`` that is as coarse as the sketch's own, or coarser: uint64, ascending."""
        if level < self._level:
            raise ValueError(f"a sketch of level {self._level} has lost what level {level} keeps")
        return self.values[_divisible(self.values, level)]

    def resemblance(self, other: "SizeAdaptive") -> Estimate:
        """The share of the values in either sketch that are in both, at the coarser level."""
        overlap = self._overlap(other)
        if not overlap.either and self._is_empty() and other._is_empty():
            return Estimate(1.0, self.num_hashes)
        return Estimate.of(overlap.both, overlap.either)

    def containment(self, other: "SizeAdaptive") -> Estimate:
        """An estimate of the share of this set that ``other`` holds; ``nan`` if none of it is left at that level."""
        overlap = self._overlap(other)
        return Estimate(1.0, self.num_hashes) if self._is_empty() else Estimate.of(overlap.both, overlap.first)

    def count(self) -> float:
        """An unbiased estimate of the number of distinct elements, exact at level 0 (Flajolet 1990)."""
        return float(len(self.values) << self._level)

    def _overlap(self, other: "SizeAdaptive") -> Overlap:
        self.require_alike(other)
        coarser = max(self._level, other._level)
        return compare_samples(self.at_level(coarser), other.at_level(coarser))

    def _is_empty(self) -> bool:
        return self._level == 0 and not len(self.values)

    def _take(self, elements: NDArray[np.uint64]) -> None:
        self._keep(hash_values(elements, one_function(self.seed)))

    def _join(self, other: "SizeAdaptive") -> None:
        self._level = max(self._level, other._level)
        self.values = self.at_level(self._level)
        self._keep(other.values)

    def _keep(self, values: NDArray[np.uint64]) -> None:
        self.values = np.union1d(self.values, values[_divisible(values, self._level)])
        while len(self.values) > self.num_hashes and self._level < _LAST_LEVEL:
            self._level += 1
            self.values = self.at_level(self._level)

    def _holds_together(self) -> bool:
        fits = self._level <= _LAST_LEVEL and len(self.values) <= self.num_hashes
        return fits and is_ascending(self.values) and bool(_divisible(self.values, self._level).all())


def _divisible(values: NDArray[np.uint64], level: int) -> NDArray[np.bool_]:
    divisible: NDArray[np.bool_] = (values & np.uint64((1 << level) - 1)) == 0
    return divisible
