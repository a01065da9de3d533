"""Boxes: the seeds of two documents that stand near each other in both, as one pair of passages to begin from."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel

__all__ = ["PairBoxes", "merge_seeds"]

_Ints = npt.NDArray[np.int64]


class PairBoxes(NamedTuple):
    """Boxes by pairs of documents, in the order of the pairs.

    Attributes:
        pairs: int64 [P, 2], the smaller document first.
        bounds: int64 [P + 1], the boxes of pair ``p`` are ``boxes[bounds[p] : bounds[p + 1]]``.
        boxes: int64 [B, 4], half-open ranges of tokens of the collection, in the first document and in the second.
    """

    pairs: _Ints
    bounds: _Ints
    boxes: _Ints


def merge_seeds(seeds: _Ints, documents: _Ints, gap: int) -> PairBoxes:
    """Join the seeds int64 [S, 4] that lie within ``gap`` tokens of each other in both documents.

    ``documents`` int64 [D + 1] are the bounds of the documents. What comes out does not depend on the order of the
    seeds, and merging what was merged in parts gives the same: boxes near each other are joined until none are.
    """
    while True:
        order = np.lexsort((seeds[:, 3], seeds[:, 1], seeds[:, 2], seeds[:, 0]))
        seeds = seeds[order]
        of = np.searchsorted(documents, seeds[:, [0, 2]], side="right") - 1
        by_pair = np.lexsort((of[:, 1], of[:, 0]))
        seeds, of = seeds[by_pair], of[by_pair]
        merged = _merge(seeds, of, gap)
        if len(merged) == len(seeds):
            break
        seeds = merged
    changed = np.flatnonzero((of[1:] != of[:-1]).any(axis=1)) + 1
    first = np.concatenate([np.zeros(min(len(of), 1), np.int64), changed])
    return PairBoxes(of[first], np.append(first, len(of)), seeds)


@kernel
def _merge(seeds: _Ints, documents: _Ints, gap: int) -> _Ints:
    """One pass over seeds in the order of their pairs of ``documents`` [S, 2], then of their places."""
    merged = seeds.copy()
    dead = np.zeros(seeds.shape[0], np.bool_)
    live = np.empty(seeds.shape[0], np.int64)
    alive = 0
    for x in range(seeds.shape[0]):
        if x > 0 and (documents[x, 0] != documents[x - 1, 0] or documents[x, 1] != documents[x - 1, 1]):
            alive = 0
        kept = 0
        for p in range(alive):
            y = live[p]
            if merged[y, 1] + gap < merged[x, 0]:
                continue  # and so for every later seed
            if merged[y, 2] - gap <= merged[x, 3] and merged[x, 2] <= merged[y, 3] + gap:
                for end in (0, 2):
                    merged[x, end] = min(merged[x, end], merged[y, end])
                    merged[x, end + 1] = max(merged[x, end + 1], merged[y, end + 1])
                dead[y] = True
                continue
            live[kept] = y
            kept += 1
        live[kept] = x
        alive = kept + 1
    return merged[~dead]
