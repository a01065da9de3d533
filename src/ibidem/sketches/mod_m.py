"""MOD_m: the hash values of a set that m divides; L_i, whose m follows the size of the set (Broder 1997, section 3)."""

import numpy as np
from numpy.typing import NDArray

from ibidem.sketches.elements import Elements, elements_of, hash_values
from ibidem.sketches.estimates import Estimate
from ibidem.sketches.sketches import Overlap, Sketch, compare_samples, is_ascending, one_function


class ModM(Sketch):
    """Keeps the hash values that the ``modulus`` m divides: one in ``m``, so it grows with the set.

    Whether an element is kept does not depend on the others. So resemblance and containment are both estimated without
    bias by the share of kept values. Nothing is known of a set of which nothing was kept: estimates are ``nan`` then.

    Two sketches may have different moduli if one divides the other, and are compared at the larger, at which each can
    be derived from what it keeps. So a modulus can follow the size of a document (``of_size``), as in Broder's ``L_i``.

    >>> a, b = ModM.of(range(0, 900), 8), ModM.of(range(100, 1000), 8)
    >>> a.resemblance(b), a.containment(b)  # 0.8 and 0.889
    (0.7457627118644068, 0.8543689320388349)
    """

    kind = 2
    size_name = "modulus"

    def __init__(self, modulus: int = 32, seed: int = 0) -> None:
        super().__init__(modulus, seed)

    @property
    def modulus(self) -> int:
        """The ``m``; it takes the place of the ``num_hashes`` of other sketches."""
        return self.num_hashes

    @classmethod
    def of_size(cls, elements: Elements, unit: int = 100, seed: int = 0) -> "ModM":
        """``L_i``: the sketch with the modulus ``2^i`` for a set of ``unit * 2^i`` to ``unit * 2^(i + 1)`` elements.

        It is expected to have ``unit`` to ``2 * unit`` values, and all of a document of fewer than ``unit``. (Broder
        writes 50 to 100 for a unit of 100; with these sizes and moduli it is 100 to 200.)

        >>> ModM.of_size(range(99)).modulus, ModM.of_size(range(399)).modulus, ModM.of_size(range(400)).modulus
        (1, 2, 4)
        """
        if unit < 1:
            raise ValueError(f"a unit is 1 element or more, not {unit}")
        numbers = np.unique(elements_of(elements))
        return cls.of(numbers, 1 << max(0, (len(numbers) // unit).bit_length() - 1), seed)

    def at_modulus(self, modulus: int) -> NDArray[np.uint64]:
        """The values that a multiple of the sketch's own modulus divides: uint64, ascending.

        Raises:
            ValueError: it is no multiple.
        """
        if modulus < 1 or modulus % self.modulus:
            raise ValueError(f"a sketch of modulus {self.modulus} has lost what modulus {modulus} keeps")
        values: NDArray[np.uint64] = self.values[self.values % np.uint64(modulus) == 0]
        return values

    def require_alike(self, other: Sketch) -> None:
        """Raise a ``ConfigurationError`` that says why, if the two sketches cannot be compared."""
        if isinstance(other, ModM) and self.seed == other.seed:
            small, large = sorted((self.modulus, other.modulus))
            if large % small == 0:
                return
        super().require_alike(other)

    def resemblance(self, other: "ModM") -> Estimate:
        """The share of the values in either sketch that are in both."""
        overlap = self._overlap(other)
        return Estimate.of(overlap.both, overlap.either)

    def containment(self, other: "ModM") -> Estimate:
        """An unbiased estimate of the share of this set that ``other`` holds."""
        overlap = self._overlap(other)
        return Estimate.of(overlap.both, overlap.first)

    def _overlap(self, other: "ModM") -> Overlap:
        self.require_alike(other)
        coarser = max(self.modulus, other.modulus)
        return compare_samples(self.at_modulus(coarser), other.at_modulus(coarser))

    def _take(self, elements: NDArray[np.uint64]) -> None:
        values = hash_values(elements, one_function(self.seed))
        self.values = np.union1d(self.values, values[values % np.uint64(self.modulus) == 0])

    def _join(self, other: "ModM") -> None:
        self.num_hashes = max(self.modulus, other.modulus)
        self.values = np.union1d(self.at_modulus(self.modulus), other.at_modulus(self.modulus))

    def _holds_together(self) -> bool:
        return is_ascending(self.values) and not (self.values % np.uint64(self.modulus)).any()
