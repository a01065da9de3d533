"""What two samples have in common: the step that all sketches made of hash values share."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem._jit import kernel

__all__ = ["Overlap", "overlap"]


class Overlap(NamedTuple):
    """Numbers of values: in the first sample, in both, and in either."""

    first: int
    both: int
    either: int


def overlap(a: NDArray[np.uint64], b: NDArray[np.uint64], most: int | None = None) -> Overlap:
    """Compare two samples, ascending and without repeated values, over the ``most`` smallest values of their union."""
    return Overlap(*_merged(a, b, len(a) + len(b) if most is None else most))


@kernel
def _merged(a: Any, b: Any, most: Any) -> Any:
    i = j = first = both = either = 0
    while either < most and (i < a.shape[0] or j < b.shape[0]):
        in_a = j == b.shape[0] or (i < a.shape[0] and a[i] <= b[j])
        in_b = i == a.shape[0] or (j < b.shape[0] and b[j] <= a[i])
        i, j = i + in_a, j + in_b
        first, both, either = first + in_a, both + (in_a and in_b), either + 1
    return first, both, either
