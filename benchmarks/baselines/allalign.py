"""AllAlign: partition a text by splitting it at its smallest hash value (Section 6 of the paper).

The paper describes it as the greedy rival for multisets, after Feng and Deng, "Allign: Aligning All-Pair
Near-Duplicate Passages in Long Texts" (SIGMOD 2021). A rectangle ``[a, b] × [a, c]`` holds the passages that start in
``[a, b]`` and end at ``c`` or before. The keys of the smallest hash value of T[a, c] cut it into compact windows and
smaller rectangles of the same shape.

A key is the first of the smallest hash value in the same passages here as in MonoActive. These form a staircase, which
MonoActive cuts into one window a step, the fewest possible; AllAlign may cut it further, and never gives fewer windows.
"""

import numpy as np
import numpy.typing as npt

from baselines.monoall import in_visiting_order, occurrences
from baselines.notation import CompactWindow, HashFunction, Key, Text, hash_function, to_windows
from ibidem.sketches.families import ActiveValues
from ibidem.sketches.windows.windows import Windows

__all__ = ["allalign", "min_keys", "partition"]


def partition(ids: npt.NDArray[np.int32], values: ActiveValues) -> Windows:
    """The windows of dense token ``ids`` [n]; ``values`` are all hash values or the active ones alone."""
    T = ids.tolist()
    return to_windows(T, values, allalign(T, hash_function(values)))


def allalign(T: Text, h: HashFunction) -> list[CompactWindow]:
    """A partition of ``T``; the recursion, which can be as deep as ``T`` is long, is a stack of rectangles.

    >>> h = {("A", 1): 5, ("A", 2): 3, ("B", 1): 4}
    >>> [(w.s.v, *w[1:]) for w in allalign("ABA", h)]
    [(3, 1, 1, 3, 3), (4, 2, 2, 2, 3), (5, 3, 3, 3, 3), (4, 1, 1, 2, 2), (5, 1, 1, 1, 1)]
    """
    P = []
    rectangles = [(1, len(T), len(T))]
    while rectangles:
        a, b, c = rectangles.pop()
        if not a <= b <= c:
            continue
        K = min_keys(T, h, a, c)
        for s in K:
            if s.p < a or a > b:  # inside a window already, or right of the rectangle
                continue
            P.append(CompactWindow(s, a, min(s.p, b), s.q, c))
            rectangles.append((a, min(s.p, b, s.q - 1), s.q - 1))
            a = s.p + 1
        if K:
            rectangles.append((a, b, c))
    return P


def min_keys(T: Text, h: HashFunction, a: int, c: int) -> list[Key]:
    """The keys of T[a, c] whose hash value is its min-hash, from left to right; a scan of T[a, c]."""
    A = {t: [a + i - 1 for i in positions] for t, positions in occurrences(T[a - 1 : c]).items()}
    elements = [(t, x) for t, positions in A.items() for x in range(1, len(positions) + 1) if (t, x) in h]
    v = min((h[element] for element in elements), default=-1)
    lowest = [(t, x) for t, x in elements if h[t, x] == v]
    return in_visiting_order(Key(A[t][i], A[t][i + x - 1], x, v) for t, x in lowest for i in range(len(A[t]) - x + 1))
