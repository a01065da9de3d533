"""Limits of a sweep: the bounds of the search, and the place of one sweep among all of them."""

import math
import sys
from typing import NamedTuple

from ibidem.passages.query.execution import Execution

CLUSTER_EVENTS = 4096
"""A cluster ends after this many events, so that its tree fits the cache. Open windows begin again in the next one."""

# The part of its allowance that a sweep may take before its cost is compared with its progress.
_AT_ONCE = 0.03


class SweepPart(NamedTuple):
    """The place of a sweep among those of a search, each of which takes the starts behind those of the one before.

    Attributes:
        start: the part of all work that the sweeps before have done, from 0 to 1.
        size: the part of all work that this one does.
        areas_before: what the sweeps before have found.
        last_end: the furthest end of the passages that they have found, or -1.
    """

    start: float
    size: float
    areas_before: int = 0
    last_end: int = -1


ALL = SweepPart(start=0.0, size=1.0)
"""The only sweep of a search."""


class SweepLimits(NamedTuple):
    """The passages that a sweep reports, and when it ends.

    Attributes:
        min_length, max_length: tokens of a passage.
        cluster: events of a cluster.
        most: what all sweeps of the search may find.
        steps: the steps that they may take.
        steps_before: the steps that those before have taken.
        at_once: the part of ``most`` and ``steps`` that may be used however far the sweep has come.
    """

    min_length: int
    max_length: int
    cluster: int
    most: int
    steps: float
    steps_before: float
    at_once: float


def limit_sweep(lengths: tuple[int, int], execution: Execution | None) -> SweepLimits:
    """The limits of a sweep for passages of so many tokens; without ``execution`` it has no bounds."""
    is_bounded = execution is not None and math.isfinite(execution.allowed)
    return SweepLimits(
        min_length=lengths[0],
        max_length=lengths[1],
        cluster=CLUSTER_EVENTS,
        most=execution.most_areas if execution else sys.maxsize,
        steps=execution.allowed if execution else math.inf,
        steps_before=execution.allowed - execution.left if execution and is_bounded else 0.0,
        at_once=1.0 if execution and execution.is_in_part else _AT_ONCE,
    )
