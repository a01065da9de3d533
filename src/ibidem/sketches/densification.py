"""One permutation signatures, and the filling of their empty bins.

One hash function serves for k values: its range is cut into k bins, and each bin keeps the smallest hash value in it
(Li, Owen, Zhang, NIPS 2012). That costs O(n + k) for a set of n elements, where k functions cost O(n k). A small set
leaves bins empty, and an empty bin agrees with nothing, so bands of such values miss similar sets. *Optimal
densification* (Shrivastava, ICML 2017) fills each: a fixed random sequence of bins, another for every bin, is followed
to the first bin that is not empty, whose value is taken over. Two sets then agree in every place with a probability
equal to their resemblance.

**Variance.** Let ``m`` of the ``k`` bins hold a value of either set. A filled place repeats one of ``m`` values, and
which one is chosen independently, so the share of places that agree has the variance of a mean of ``1 / S`` values,

    J (1 - J) (S - (1 - S) / (n - 1))    with    S = 1 / m + (1 - 1 / m) (k - m) / k^2

where ``n`` is the number of elements of the union, and the second term is there because no element is in two bins.
With no empty bin that is less than the ``J (1 - J) / k`` of k independent functions, and with many it is about that of
the ``m`` values there are. Filling from the next bin to the right, as was done before, repeats one value over a whole
run of empty bins and scatters more. Where no bands are needed, the ``m`` bins themselves are compared: ``S`` is then
``1 / m``.

**Time.** An empty bin tries ``k / m`` others on average: O(n + k) in all from as many elements as bins on, and at
most ``k^2`` steps for a set of one element.
"""

import numpy as np
from numpy.typing import NDArray

from ibidem.hashing import GOLDEN, mix64, spread
from ibidem.kernels import kernel
from ibidem.sketches.estimates import Estimate
from ibidem.sketches.sketches import EMPTY, Sketch, one_function


class OnePermutation(Sketch):
    """Keeps the smallest hash value in each of ``num_hashes`` bins; ``signature`` has the empty ones filled.

    >>> a, b = OnePermutation.of(range(0, 900)), OnePermutation.of(range(100, 1000))
    >>> a.resemblance(b)  # 0.8
    0.8203125
    """

    kind = 5

    def __init__(self, num_hashes: int = 128, seed: int = 0) -> None:
        super().__init__(num_hashes, seed)

    def resemblance(self, other: "OnePermutation") -> Estimate:
        """The share, of the bins that hold a value of either set, of those that agree: unbiased (Li et al. 2012)."""
        self.require_alike(other)
        is_full = (self.values != EMPTY) | (other.values != EMPTY)
        agreeing = np.count_nonzero(is_full & (self.values == other.values))
        return (
            Estimate.of(int(agreeing), int(np.count_nonzero(is_full)))
            if is_full.any()
            else Estimate(1.0, self.num_hashes)
        )

    @property
    def signature(self) -> NDArray[np.uint64]:
        """The values with every empty bin filled, uint64 [num_hashes], for bands; all ``EMPTY`` for an empty set."""
        return fill_empty_bins(self.values, self.seed)

    def _make_empty(self) -> NDArray[np.uint64]:
        return np.full(self.num_hashes, EMPTY)

    def _take(self, elements: NDArray[np.uint64]) -> None:
        _lower_bins(self.values, elements, one_function(self.seed))

    def _join(self, other: "OnePermutation") -> None:
        np.minimum(self.values, other.values, out=self.values)

    def _holds_together(self) -> bool:
        if len(self.values) != self.num_hashes:
            return False
        full_bins = np.flatnonzero(self.values != EMPTY)
        return bool(
            (
                ((self.values[full_bins] >> np.uint64(32)) * np.uint64(self.num_hashes)) >> np.uint64(32) == full_bins
            ).all()
        )


def fill_empty_bins(bins: NDArray[np.uint64], seed: int = 0) -> NDArray[np.uint64]:
    """The values of ``bins`` [k] with those that are ``EMPTY`` taken from others, uint64 [k].

    Signatures agree as the sets do if their bins were filled under one ``seed``. If all are empty they stay so.
    """
    values: NDArray[np.uint64] = _fill_empty_bins(bins, one_function(seed))
    return values


@kernel
def _lower_bins(bins: NDArray[np.uint64], elements: NDArray[np.uint64], seed: np.uint64) -> None:
    """Lower the bin of each element's hash value to it: the upper 32 bits, scaled, are the bin."""
    count = np.uint64(bins.shape[0])
    for i in range(elements.shape[0]):
        value = spread(elements[i], seed)
        place = np.int64(((value >> np.uint64(32)) * count) >> np.uint64(32))
        bins[place] = min(bins[place], value)


@kernel
def _fill_empty_bins(bins: NDArray[np.uint64], seed: np.uint64) -> NDArray[np.uint64]:
    count = np.uint64(bins.shape[0])
    values = bins.copy()
    has_value = False
    for place in range(bins.shape[0]):
        has_value = has_value or bins[place] != EMPTY
    for place in range(bins.shape[0]):
        state = mix64(np.uint64(place) ^ seed)
        while has_value and values[place] == EMPTY:
            state = state + GOLDEN
            source = np.int64(((mix64(state) >> np.uint64(32)) * count) >> np.uint64(32))
            values[place] = bins[source]
    return values
