"""Two passages cut into runs of words: equal, changed, inserted, dropped, moved."""

from itertools import zip_longest
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.comparison.correspondence import Correspondence, blocks_of
from ibidem.comparison.global_alignment import ALONE

Kind = Literal["equal", "changed", "inserted", "dropped", "moved"]

_Range = tuple[int, int]


class TokenRun(NamedTuple):
    """The tokens ``a_first`` to ``a_last`` of one passage, and their counterparts in the other; half open.

    ``equal`` and ``moved`` runs have the same tokens on both sides. ``dropped`` is in the first passage alone and
    ``inserted`` in the second alone; the empty range says where the tokens would be.
    """

    kind: Kind
    a_first: int
    a_last: int
    b_first: int
    b_last: int


def cut_runs(correspondence: Correspondence, b_length: int) -> list[TokenRun]:
    """Runs that hold each token of ``a`` once and each of the ``b_length`` tokens of ``b`` once, by place in ``a``."""
    partners, moved = correspondence
    moved_in_b = np.zeros(b_length, np.bool_)
    moved_in_b[partners[moved]] = True
    runs = [_run("moved", block.a_first, block.b_first, block.length) for block in blocks_of(_only(partners, moved))]
    a_at, b_at = 0, 0
    for a_first, b_first, length in blocks_of(_only(partners, ~moved)):
        runs += _between((a_at, a_first), (b_at, b_first), moved, moved_in_b)
        runs.append(_run("equal", a_first, b_first, length))
        a_at, b_at = a_first + length, b_first + length
    runs += _between((a_at, len(partners)), (b_at, b_length), moved, moved_in_b)
    return sorted(runs, key=lambda run: (run.a_first, run.a_last, run.b_first))


def _only(partners: NDArray[np.int64], selected: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.where(selected, partners, ALONE)


def _run(kind: Kind, a_first: int, b_first: int, length: int) -> TokenRun:
    return TokenRun(kind, a_first, a_first + length, b_first, b_first + length)


def _between(a: _Range, b: _Range, moved: NDArray[np.bool_], moved_in_b: NDArray[np.bool_]) -> list[TokenRun]:
    """Make runs of the tokens between two equal runs; ``moved`` and ``moved_in_b`` mark the tokens of moved runs."""
    runs = []
    a_end, b_end = a[0], b[0]
    for ours, theirs in zip_longest(_pieces(a, moved), _pieces(b, moved_in_b)):
        kind: Kind = "inserted" if ours is None else "dropped" if theirs is None else "changed"
        ours, theirs = ours or (a_end, a_end), theirs or (b_end, b_end)
        runs.append(TokenRun(kind, *ours, *theirs))
        a_end, b_end = ours[1], theirs[1]
    return runs


def _pieces(whole: _Range, is_moved: NDArray[np.bool_]) -> list[_Range]:
    """The longest ranges within ``whole`` of which nothing is taken."""
    free = np.flatnonzero(~is_moved[whole[0] : whole[1]]) + whole[0]
    if not len(free):
        return []
    breaks = np.flatnonzero(np.diff(free) != 1)
    firsts, lasts = np.append(free[0], free[breaks + 1]), np.append(free[breaks], free[-1])
    return list(zip(firsts.tolist(), (lasts + 1).tolist(), strict=True))
