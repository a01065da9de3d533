"""When segments are merged: a search reads every segment, so many small ones cost more than one large one."""

from collections import defaultdict
from collections.abc import Sequence

from ibidem.store import Segment

__all__ = ["crowded_segments"]

TIER_RATIO = 8
"""Segments of one tier differ in size by less than this; as many of them become one of the next tier."""


def crowded_segments(segments: Sequence[Segment]) -> list[Segment]:
    """The segments of the smallest tier that holds ``TIER_RATIO`` of them, in order; none if no tier does.

    A token is so written again once for each tier that it passes, a logarithm of the collection's size in all.
    """
    tiers: defaultdict[int, list[Segment]] = defaultdict(list)
    for segment in segments:
        tiers[_tier(segment.num_tokens)].append(segment)
    return next((tiers[tier] for tier in sorted(tiers) if len(tiers[tier]) >= TIER_RATIO), [])


def _tier(size: int) -> int:
    tier = 0
    while size >= TIER_RATIO:
        size //= TIER_RATIO
        tier += 1
    return tier
