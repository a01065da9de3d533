"""Records of one key, brought together."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.records.records import Records
from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import kernel

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]


class Groups(NamedTuple):
    """The records of which another one has the key, by keys.

    Attributes:
        runs: int64 [N, 2], first and last of the starts of windows, half open.
        bounds: int64 [G + 1], the runs of group ``g`` are ``runs[bounds[g] : bounds[g + 1]]``, by their starts.
    """

    runs: _Ints
    bounds: _Ints


def group_records(records: Records) -> Groups:
    """Bring records of one key together. Groups are in the order of their first starts; most records are in none."""
    if (records.starts[1:] < records.starts[:-1]).any():
        records = records.take(np.argsort(records.starts, kind="stable"))
    bits = max(1, (2 * len(records.keys)).bit_length())
    firsts, sizes = np.empty(len(records.keys), np.int32), np.zeros(len(records.keys), np.int32)
    groups, members = _find_firsts(records.keys, np.full(1 << bits, -1, np.int32), np.uint64(64 - bits), firsts, sizes)
    runs, bounds = np.empty((members, 2), np.int64), np.zeros(groups + 1, np.int64)
    _fill_groups(records.starts, records.ends, firsts, sizes, runs, bounds)
    return Groups(runs, bounds)


@kernel
def _find_firsts(
    keys: npt.NDArray[np.uint64], table: _Ids, shift: np.uint64, firsts: _Ids, sizes: _Ids
) -> tuple[int, int]:
    """For each record, set the first one of its key, and there their number; return how many groups and members exist.

    ``table`` int32 [2^b], filled with -1, has the first record of a key at ``mix64(key) >> shift``, ``64 - b``, or
    behind that.
    """
    groups, members, last = 0, 0, table.shape[0] - 1
    for r in range(keys.shape[0]):
        key = keys[r]
        slot = np.int64(mix64(key + GOLDEN) >> shift)
        while table[slot] >= 0 and keys[table[slot]] != key:
            slot = (slot + 1) & last
        if table[slot] < 0:
            table[slot] = r
        first = table[slot]
        firsts[r] = first
        sizes[first] += 1
        if sizes[first] == 2:
            groups += 1
            members += 1
        if sizes[first] > 1:
            members += 1
    return groups, members


@kernel
def _fill_groups(starts: _Ints, ends: _Ints, firsts: _Ids, sizes: _Ids, runs: _Ints, bounds: _Ints) -> None:
    """Fill ``runs`` and ``bounds``, of groups in the order of their first records; ``sizes`` are used up."""
    group = 0
    for r in range(starts.shape[0]):
        if firsts[r] == r and sizes[r] > 1:
            bounds[group + 1] = bounds[group] + sizes[r]
            sizes[r] = -group - 1
            group += 1
    group_ends = bounds[:-1].copy()
    for r in range(starts.shape[0]):
        group = -sizes[firsts[r]] - 1
        if group >= 0:
            runs[group_ends[group], 0], runs[group_ends[group], 1] = starts[r], ends[r]
            group_ends[group] += 1
