"""Ranges of hashes: the parts in which tasks take what belongs together, wherever in a collection it is.

The task of each part of an input leaves hashes in ascending order. The task of a range finds its own in the outputs of
all parts.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class HashRange(NamedTuple):
    """The hashes of 64 bits from ``low`` on and below ``high``; all of them if nothing else is said."""

    low: int = 0
    high: int = 1 << 64

    def cut(self, count: int) -> "list[HashRange]":
        """The range in so many parts.

        >>> [hex(each.low) for each in HashRange().cut(4)]
        ['0x0', '0x4000000000000000', '0x8000000000000000', '0xc000000000000000']
        """
        edges = [self.low + number * (self.high - self.low) // count for number in range(count + 1)]
        return [HashRange(low, high) for low, high in pairwise(edges)]

    def find(self, hashes: NDArray[np.uint64]) -> slice:
        """The part of ``hashes``, ascending, that is in the range."""
        begin = int(np.searchsorted(hashes, np.uint64(self.low)))
        end = len(hashes) if self.high >> 64 else int(np.searchsorted(hashes, np.uint64(self.high)))
        return slice(begin, end)
