"""k-mins signatures: the smallest hash value of a set under each of k functions (Broder 1997)."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ibidem.hashing import GOLDEN, function_seeds, mix64
from ibidem.kernels import kernel
from ibidem.sketches.estimates import Estimate
from ibidem.sketches.sketches import EMPTY, Sketch


class KMins(Sketch):
    """Keeps the smallest hash value under each of ``num_hashes`` functions: a signature, which can be cut into bands.

    Two signatures agree in a place with a probability equal to the resemblance, independently of the other places, so
    the share of places that agree has the variance ``J (1 - J) / num_hashes``. The functions are those of an index of
    the family ``set`` with the same seed.

    >>> a, b = KMins.of(range(0, 900)), KMins.of(range(100, 1000))
    >>> a.resemblance(b)  # 0.8
    0.8203125
    """

    kind = 4

    def __init__(self, num_hashes: int = 128, seed: int = 0) -> None:
        super().__init__(num_hashes, seed)

    @classmethod
    def with_values(cls, values: NDArray[np.uint64], seed: int = 0) -> "KMins":
        """The sketch that has these values, uint64 [num_hashes].

        Raises:
            ValueError: no set has such values.
        """
        sketch = cls(len(values), seed)
        sketch.values = values.copy()
        if values.ndim != 1 or not sketch._holds_together():
            raise ValueError(f"the values of a signature are those of all its functions or of none, not {values}")
        return sketch

    def resemblance(self, other: "KMins") -> Estimate:
        """The share of the functions that agree."""
        self.require_alike(other)
        return Estimate.of(int(np.count_nonzero(self.values == other.values)), self.num_hashes)

    def is_empty(self) -> bool:
        """Whether the set has no element."""
        return bool((self.values == EMPTY).all())

    def count(self) -> float:
        """An estimate of the number of distinct elements, with a relative error of about ``num_hashes ** -0.5``.

        The smallest of ``n`` uniform values, on the scale of ``-ln(1 - u)``, is exponential with the rate ``n``; the
        estimate is unbiased if ``num_hashes`` is 2 or more.
        """
        if self.is_empty():
            return 0.0
        shares = (self.values >> np.uint64(11)).astype(np.float64) * 2.0**-53 + 2.0**-54
        return float(max(1, self.num_hashes - 1) / -np.log1p(-shares).sum())

    def _make_empty(self) -> NDArray[np.uint64]:
        return np.full(self.num_hashes, EMPTY)

    def _take(self, elements: NDArray[np.uint64]) -> None:
        _lower(self.values, elements, _functions(self.seed, self.num_hashes))

    def _join(self, other: "KMins") -> None:
        np.minimum(self.values, other.values, out=self.values)

    def _holds_together(self) -> bool:
        empty = self.values == EMPTY
        return len(self.values) == self.num_hashes and bool(empty.all() or not empty.any())


@cache
def _functions(seed: int, num_hashes: int) -> NDArray[np.uint64]:
    return function_seeds(seed, num_hashes)


@kernel
def _lower(values: NDArray[np.uint64], elements: NDArray[np.uint64], seeds: NDArray[np.uint64]) -> None:
    """Lower each function's value to the smallest of its hash values of the elements."""
    for i in range(elements.shape[0]):
        base = mix64(elements[i] + GOLDEN)
        for function in range(seeds.shape[0]):
            values[function] = min(values[function], mix64(base ^ seeds[function]))
