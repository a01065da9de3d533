"""The candidate starts of the sketched schemes: a prefix filter and a count filter over the tokens themselves.

Of the bins that the sketches leave, those blocks pass that hold enough of the query's rare tokens
(``rare_tokens.py``): first every occurrence counts, then every token only once. The overlap filter (``overlap.py``)
looks at what is left start by start.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.hashing import SCATTER
from ibidem.passages.filters.overlap import UNIT
from ibidem.passages.query.plan import QueryPlan
from ibidem.passages.query.query import Query
from ibidem.rounding import SLACK
from ibidem.sketches.schemes.collision_count import BIN
from ibidem.sketches.schemes.rare_tokens import RareTokens, choose_rare_tokens, find_rich_blocks, join_blocks

__all__ = ["TokenTable", "build_token_table", "find_rich_ranges"]

BLOCK = 16
"""Tokens that are weighed together: one step of a vector unit."""

_SLOT_BITS = 12
_SHIFT = np.uint32(32 - _SLOT_BITS)


class TokenTable(NamedTuple):
    """The rare tokens of a query, found by hash.

    Attributes:
        rare: the tokens, and how much of their weight a similar passage must hold.
        slots: int32 [2^12], by hash of a token: the most that one occurrence can add; 0 for other tokens.
        bits: uint64 [2^12], by hash of a token: its bit, for the rarest 64 of the tokens.
        bit_weights: int32 [8, 256], by value of each byte of such bits: the most that these tokens can add, however
            often they occur.
        bits_needed: the least weight that a passage must hold of these.
    """

    rare: RareTokens
    slots: npt.NDArray[np.int32]
    bits: npt.NDArray[np.uint64]
    bit_weights: npt.NDArray[np.int32]
    bits_needed: int


def build_token_table(
    query: Query, shares: npt.NDArray[np.float64], threshold: float, lengths: tuple[int, int]
) -> TokenTable:
    """Choose the tokens of ``query`` that best separate similar passages from chance.

    The arguments are those of ``choose_rare_tokens``.
    """
    rare = choose_rare_tokens(query, shares, threshold, lengths, BLOCK)
    slots, bits = np.zeros(1 << _SLOT_BITS, np.int32), np.zeros(1 << _SLOT_BITS, np.uint64)
    places = (query.vocabulary[rare.places] * SCATTER) >> _SHIFT
    np.maximum.at(slots, places, rare.weights)
    rarest = rare.places[:64]
    np.bitwise_or.at(bits, places[:64], np.uint64(1) << np.arange(len(rarest), dtype=np.uint64))
    weights = np.zeros(64, np.int32)
    weights[: len(rarest)] = np.ceil(query.weights[rarest] / query.mass * UNIT)
    in_byte = (np.arange(256)[:, None] >> np.arange(8)) & 1
    needed = query.weights[rarest].sum() / query.mass - (1.0 - threshold) - SLACK
    return TokenTable(
        rare=rare,
        slots=slots,
        bits=bits,
        bit_weights=(weights.reshape(8, 8) @ in_byte.T).astype(np.int32),
        bits_needed=int(needed * UNIT),
    )


def find_rich_ranges(
    tokens: npt.NDArray[np.uint32], bins: npt.NDArray[np.bool_], plan: QueryPlan, table: TokenTable
) -> npt.NDArray[np.int64]:
    """The starts that the rare tokens leave, before the overlap filter, as ranges with the longest passage [N, 3].

    Args:
        tokens: uint32 [T], a part of the segment's stream.
        bins: bool [bins], of which it is asked. They may be fewer than the tokens have, from the first one on.
        plan: the plan of the search.
        table: the query's rare tokens.
    """
    longest, rare = plan.similar_lengths[1], table.rare
    missing = len(tokens) // BIN + 1 - len(bins)
    bins = np.append(bins, np.zeros(missing, np.bool_)) if missing > 0 else bins
    held = _weigh_blocks(tokens, bins, (rare.far * BLOCK) // BIN + 1, table.slots)
    blocks = find_rich_blocks(held, bins, rare, BIN // BLOCK)
    if table.bits_needed > 0:
        blocks = _keep_varied(tokens, blocks, table.bits, table.bit_weights, rare.far, table.bits_needed)
    ranges = join_blocks(blocks, rare, longest, len(tokens))
    return np.column_stack((ranges, np.full(len(ranges), longest, np.int64)))


@kernel
def _weigh_blocks(
    tokens: npt.NDArray[np.uint32], bins: npt.NDArray[np.bool_], reach: int, slots: npt.NDArray[np.int32]
) -> npt.NDArray[np.int32]:
    """The weight in ``slots`` of each block in the bins and the ``reach`` bins after each, int32 [blocks]."""
    blocks = tokens.shape[0] // BLOCK
    held = np.zeros(blocks + 1, np.int32)
    end = 0  # bins before this one are weighed
    for place in range(bins.shape[0]):
        if bins[place]:
            end = place + reach + 1
        if place < end:
            for block in range(place * (BIN // BLOCK), min((place + 1) * (BIN // BLOCK), blocks)):
                weight = np.int32(0)
                for j in range(BLOCK):
                    weight += slots[np.uint32(tokens[block * BLOCK + j] * SCATTER) >> _SHIFT]
                held[block] = weight
    for j in range(blocks * BLOCK, tokens.shape[0]):
        held[blocks] += slots[np.uint32(tokens[j] * SCATTER) >> _SHIFT]
    return held


@kernel
def _keep_varied(
    tokens: npt.NDArray[np.uint32],
    rich: npt.NDArray[np.int64],
    bits: npt.NDArray[np.uint64],
    bit_weights: npt.NDArray[np.int32],
    reach: int,
    needed: int,
) -> npt.NDArray[np.int64]:
    """The ``rich`` blocks that hold ``needed`` with the ``reach - 1`` after them when each token counts once."""
    count = tokens.shape[0] // BLOCK + 1
    present, known = np.zeros(count, np.uint64), 0
    varied = np.empty(rich.shape[0], np.int64)
    found = 0
    for block in rich:
        held = np.uint64(0)
        for other in range(block, min(block + reach, count)):
            if other >= known:
                for j in range(other * BLOCK, min((other + 1) * BLOCK, tokens.shape[0])):
                    present[other] |= bits[np.uint32(tokens[j] * SCATTER) >> _SHIFT]
                known = other + 1
            held |= present[other]
        weight = np.int64(0)
        for byte in range(8):
            weight += bit_weights[byte, (held >> np.uint64(8 * byte)) & np.uint64(255)]
        varied[found] = block
        found += 1 if weight >= needed else 0
    return varied[:found].copy()
