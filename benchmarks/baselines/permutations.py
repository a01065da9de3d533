"""Signatures under permutations that the user gives, as a course would do them by hand.

A set is given by the numbers of its rows in a table of all shingles. Under a permutation, its min-hash is the smallest
number that one of its rows has there. Gambosi's course *Near duplicate detection* (University of Rome Tor Vergata,
after slides by Manning and Schütze) keeps one slot for each set and permutation, and lowers it row by row.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Permutation = Sequence[int] | NDArray[np.integer] | Callable[[int], int]
"""A list [rows], or a function of a number from 0, such as ``lambda x: (2 * x + 1) % 5``."""

NOTHING = -1
"""In the slot of a set of which no row was met: the course's infinity."""


def permuted_signatures(
    sets: Sequence[Iterable[int]],
    permutations: Sequence[Permutation],
    rows: int,
    by: Literal["number", "order"] = "number",
) -> NDArray[np.int64]:
    """The signatures of sets of rows, int64 [permutations, sets]; ``-1`` for a set without a row.

    Args:
        sets: the rows of each set, from 0.
        permutations: what to permute by.
        rows: how many rows there are.
        by: ``"number"`` if a permutation gives the number of each row; ``"order"`` if it gives, for each number, the
        row
            that has it: the order in which rows are visited.

    Raises:
        ValueError: a row out of range, or a permutation that is none of the rows.

    >>> one, other = {0, 2, 3}, {0, 2, 4}
    >>> permuted_signatures([one, other], [lambda x: x % 5, lambda x: (2 * x + 1) % 5], rows=5, by="order").tolist()
    [[0, 0], [1, 2]]
    """
    nothing = np.full((len(permutations), len(sets)), NOTHING, np.int64)
    *_, last = nothing, *signature_steps(sets, permutations, rows, by)
    return last


def signature_steps(
    sets: Sequence[Iterable[int]],
    permutations: Sequence[Permutation],
    rows: int,
    by: Literal["number", "order"] = "number",
) -> Iterator[NDArray[np.int64]]:
    """The slots after each step, int64 [permutations, sets]: a step looks at one row under each permutation."""
    if by not in ("number", "order"):
        raise ValueError(f"a permutation is by number or by order, not by {by!r}")
    values = np.array([_values(permutation, rows) for permutation in permutations], np.int64).reshape(-1, rows)
    has_row = _table(sets, rows)
    slots = np.full((len(permutations), len(sets)), NOTHING, np.int64)
    for step in range(rows):
        looked_at = has_row[values[:, step]] if by == "order" else has_row[np.full(len(values), step)]
        number = step if by == "order" else values[:, step, None]
        slots = np.where(looked_at & ((slots == NOTHING) | (number < slots)), number, slots)
        yield slots


def _table(sets: Sequence[Iterable[int]], rows: int) -> NDArray[np.bool_]:
    """Which set has which row, bool [rows, sets]."""
    has_row = np.zeros((rows, len(sets)), np.bool_)
    for column, members in enumerate(sets):
        members_in_order = np.array(sorted(members), np.int64)
        if len(members_in_order) and not 0 <= members_in_order[0] <= members_in_order[-1] < rows:
            raise ValueError(
                f"rows are numbered from 0 to {rows - 1}, not {members_in_order[0]} to {members_in_order[-1]}"
            )
        has_row[members_in_order, column] = True
    return has_row


def _values(permutation: Permutation, rows: int) -> list[int]:
    values = [int(permutation(row)) for row in range(rows)] if callable(permutation) else [int(n) for n in permutation]
    if sorted(values) != list(range(rows)):
        raise ValueError(f"a permutation of {rows} rows has each number from 0 to {rows - 1} once, not {values}")
    return values
