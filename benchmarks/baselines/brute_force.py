"""The min-hash of every passage by its definition: what every partition is held against."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from baselines.notation import HashFunction, Text
from ibidem.sketches.families import ActiveValues

__all__ = ["MinHashes", "hash_value_set", "min_hash", "min_hashes"]


class MinHashes(NamedTuple):
    """The min-hash of each passage ``[i, j]`` of ``n`` tokens, positions from 0, both ends included.

    Attributes:
        exists: bool [n, n], false below the diagonal and for passages without any hash value.
        rank: uint64 [n, n], the min-hash where it exists.
        key: uint32 [n, n], its identity.
    """

    exists: npt.NDArray[np.bool_]
    rank: npt.NDArray[np.uint64]
    key: npt.NDArray[np.uint32]


def hash_value_set(T: Text, h: HashFunction) -> set[int]:
    """H(T, h): the hash values of ``(t, 1)`` to ``(t, f)`` for each token ``t`` of frequency ``f`` (Definition 5).

    >>> h = {("A", 1): 7, ("A", 2): 2, ("B", 1): 5}
    >>> sorted(hash_value_set("AB", h)), sorted(hash_value_set("ABA", h))
    ([5, 7], [2, 5, 7])
    """
    frequency: dict[object, int] = {}
    hash_values = set()
    for t in T:
        frequency[t] = frequency.get(t, 0) + 1
        if (t, frequency[t]) in h:
            hash_values.add(h[t, frequency[t]])
    return hash_values


def min_hash(T: Text, h: HashFunction) -> int:
    """h(T), the smallest hash value of ``T`` (Equations 1 and 3)."""
    return min(hash_value_set(T, h))


def min_hashes(ids: npt.NDArray[np.int32], values: ActiveValues) -> MinHashes:
    """The min-hash of all passages of dense token ``ids`` [n], from all hash values or the active ones alone.

    Of two tokens with the same rank, the one whose key ends first gives its key. O(n²), one passage after another.
    """
    n = len(ids)
    found = MinHashes(np.zeros((n, n), np.bool_), np.zeros((n, n), np.uint64), np.zeros((n, n), np.uint32))
    for i in range(n):
        frequency = [0] * (len(values.bounds) - 1)
        lowest = -1
        for j in range(i, n):
            t = ids[j]
            frequency[t] += 1
            for v in range(values.bounds[t], values.bounds[t + 1]):
                if values.x[v] == frequency[t] and (lowest < 0 or values.rank[v] < values.rank[lowest]):
                    lowest = v
            if lowest >= 0:
                found.exists[i, j] = True
                found.rank[i, j] = values.rank[lowest]
                found.key[i, j] = values.key[lowest]
    return found
