"""Ranges of keys: the records of a band that one task joins, where there are too many for one."""

import numpy as np

from ibidem.hashing import GOLDEN
from ibidem.reuse.records.records import Records

__all__ = ["select_range"]

_SHIFT = np.uint64(20)
"""The first bits of a key's product say which part of a join it is in; these are others."""


def select_range(records: Records, number: int, ranges: int) -> Records:
    """The records whose keys lie in range ``number`` of so many."""
    if ranges == 1:
        return records
    of = ((records.keys * GOLDEN) >> _SHIFT) % np.uint64(ranges)
    return records.take(np.flatnonzero(of == np.uint64(number)))
