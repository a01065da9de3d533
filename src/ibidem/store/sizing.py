"""How large segments get: as many tokens as memory allows, and when small ones are merged.

A search reads every segment, so many small ones cost more than one large one.
"""

from collections import defaultdict
from collections.abc import Sequence

from ibidem.store.segments.segment import Segment

TOKEN_BYTES = 8
"""Memory that a token of a segment takes while the segment is built, where nothing else is said."""

TIER_RATIO = 8
"""Segments of one tier differ in size by less than this; as many of them become one of the next tier."""


def segment_tokens(memory: int, token_bytes: int = TOKEN_BYTES) -> int:
    """The most tokens of a segment that is built within ``memory`` bytes, of which each takes ``token_bytes``."""
    return min(2**32 - 1, memory // token_bytes)


def crowded_segments(segments: Sequence[Segment], most_tokens: int) -> list[Segment]:
    """The segments of the smallest tier that holds ``TIER_RATIO`` of them, in order; none if no tier does.

    Segments that have more than ``most_tokens`` together would not become one, so they are left. A token is so written
    again once for each tier that it passes, a logarithm of the collection's size in all.
    """
    tiers: defaultdict[int, list[Segment]] = defaultdict(list)
    for segment in segments:
        tiers[_tier(segment.num_tokens)].append(segment)
    crowded_tiers = (tiers[tier] for tier in sorted(tiers) if len(tiers[tier]) >= TIER_RATIO)
    return next((tier for tier in crowded_tiers if sum(segment.num_tokens for segment in tier) <= most_tokens), [])


def _tier(size: int) -> int:
    tier = 0
    while size >= TIER_RATIO:
        size //= TIER_RATIO
        tier += 1
    return tier
