"""Counting the positions that sets of ranges cover, for many texts at once."""

import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int64]


def count_covered(groups: _Ints, starts: _Ints, ends: _Ints, count: int) -> _Ints:
    """How many positions the union of the ranges of each group holds, int64 [count].

    ``groups``, ``starts`` and ``ends`` are int64 [N]; ranges are half open, and an empty one holds nothing. One sweep
    in the order of starts: a range adds what lies beyond the furthest end so far.

    >>> count_covered(np.array([0, 0, 1]), np.array([0, 2, 5]), np.array([4, 6, 8]), 3).tolist()
    [6, 3, 0]
    """
    if not len(groups):
        return np.zeros(count, np.int64)
    order = np.lexsort((starts, groups))
    groups = groups[order]
    # Groups are laid one after the other on one line, so that an end of one is before every start of the next.
    offset = groups * int(ends.max() - starts.min() + 1)
    starts, ends = starts[order] + offset, ends[order] + offset
    furthest = np.maximum.accumulate(ends)
    before = np.concatenate((starts[:1], furthest[:-1]))
    new_positions = np.maximum(0, ends - np.maximum(starts, before))
    total = np.zeros(count, np.int64)
    np.add.at(total, groups, new_positions)
    return total


def count_shared(
    a: tuple[_Ints, _Ints, _Ints], b: tuple[_Ints, _Ints, _Ints], count: int
) -> tuple[_Ints, _Ints, _Ints]:
    """Of each group, the positions that both cover, that ``a`` covers and that ``b`` covers; int64 [count] each.

    ``a`` and ``b`` are groups, starts and ends.
    """
    in_a, in_b = count_covered(*a, count), count_covered(*b, count)
    groups, starts, ends = (np.concatenate(parts) for parts in zip(a, b, strict=True))
    return in_a + in_b - count_covered(groups, starts, ends, count), in_a, in_b
