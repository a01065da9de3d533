"""How many pairs of runs of windows a band will compare, told from a sample of the collection.

Bands differ a hundredfold: where frequent words come first under all functions of a band, each of their phrases is one
key. So the bands that will be used are looked at, and not any of as many functions.
"""

import numpy as np
from numpy.typing import NDArray

from ibidem.hashing import function_seeds
from ibidem.reuse.bands import Bands, Sample, token_ranks
from ibidem.reuse.records.groups import Groups, group_records
from ibidem.reuse.records.hashing import window_records
from ibidem.reuse.windows import WindowJoin

__all__ = ["expect_candidates"]

_BANDS = 24
"""Bands that are looked at, at most."""

_SURE = 8
"""A key with as many runs in the sample is as frequent as it looks."""


def expect_candidates(sample: Sample, bands: Bands, join: WindowJoin, tokens: int) -> float:
    """The pairs that one of ``bands`` compares, on the average, in a collection of so many ``tokens``."""
    seeds = function_seeds(join.seed, bands.bands * bands.functions).reshape(bands.bands, bands.functions)
    scale = tokens / max(len(sample.tokens), 1)
    return float(np.mean([_expect_pairs(sample, each, bands.window, join.most, scale) for each in seeds[:_BANDS]]))


def _expect_pairs(sample: Sample, seeds: NDArray[np.uint64], window: int, most: int, scale: float) -> float:
    """The pairs that the functions of these ``seeds`` lead to, in a collection so many times as large."""
    ranks = token_ranks(sample.vocabulary, sample.weights, seeds)
    records = window_records(sample.tokens, sample.bounds, ranks, window, 0, len(sample.tokens))
    groups = group_records(records)
    runs = np.diff(groups.bounds)
    pairs = _count_pairs(groups, sample.bounds) * scale**2
    # Of a group with more than ``most`` runs, each is compared with two others. A key that the sample has a few times
    # may be less frequent than that.
    crowded = np.where(runs >= _SURE, 2 * runs * scale, most**2 / 2)
    return float(np.where(runs * scale > most, np.minimum(pairs, crowded), pairs).sum())


def _count_pairs(groups: Groups, bounds: NDArray[np.int64]) -> NDArray[np.float64]:
    """How many pairs of runs of different pieces each group has."""
    sizes = np.diff(groups.bounds)
    of = np.repeat(np.arange(len(sizes)), sizes)
    pieces = np.searchsorted(bounds, groups.runs[:, 0], side="right")
    _, first, held = np.unique(of * (len(bounds) + 1) + pieces, return_index=True, return_counts=True)
    same = np.bincount(of[first], weights=held * (held - 1) / 2, minlength=len(sizes))
    every: NDArray[np.float64] = sizes * (sizes - 1) / 2 - same
    return every
