"""Whether windows that were read from an index lie in its documents: kernels count with their ends without looking.

A checksum does not show who wrote a posting, so postings are checked whenever a search reads them.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel


@kernel
def find_window_outside(
    starts: npt.NDArray[np.uint32], extents: npt.NDArray[Any], bounds: npt.NDArray[np.int64]
) -> np.int64:
    """The first window that ends behind the document in which it starts; the number of windows if there is none.

    Args:
        starts: uint32 [P], positions of tokens, below ``bounds[-1]``.
        extents: uint16 [P, 3], which lead from the start of a window to its last end.
        bounds: int64 [D + 1], where each document begins.
    """
    begin, end = np.int64(0), np.int64(0)
    for posting in range(starts.shape[0]):
        start = np.int64(starts[posting])
        if not begin <= start < end:  # starts ascend, so most are of the document of the one before
            document = np.searchsorted(bounds, start, "right")
            begin, end = bounds[document - 1], bounds[document]
        last = start + np.int64(extents[posting, 0]) + np.int64(extents[posting, 1]) + np.int64(extents[posting, 2])
        if last >= end:
            return np.int64(posting)
    return np.int64(starts.shape[0])
