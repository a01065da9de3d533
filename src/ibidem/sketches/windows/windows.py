"""The value that every partition algorithm returns."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Windows(NamedTuple):
    """Compact windows: window ``w`` holds every passage ``[i, j]`` with ``a <= i <= b`` and ``c <= j <= d``.

    All of them share one min-hash, named by ``key`` (Definition 2 of Zhang et al., PVLDB 2026; positions from 0,
    both ends included). Under one permutation hashing a window of the largest key, 2^32 - 1, is *empty*: it holds
    the passages ``[i, j]`` with ``a <= i <= b`` and ``i <= j <= d`` that have no token in this bin. They end from their
    own start on, not from ``c``, which is ``b`` there.

    Attributes:
        keys: uint32 [W].
        a, b, c, d: int32 [W], token positions with ``a <= b <= c <= d``.
    """

    keys: npt.NDArray[np.uint32]
    a: npt.NDArray[np.int32]
    b: npt.NDArray[np.int32]
    c: npt.NDArray[np.int32]
    d: npt.NDArray[np.int32]
