"""Where enough of the query can stand: filters over start positions, each finer and dearer, that lose none.

A passage of similarity ``θ`` holds the share ``θ`` of the query's weight, so it misses at most ``1 - θ`` of it. Hence

1. of some tokens of weight ``R`` it holds ``R - (1 - θ) * mass`` at least. Taken over the tokens that are rare in the
   collection, few blocks of starts can do that: first each occurrence counts, then each token only once.
2. the longest window that can be similar, each token counted at most as often as the query has it, shares ``θ`` of the
   query's weight. This is asked of single starts.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.passages.collisions import BIN
from ibidem.passages.query import Query

__all__ = ["TokenTable", "likely_starts", "rare_tokens"]

BLOCK = 16
"""Tokens that are weighed together: one step of a vector unit."""

_SLOT_BITS = 12
_SCATTER = np.uint32(0x9E3779B1)
_SHIFT = np.uint32(32 - _SLOT_BITS)
_UNIT = 1 << 20
"""Weights are whole numbers here, the query's mass this many units: sums are exact, and loops over them are vectors."""


class TokenTable(NamedTuple):
    """Some tokens of a query, and how much of their weight a similar passage must hold.

    Attributes:
        slots: int32 [2^12], by hash of a token: the most that one occurrence can add; 0 for other tokens.
        needed: the least weight a passage must hold; of a query with mass 2^20.
        bits: uint64 [2^12], by hash of a token: its bit, for the rarest 64 of the tokens.
        bit_weights: int32 [8, 256], by value of each byte of such bits: the most that these tokens can add, however
            often they stand.
        bits_needed: the least weight that a passage must hold of these.
    """

    slots: npt.NDArray[np.int32]
    needed: int
    bits: npt.NDArray[np.uint64]
    bit_weights: npt.NDArray[np.int32]
    bits_needed: int


def rare_tokens(query: Query, shares: npt.NDArray[np.float64], threshold: float, longest: int) -> TokenTable:
    """The tokens of ``query`` that tell similar passages best from chance.

    ``shares`` float64 [V] is how often each token stands in the collection, as a share of all its tokens. Tokens are
    taken from the rarest on, as many as put what a similar passage must hold furthest above what a passage of
    ``longest`` tokens and the rest of its bin hold by chance, in standard deviations.
    """
    order = np.argsort(shares, kind="stable")
    needed = np.cumsum(query.weights[order]) - (1.0 - threshold) * query.mass
    expected = (longest + BIN) * shares[order]
    mean = np.cumsum(expected * query.heaviest[order])
    deviation = np.sqrt(np.cumsum(expected * query.heaviest[order] ** 2)) + 1e-9
    best = int(np.argmax(np.where(needed > 0, (needed - mean) / deviation, -np.inf)))
    chosen = order[: best + 1]
    slots, bits = np.zeros(1 << _SLOT_BITS, np.int32), np.zeros(1 << _SLOT_BITS, np.uint64)
    places = (query.vocabulary[chosen] * _SCATTER) >> _SHIFT
    np.maximum.at(slots, places, np.ceil(query.heaviest[chosen] / query.mass * _UNIT).astype(np.int32))
    rarest = chosen[:64]
    np.bitwise_or.at(bits, places[:64], np.uint64(1) << np.arange(len(rarest), dtype=np.uint64))
    weights = np.zeros(64, np.int32)
    weights[: len(rarest)] = np.ceil(query.weights[rarest] / query.mass * _UNIT)
    in_byte = (np.arange(256)[:, None] >> np.arange(8)) & 1
    asked, asked_of_rarest = (int(needed[at] / query.mass * _UNIT * (1.0 - 1e-9)) for at in (best, len(rarest) - 1))
    return TokenTable(slots, asked, bits, (weights.reshape(8, 8) @ in_byte.T).astype(np.int32), asked_of_rarest)


def likely_starts(
    tokens: npt.NDArray[np.uint32],
    bins: npt.NDArray[np.bool_],
    query: Query,
    rare: TokenTable,
    threshold: float,
    longest: int,
) -> npt.NDArray[np.int64]:
    """Ranges of starts among ``bins`` that pass both filters, int64 [N, 2], half open and ascending.

    ``tokens`` uint32 [T] is the segment's stream; no passage longer than ``longest`` is similar. ``bins`` may be fewer
    than the stream has: then only those at its beginning are looked at.
    """
    missing = len(tokens) // BIN + 1 - len(bins)
    bins = np.append(bins, np.zeros(missing, np.bool_)) if missing > 0 else bins
    reach = (BLOCK - 1 + longest - 1) // BLOCK + 1
    held = _weigh(tokens, bins, (reach * BLOCK) // BIN + 1, rare.slots)
    blocks = _rich_blocks(held, bins, reach, rare.needed)
    if rare.bits_needed > 0:
        blocks = _varied_blocks(tokens, blocks, rare.bits, rare.bit_weights, reach, rare.bits_needed)
    return _overlapping(tokens, _stretches(blocks, longest, len(tokens)), query, threshold, longest)


def _stretches(blocks: npt.NDArray[np.int64], longest: int, end: int) -> npt.NDArray[np.int64]:
    """The positions of some blocks as ranges, int64 [N, 2]; those less than ``longest`` apart are joined.

    To slide on over a gap is cheaper than to begin anew behind it.
    """
    apart = np.flatnonzero(np.diff(blocks) * BLOCK > longest + BLOCK)
    first, last = blocks[np.append(0, apart + 1)[: len(blocks)]], blocks[np.append(apart, -1)[: len(blocks)]]
    ranges: npt.NDArray[np.int64] = np.minimum(np.stack((first, last + 1), axis=1) * BLOCK, end)
    return ranges


def _overlapping(
    tokens: npt.NDArray[np.uint32], stretches: npt.NDArray[np.int64], query: Query, threshold: float, longest: int
) -> npt.NDArray[np.int64]:
    """The starts in ``stretches`` that the third filter leaves, as ranges, int64 [N, 2]."""
    caps = np.ceil(np.append(query.weights, 0.0) / query.mass * _UNIT).astype(np.int64)
    per_token = np.ceil(np.append(query.heaviest, 0.0) / query.mass * _UNIT).astype(np.int64)
    table, needed = _table(query.vocabulary), int(threshold * _UNIT * (1.0 - 1e-9))
    starts: npt.NDArray[np.int64] = _overlapping_starts(
        tokens, stretches, table, np.append(query.vocabulary, np.uint32(0)), per_token, caps, longest, needed
    )
    return starts


def _table(vocabulary: npt.NDArray[np.uint32]) -> npt.NDArray[np.int32]:
    """A hash table from token to its place in ``vocabulary``: open addressing, nearly empty, int32.

    A free slot holds ``len(vocabulary)``.
    """
    bits = max(8, int(16 * len(vocabulary)).bit_length())
    table = np.full(1 << bits, len(vocabulary), np.int32)
    for place, slot in enumerate(((vocabulary * _SCATTER) >> np.uint32(32 - bits)).tolist()):
        while table[slot] < len(vocabulary):
            slot = (slot + 1) % len(table)
        table[slot] = place
    return table


@kernel
def _weigh(tokens: Any, bins: Any, reach: Any, slots: Any) -> Any:
    """The weight in ``slots`` of each block in the bins and the ``reach`` bins after each, int32 [blocks]."""
    blocks = tokens.shape[0] // BLOCK
    held = np.zeros(blocks + 1, np.int32)
    wanted = np.int64(0)  # bins up to this one
    for place in range(bins.shape[0]):
        if bins[place]:
            wanted = place + reach + 1
        if place < wanted:
            for block in range(place * (BIN // BLOCK), min((place + 1) * (BIN // BLOCK), blocks)):
                weight = np.int32(0)
                for j in range(BLOCK):
                    weight += slots[np.uint32(tokens[block * BLOCK + j] * _SCATTER) >> _SHIFT]
                held[block] = weight
    for j in range(blocks * BLOCK, tokens.shape[0]):
        held[blocks] += slots[np.uint32(tokens[j] * _SCATTER) >> _SHIFT]
    return held


@kernel
def _rich_blocks(held: Any, bins: Any, reach: Any, needed: Any) -> Any:
    """The blocks of ``bins`` that hold ``needed`` together with the ``reach - 1`` blocks after them, ascending."""
    count = held.shape[0]
    rich = np.empty(count, np.int64)
    found = 0
    total = np.int64(0)
    for block in range(min(reach - 1, count)):
        total += held[block]
    for block in range(count):
        if block + reach - 1 < count:
            total += held[block + reach - 1]
        rich[found] = block
        found += 1 if total >= needed and bins[block // (BIN // BLOCK)] else 0
        total -= held[block]
    return rich[:found].copy()


@kernel
def _varied_blocks(tokens: Any, rich: Any, bits: Any, bit_weights: Any, reach: Any, needed: Any) -> Any:
    """Those of the ``rich`` blocks that hold ``needed`` with the ``reach - 1`` after them, each token counted once."""
    count = tokens.shape[0] // BLOCK + 1
    present, known = np.zeros(count, np.uint64), 0
    varied = np.empty(rich.shape[0], np.int64)
    found = 0
    for block in rich:
        held = np.uint64(0)
        for other in range(block, min(block + reach, count)):
            if other >= known:
                for j in range(other * BLOCK, min((other + 1) * BLOCK, tokens.shape[0])):
                    present[other] |= bits[np.uint32(tokens[j] * _SCATTER) >> _SHIFT]
                known = other + 1
            held |= present[other]
        weight = np.int64(0)
        for byte in range(8):
            weight += bit_weights[byte, (held >> np.uint64(8 * byte)) & np.uint64(255)]
        varied[found] = block
        found += 1 if weight >= needed else 0
    return varied[:found].copy()


@kernel
def _overlapping_starts(
    tokens: Any, stretches: Any, table: Any, vocabulary: Any, per_token: Any, caps: Any, longest: Any, needed: Any
) -> Any:
    """The starts whose next ``longest`` tokens can overlap the query by ``needed``, as ranges [N, 2].

    A token that stands ``f`` times overlaps by ``min(f * per_token, caps)`` at most. ``table`` finds the place of a
    token in ``vocabulary``; its last place stands for all tokens that the query does not have, and weighs nothing.
    """
    shift, last_slot = _shift_of(table.shape[0]), np.uint32(table.shape[0] - 1)
    unknown = vocabulary.shape[0] - 1
    left_over = caps.copy()  # what a token can add yet; below 0 once it stands more often than the query has it
    ranges = np.empty((1 + np.sum(stretches[:, 1] - stretches[:, 0] + 1) // 2, 2), np.int64)
    found = 0
    for stretch in range(stretches.shape[0]):
        first, stop = stretches[stretch, 0], stretches[stretch, 1]
        end = min(stop - 1 + longest, tokens.shape[0])
        known = np.empty(end - first, np.int32)
        for j in range(first, end):
            slot = np.uint32(tokens[j] * _SCATTER) >> shift
            # Nearly always false as a whole; whether the query has a token cannot be foreseen, and is not branched on.
            while (table[slot] < unknown) & (vocabulary[table[slot]] != tokens[j]):
                slot = np.uint32(slot + np.uint32(1)) & last_slot
            known[j - first] = table[slot]
        total, right = np.int64(0), first
        open_since: Any = np.int64(-1)
        for left in range(first, stop):
            while right < min(left + longest, end):
                place = known[right - first]
                total += min(per_token[place], max(0, left_over[place]))
                left_over[place] -= per_token[place]
                right += 1
            if total >= needed:
                if open_since < 0:
                    open_since = left
            elif open_since >= 0:
                ranges[found, 0], ranges[found, 1] = open_since, left
                found += 1
                open_since = -1
            gone = known[left - first]
            left_over[gone] += per_token[gone]
            total -= min(per_token[gone], max(0, left_over[gone]))
        if open_since >= 0:
            ranges[found, 0], ranges[found, 1] = open_since, stop
            found += 1
        left_over[:] = caps
    return ranges[:found].copy()


@inlined
def _shift_of(size: Any) -> Any:
    """How far to shift a 32-bit hash for a table of ``size`` slots, a power of two."""
    shift = np.uint32(32)
    while size > 1:
        size >>= 1
        shift = np.uint32(shift - np.uint32(1))
    return shift
