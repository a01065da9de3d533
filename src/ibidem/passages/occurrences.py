"""The exact scheme: an index of the positions of every token, and the starts of similar passages found in it.

Nothing is hashed and nothing left to chance. Of the query's tokens those are looked up that find the similar passages
with the least work: each position read adds to its block, and the rarer the tokens, the fewer there are.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.passages.explanation import Explanation
from ibidem.passages.overlaps import overlapping_starts
from ibidem.passages.query import Query
from ibidem.passages.rarity import Rare, rare_tokens, rich_blocks, stretches
from ibidem.store.segment import Segment

__all__ = ["occurring_starts"]

_SHORTEST_BLOCK, _LONGEST_BLOCK = 16, 64
"""Tokens of a block; between them, as many as the shortest similar passage has, or more than half of it."""

_LOW, _LONGEST_OF_LOW = 0.6, 32
"""At such thresholds and below, chance comes so near to what is asked for that shorter blocks, which tell more, pay."""

SHARE = 1 << 21
"""Tokens whose blocks a thread looks through at a time."""

_PIECE = 1 << 17
"""Positions that are unpacked at a time, and counted sooner than another thread is told of them."""

_READING = 0.03
"""Reading a position, in the time that looking at a token of a block that passes takes."""


def occurring_starts(
    segment: Segment,
    query: Query,
    threshold: float,
    lengths: tuple[int, int],
    pool: ThreadPoolExecutor,
    workers: int,
    explanation: Explanation | None = None,
) -> npt.NDArray[np.int64]:
    """Ranges of starts in a segment where passages of ``lengths`` can be similar, int64 [N, 2], ascending."""
    lists = segment.list_bounds(0, query.vocabulary)
    sizes = lists[:, 1] - lists[:, 0]
    longest = _LONGEST_OF_LOW if threshold <= _LOW else _LONGEST_BLOCK
    block = 1 << (min(max(lengths[0], _SHORTEST_BLOCK), longest).bit_length() - 1)
    rare = rare_tokens(query, sizes / segment.num_tokens, threshold, lengths, block, _READING)
    most = np.ceil(query.weights[rare.places] / query.heaviest[rare.places] - 1e-9).astype(np.int64)
    if explanation is not None:
        explanation.lists += len(lists)
        explanation.lists_read += len(rare.places)
        explanation.lists_skipped += len(lists) - len(rare.places)
        explanation.postings += int(sizes.sum())
        explanation.postings_read += int(sizes[rare.places].sum())
    pieces = _pieces(lists[rare.places])
    workers = min(workers, len(pieces))
    tally = partial(_tallied, segment, rare, most)
    parts = [pieces[worker::workers] for worker in range(workers)]
    held: npt.NDArray[np.int32] = reduce(np.add, pool.map(tally, parts) if workers > 1 else map(tally, parts))
    work = partial(_starts_of_share, segment.tokens, held, rare, query, threshold, lengths)
    if workers == 1:
        return work(0, segment.num_tokens)
    firsts = range(0, segment.num_tokens, SHARE)
    return np.concatenate(list(pool.map(work, firsts, (min(first + SHARE, segment.num_tokens) for first in firsts))))


def _pieces(lists: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """The postings of ``lists`` [p, 2] in parts of about ``_PIECE``: row of a list, begin and end, int64 [N, 3]."""
    rows = [
        (row, first, min(first + _PIECE, high))
        for row, (low, high) in enumerate(lists.tolist())
        for first in range(low, high, _PIECE)
    ]
    ranges = np.array(rows, np.int64).reshape(-1, 3)
    ends = np.cumsum(ranges[:, 2] - ranges[:, 1])
    return np.split(ranges, np.flatnonzero(np.diff((ends - 1) // _PIECE)) + 1)


def _tallied(
    segment: Segment, rare: Rare, most: npt.NDArray[np.int64], pieces: list[npt.NDArray[np.int64]]
) -> npt.NDArray[np.int32]:
    """What each block of the segment holds of the tokens whose lists are in ``pieces``, int32 [blocks]."""
    held = np.zeros((segment.num_tokens - 1) // rare.block + 1, np.int32)
    bits = np.uint32(rare.block.bit_length() - 1)
    for piece in pieces:
        rows, bounds = piece[:, 0], piece[:, 1:]
        ends = np.cumsum(bounds[:, 1] - bounds[:, 0])
        _tally(segment.starts_of(bounds), ends, rare.weights[rows], most[rows], bits, held)
    return held


def _starts_of_share(
    tokens: npt.NDArray[np.uint32],
    held: npt.NDArray[np.int32],
    rare: Rare,
    query: Query,
    threshold: float,
    lengths: tuple[int, int],
    first: int,
    stop: int,
) -> npt.NDArray[np.int64]:
    """The starts from position ``first`` until ``stop``."""
    end = min(stop + lengths[1], len(tokens))
    near = held[first // rare.block : (end - 1) // rare.block + 1]
    allowed = np.ones(len(near), np.bool_)
    allowed[(stop - first - 1) // rare.block + 1 :] = False
    likely = stretches(rich_blocks(near, allowed, rare), rare, lengths[1], stop - first)
    return overlapping_starts(tokens[first:end], likely, query, threshold, lengths) + first


@kernel
def _tally(positions: Any, ends: Any, weights: Any, most: Any, bits: Any, held: Any) -> None:
    """Add the weight of each list to the blocks of its positions; blocks have ``2^bits`` tokens.

    ``ends`` says where each list ends. In one block its positions count ``most`` times at most.
    """
    place = np.int64(0)
    for row in range(ends.shape[0]):
        weight, limit = weights[row], most[row]
        before, times = np.int64(-1), np.int64(0)
        while place < ends[row]:
            block = np.int64(positions[place] >> bits)
            times = times + 1 if block == before else np.int64(1)
            before = block
            held[block] += weight if times <= limit else np.int32(0)
            place += 1
