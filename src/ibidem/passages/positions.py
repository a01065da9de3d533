"""Postings of the exact scheme: for every token the positions at which it stands.

A key is a token, and a posting a position in the segment's token stream: four bytes a token, and no hash function.
"""

from collections.abc import Callable

import numpy as np

from ibidem.passages.ordering import stable_order
from ibidem.store.segment_writer import SegmentWriter

__all__ = ["write_positions"]


def write_positions(segment: SegmentWriter, progress: Callable[[int], None]) -> int:
    """Write the positions of all tokens of a segment whose documents are written; returns how many there are."""
    tokens, _ = segment.tokens()
    keys, starts = stable_order(tokens)
    segment.append_postings(keys, starts, np.empty((len(keys), 0), np.uint16))
    progress(len(keys))
    return len(keys)
