"""Disjoint sets (union-find) as kernels: which of the numbers 0 to n - 1 belong together.

``parents`` int64 [n] has the parent of each member; the root of a set is its own parent and the smallest member.
``np.arange(n)`` is n sets of one member each. Kernels of other files call these, so this file is one of the frozen
primitives: an edit here needs an empty cache of Numba.
"""

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import kernel


@kernel
def root_of(parents: NDArray[np.int64], member: int) -> int:
    """The root of a member's set; halves the path to it."""
    while parents[member] != member:
        parents[member] = parents[parents[member]]
        member = parents[member]
    return member


@kernel
def join_sets(parents: NDArray[np.int64], a: int, b: int) -> None:
    """Make one set of those of ``a`` and ``b``."""
    root_a, root_b = root_of(parents, a), root_of(parents, b)
    parents[max(root_a, root_b)] = min(root_a, root_b)


@kernel
def join_pairs(parents: NDArray[np.int64], pairs: NDArray[np.int64]) -> None:
    """Make one set of those of both members of each of ``pairs`` [P, 2]."""
    for pair in range(pairs.shape[0]):
        join_sets(parents, pairs[pair, 0], pairs[pair, 1])


@kernel
def roots_of(parents: NDArray[np.int64], members: NDArray[np.int64]) -> NDArray[np.int64]:
    """The root of each of ``members`` [N], int64 [N]."""
    roots = np.empty(members.shape[0], np.int64)
    for i in range(members.shape[0]):
        roots[i] = root_of(parents, members[i])
    return roots


@kernel
def settle(parents: NDArray[np.int64]) -> None:
    """Make every member's parent its root. A parent is never larger, so one pass in ascending order is enough."""
    for member in range(parents.shape[0]):
        parents[member] = parents[parents[member]]
