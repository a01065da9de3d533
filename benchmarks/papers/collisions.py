"""The time of a query in one text whose windows are at hand: collect those that collide, then scan or sweep them.

*scan* is Algorithm 3 of the paper on one permutation hashing, without its optimisations; *sweep* is the plane sweep of
section 3.2 of the weighted paper, with a segment tree over the ends of passages. Both find all near-duplicates.
"""

import math
import time
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from partitions import ALGORITHMS, Workload

from baselines.interval_scan import jitted_scan
from ibidem.hashing import function_seeds
from ibidem.sketches import kmins
from ibidem.sketches.families import Family
from ibidem.sketches.index.collided_windows import WindowSet
from ibidem.sketches.index.sweep import sweep_rectangles
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import prepare_tokens

__all__ = ["QUERIED", "scan", "sweep", "time_queries"]

QUERIED = 2
"""Texts of a workload in which queries are asked."""

_UNBOUNDED = 1 << 30

Ids = npt.NDArray[np.uint32]
Way = Callable[[WindowSet, int], object]


def scan(windows: WindowSet, least: int) -> object:
    return jitted_scan(windows, least, longest=False, ordered=False)


def sweep(windows: WindowSet, least: int) -> object:
    return sweep_rectangles(windows, least, (1, _UNBOUNDED))


def time_queries(
    workload: Workload, family: Family, queries: list[Ids], name: str, threshold: float, ways: Sequence[Way]
) -> list[float]:
    """Mean milliseconds, of the processor, of a query in a text whose windows algorithm ``name`` makes, by each way."""
    seeds = function_seeds(0, workload.functions)
    keys = [kmins.sketch(family, query, seeds) for query in queries]
    seconds = [0.0] * len(ways)
    for text in workload.texts[:QUERIED]:
        stream = prepare_tokens(text)
        partitions = [ALGORITHMS[name](stream, family, seed) for seed in seeds]
        for way in ways:
            _find_near_duplicates(partitions, keys[0], threshold, way)  # compiles
        for wanted in keys:
            for at, way in enumerate(ways):
                start = time.thread_time()
                _find_near_duplicates(partitions, wanted, threshold, way)
                seconds[at] += time.thread_time() - start
    return [1e3 * each / len(keys) / len(workload.texts[:QUERIED]) for each in seconds]


def _find_near_duplicates(partitions: list[Windows], wanted: npt.NDArray[np.int64], threshold: float, way: Way) -> None:
    """All near-duplicates of a query among the windows of each function."""
    held = [np.flatnonzero(windows.keys == key) for windows, key in zip(partitions, wanted, strict=True)]
    columns = [
        np.concatenate([column[chosen].astype(np.int64) for column, chosen in zip(columns, held, strict=True)])
        for columns in zip(*(windows[1:] for windows in partitions), strict=True)
    ]
    least = math.ceil(threshold * len(partitions))
    if len(columns[0]) >= least:
        way(WindowSet(*columns, np.ones(len(columns[0]), np.int64)), least)
