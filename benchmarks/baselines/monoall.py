"""MonoAll: monotonic partitioning over all keys of a text (Algorithms 3 and 4, Sections 4.1 and 4.2 of the paper).

Keys are visited in ascending order of their hash values. The passages that hold a key but none visited before have
its hash value as their min-hash (Lemma 3). What was visited is bounded by a staircase, the skyline, and each step that
a key adds to it is one compact window.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable

import numpy as np
import numpy.typing as npt

from baselines.notation import CompactWindow, HashFunction, Key, Text, dominates, hash_function, to_windows
from ibidem.sketches.families import ActiveValues
from ibidem.sketches.windows.windows import Windows

__all__ = ["generate_keys", "in_visiting_order", "monotonic_partitioning", "occurrences", "partition"]


def partition(ids: npt.NDArray[np.int32], values: ActiveValues, *, by_frequency: bool = False) -> Windows:
    """The windows of dense token ``ids`` [n]; ``values`` are the hash values at all frequencies, active or not.

    ``by_frequency`` is the order of ties: see :func:`in_visiting_order`.
    """
    T = ids.tolist()
    K = generate_keys(T, hash_function(values))
    return to_windows(T, values, monotonic_partitioning(K, len(T), by_frequency=by_frequency))


def occurrences(T: Text) -> dict[Hashable, list[int]]:
    """The positions of each token, from 1 (Algorithm 3, Lines 1 to 4)."""
    A: dict[Hashable, list[int]] = {}
    for i, t in enumerate(T, start=1):
        A.setdefault(t, []).append(i)
    return A


def generate_keys(T: Text, h: HashFunction) -> list[Key]:
    """All keys of ``T``: one for every pair of positions of one token (Algorithm 3).

    >>> generate_keys("ABA", {("A", 1): 5, ("A", 2): 3, ("B", 1): 4})
    [Key(p=1, q=1, x=1, v=5), Key(p=1, q=3, x=2, v=3), Key(p=3, q=3, x=1, v=5), Key(p=2, q=2, x=1, v=4)]
    """
    K = []
    for t, A in occurrences(T).items():
        for i in range(len(A)):
            for j in range(i, len(A)):
                x = j - i + 1
                if (t, x) in h:
                    K.append(Key(A[i], A[j], x, h[t, x]))
    return K


def in_visiting_order(K: Iterable[Key], *, by_frequency: bool = False) -> list[Key]:
    """``K`` by hash value, then by right end; with ``by_frequency``, of equal values the higher frequency first.

    The paper leaves the order of ties open, or visits the higher frequency first where consistent weighted sampling
    gives one value to several frequencies of a token (Section 5): that is ``by_frequency``. Then a key that is not
    active can enter the skyline, against Lemma 8. From left to right it cannot: a key inside it, with the same start,
    comes before it. Both orders make a partition; that by frequency has as many windows of all keys or more, and the
    same number of active keys.

    >>> K = generate_keys("AA", {("A", 1): 5, ("A", 2): 5})
    >>> [s[:2] for s in in_visiting_order(K)]
    [(1, 1), (1, 2), (2, 2)]
    >>> [s[:2] for s in in_visiting_order(K, by_frequency=True)]
    [(1, 2), (1, 1), (2, 2)]
    """
    return sorted(K, key=lambda s: (s.v, -s.x if by_frequency else 0, s.q))


def monotonic_partitioning(K: Iterable[Key], n: int, *, by_frequency: bool = False) -> list[CompactWindow]:
    """A partition of a text of ``n`` tokens from its keys ``K`` (Algorithm 4).

    Line 10 of the paper prints ``a ← S[k].x``; its Example 10 and its Lemma 14 have ``S[k].x + 1``, as here.

    >>> K = generate_keys("ABA", {("A", 1): 5, ("A", 2): 3, ("B", 1): 4})
    >>> [(w.s.v, *w[1:]) for w in monotonic_partitioning(K, 3)]
    [(3, 1, 1, 3, 3), (4, 1, 2, 2, 2), (4, 2, 2, 3, 3), (5, 1, 1, 1, 1), (5, 3, 3, 3, 3)]
    """
    P = []
    S = [(0, 0), (n + 1, n + 1)]
    for s in in_visiting_order(K, by_frequency=by_frequency):
        b, c = s.p, s.q
        nearest = S[bisect_right(S, c, key=_y) - 1]
        if dominates(nearest, (b, c)):
            continue
        i = bisect_left(S, c, key=_y) - 1
        j = bisect_right(S, b, key=_x)
        c_ = c
        for k in range(i, j):
            a, d = S[k][0] + 1, S[k + 1][1] - 1
            if a <= b and c_ <= d:
                P.append(CompactWindow(s, a, b, c_, d))
            c_ = S[k + 1][1]
        S[i + 1 : j] = [(b, c)]
    return P


def _x(s: tuple[int, int]) -> int:
    return s[0]


def _y(s: tuple[int, int]) -> int:
    return s[1]
