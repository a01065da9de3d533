"""MonoActive: monotonic partitioning over the active keys alone (Algorithms 5 and 4, Section 4.3 of the paper).

A hash value h(t, x) can be a min-hash only if it is below all of h(t, 1) to h(t, x - 1): it is *active*. The windows
are those of MonoAll (Lemma 15), from n + n ln f instead of n f keys in expectation.
"""

import math

import numpy as np
import numpy.typing as npt

from baselines.monoall import monotonic_partitioning, occurrences
from baselines.notation import HashFunction, Key, Text, hash_function, to_windows
from ibidem.sketches.families import ActiveValues
from ibidem.sketches.windows.windows import Windows

__all__ = ["generate_active_keys", "partition"]


def partition(ids: npt.NDArray[np.int32], values: ActiveValues, *, by_frequency: bool = False) -> Windows:
    """The windows of dense token ``ids`` [n]; ``values`` are all hash values or the active ones alone.

    ``by_frequency`` is the order of ties: see :func:`baselines.monoall.in_visiting_order`.
    """
    T = ids.tolist()
    X = generate_active_keys(T, hash_function(values))
    return to_windows(T, values, monotonic_partitioning(X, len(T), by_frequency=by_frequency))


def generate_active_keys(T: Text, h: HashFunction) -> list[Key]:
    """X(T), the keys of ``T`` whose hash values are active (Algorithm 5).

    >>> generate_active_keys("AAA", {("A", 1): 5, ("A", 2): 8, ("A", 3): 2})  # h(A, 2) is not active
    [Key(p=1, q=1, x=1, v=5), Key(p=2, q=2, x=1, v=5), Key(p=3, q=3, x=1, v=5), Key(p=1, q=3, x=3, v=2)]
    """
    K: list[Key] = []
    for t, A in occurrences(T).items():
        min_key: float = math.inf
        for x in range(1, len(A) + 1):
            v = h.get((t, x), math.inf)
            if min_key > v:
                min_key = v
                K.extend(Key(A[i], A[i + x - 1], x, h[t, x]) for i in range(len(A) - x + 1))
    return K
