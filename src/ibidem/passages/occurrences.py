"""The exact scheme: an index of the positions of every token, and the starts of similar passages found in it.

Nothing is hashed and nothing left to chance. Of the query's tokens those are looked up that find the similar passages
with the least work: each position read adds to its block, and the rarer the tokens, the fewer there are.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.passages.overlaps import overlapping_starts
from ibidem.passages.query import Query
from ibidem.passages.rarity import Rare, rare_tokens, rich_blocks, stretches
from ibidem.store.segment import Segment

__all__ = ["occurring_starts"]

SHARE = 1 << 22
"""Tokens whose blocks are counted at a time: as many as a cache holds."""

_FEW = 1 << 17
"""Positions that are counted sooner than a thread is told of them."""

_SHORTEST_BLOCK, _LONGEST_BLOCK = 16, 1024
"""Tokens of a block; between them, as many as the shortest similar passage has, or half of it."""

_READING = 0.03
"""Reading a position, in the time that looking at a token of a block that passes takes."""


def occurring_starts(
    segment: Segment,
    query: Query,
    threshold: float,
    lengths: tuple[int, int],
    pool: ThreadPoolExecutor,
) -> npt.NDArray[np.int64]:
    """Ranges of starts in a segment where passages of ``lengths`` can be similar, int64 [N, 2], ascending."""
    lists = segment.list_bounds(0, query.vocabulary)
    sizes = lists[:, 1] - lists[:, 0]
    block = 1 << (min(max(lengths[0], _SHORTEST_BLOCK), _LONGEST_BLOCK).bit_length() - 1)
    rare = rare_tokens(query, sizes / segment.num_tokens, threshold, lengths, block, _READING)
    work = partial(_starts_of_share, segment, lists[rare.places], rare, query, threshold, lengths)
    if sizes[rare.places].sum() < _FEW:
        return work(0, segment.num_tokens)
    firsts = range(0, segment.num_tokens, SHARE)
    return np.concatenate(list(pool.map(work, firsts, (min(first + SHARE, segment.num_tokens) for first in firsts))))


def _starts_of_share(
    segment: Segment,
    lists: npt.NDArray[np.int64],
    rare: Rare,
    query: Query,
    threshold: float,
    lengths: tuple[int, int],
    first: int,
    stop: int,
) -> npt.NDArray[np.int64]:
    """The starts from position ``first`` until ``stop``."""
    end = min(stop + lengths[1], segment.num_tokens)
    held = np.zeros((end - first - 1) // rare.block + 1, np.int32)
    most = np.ceil(query.weights[rare.places] / query.heaviest[rare.places] - 1e-9).astype(np.int64)
    _tally(np.asarray(segment.starts), lists, rare.weights, most, first, rare.block, held)
    allowed = np.ones(len(held), np.bool_)
    allowed[(stop - first - 1) // rare.block + 1 :] = False
    near = stretches(rich_blocks(held, allowed, rare), rare, lengths[1], stop - first)
    return overlapping_starts(segment.tokens[first:end], near, query, threshold, lengths) + first


@kernel
def _tally(starts: Any, lists: Any, weights: Any, most: Any, first: Any, size: Any, held: Any) -> None:
    """Add the weight of each list to the blocks of ``size`` tokens in which its positions from ``first`` on stand.

    In one block the positions of a list count ``most`` times at most.
    """
    bits = 0
    while size >> (bits + 1):
        bits += 1
    for row in range(lists.shape[0]):
        weight, limit = weights[row], most[row]
        place, left = lists[row, 0], lists[row, 1] - lists[row, 0]
        while left > 0:  # to the first position of the share
            half = left >> 1
            if np.int64(starts[place + half]) < first:
                place += half + 1
                left -= half + 1
            else:
                left = half
        before, times = np.int64(-1), np.int64(0)
        while place < lists[row, 1]:
            block = (np.int64(starts[place]) - first) >> bits
            if block >= held.shape[0]:
                break
            times = times + 1 if block == before else np.int64(1)
            before = block
            held[block] += weight if times <= limit else np.int32(0)
            place += 1
