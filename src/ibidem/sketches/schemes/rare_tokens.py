"""The prefix filter of the sketched schemes: blocks of start positions that hold enough of a query's rare tokens.

A prefix filter (Chaudhuri, Ganti, Kaushik, ICDE 2006; Bayardo, Ma, Srikant: "Scaling up all pairs similarity search",
WWW 2007) looks only at the rarest tokens of a query, which seldom occur close together by chance. A passage of
similarity ``θ`` and weight ``m`` overlaps a query of weight ``q`` by ``(q + m) θ / (1 + θ)`` at least. So of tokens of
weight ``R`` it holds ``R - q + (q + m) θ / (1 + θ)``: more, the longer it is, and ``R - (1 - θ) q`` at any length.

Of the bins that the sketches leave, those blocks pass that hold enough of the rare tokens: first every occurrence
counts, then every token only once. The overlap filter (``overlap.py``) looks at what is left start by start.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.hashing import SCATTER
from ibidem.kernels import inlined, kernel
from ibidem.passages.filters.overlap import UNIT
from ibidem.passages.query.plan import QueryPlan
from ibidem.passages.query.query import Query
from ibidem.rounding import SLACK
from ibidem.sketches.schemes.collision_count import BIN

# Lengths of passages, from the shortest to the longest, at which the chance of a false candidate is estimated.
_LENGTHS = 5

# Least share of a token in the collection: one that is absent must not divide by zero.
_NEVER = 1e-12

BLOCK = 16
"""Tokens that are weighed together: one step of a vector unit."""

_SLOT_BITS = 12
_SHIFT = np.uint32(32 - _SLOT_BITS)


class Needs(NamedTuple):
    """The least units of rare tokens that a similar passage holds.

    Attributes:
        near, far: blocks that the shortest and the longest similar passage touch at most, from the one it starts in.
        least: units that every similar passage holds at least.
        base: units that it holds at least, besides ``per_block`` for each block that lies wholly inside it.
        per_block: units.
    """

    near: int
    far: int
    least: int
    base: int
    per_block: int


class RareTokens(NamedTuple):
    """The rarest tokens of a query, and what a similar passage must hold of them.

    Attributes:
        places: int64 [p], of the tokens in the query's vocabulary, rarest first.
        weights: int32 [p], units that one occurrence adds at most.
        block: tokens of a block.
        needs: the least units of a passage.
    """

    places: npt.NDArray[np.int64]
    weights: npt.NDArray[np.int32]
    block: int
    needs: Needs


def choose_rare_tokens(
    query: Query,
    shares: npt.NDArray[np.float64],
    threshold: float,
    lengths: tuple[int, int],
    block: int,
) -> RareTokens:
    """Choose the tokens of ``query`` that find the blocks of similar passages with the least work.

    Args:
        query: the query.
        shares: float64 [V], how often each token occurs in the collection, as a share of all its tokens.
        threshold: least similarity.
        lengths: tokens of the shortest and the longest passage that can be similar.
        block: tokens of a block.
    """
    order = np.argsort(shares, kind="stable")
    share, weight = np.maximum(shares[order], _NEVER), query.heaviest[order] / query.mass
    prefix_weights, step = np.cumsum(query.weights[order]) / query.mass, query.least_step / query.mass
    by_chance = np.cumsum(share * weight)  # weight that a token holds by chance
    typical = np.cumsum(share * weight**2) / by_chance
    passing = np.zeros(len(order))
    for length in np.geomspace(*lengths, _LENGTHS):
        least_weights = prefix_weights - min(1.0 - threshold, (1.0 - step * length * threshold) / (1.0 + threshold))
        passing = np.maximum(passing, _bound_chance(least_weights / typical, (length + block) * by_chance / typical))
    last = int(np.argmin(passing))
    rarest = order[: last + 1]
    return RareTokens(
        places=rarest,
        weights=np.ceil(query.heaviest[rarest] / query.mass * UNIT).astype(np.int32),
        block=block,
        needs=Needs(
            near=(block - 1 + lengths[0] - 1) // block + 1,
            far=(block - 1 + lengths[1] - 1) // block + 1,
            least=int((prefix_weights[last] - (1.0 - threshold) - SLACK) * UNIT),
            base=int((prefix_weights[last] - 1.0 / (1.0 + threshold) - SLACK) * UNIT),
            per_block=int(step * block * threshold / (1.0 + threshold) * UNIT),
        ),
    )


def _bound_chance(least: npt.NDArray[np.float64], expected: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Chernoff's bound on the chance of ``least`` occurrences where ``expected`` are expected."""
    bounded = np.maximum(least, expected)
    bound: npt.NDArray[np.float64] = np.exp(bounded - expected - bounded * np.log(bounded / expected))
    return bound


def find_rich_blocks(
    weights: npt.NDArray[np.int32], is_allowed: npt.NDArray[np.bool_], rare: RareTokens, together: int = 1
) -> npt.NDArray[np.int64]:
    """The blocks, int64 [N] ascending, in which a passage may start that holds enough.

    Args:
        held: int32 [blocks], the units in each block.
        allowed: bool [groups], where a passage may start. Units of ``weights`` elsewhere count only for passages that
            reach them.
        rare: what a passage must hold.
        together: how many blocks a group has.
    """
    blocks: npt.NDArray[np.int64] = _find_rich(weights, is_allowed, together, rare.needs)
    return blocks


def join_blocks(blocks: npt.NDArray[np.int64], rare: RareTokens, longest: int, end: int) -> npt.NDArray[np.int64]:
    """The positions before ``end`` of some blocks as ranges, int64 [N, 2]; near ones are joined.

    To slide on over a gap shorter than ``longest`` tokens is cheaper than to begin again behind it.
    """
    ranges = join_ranges(np.stack((blocks, blocks + 1), axis=1) * rare.block, longest)
    bounded: npt.NDArray[np.int64] = np.minimum(ranges, end)
    return bounded


@kernel
def _find_rich(
    weights: npt.NDArray[np.int32], is_allowed: npt.NDArray[np.bool_], together: int, needs: Needs
) -> npt.NDArray[np.int64]:
    """The blocks that hold ``least`` with the ``near - 1`` after them, or what a longer run must hold.

    A run of more blocks, up to ``far``, must hold ``least``, and ``base`` with ``per_block`` for each block that is
    neither its first nor its last. The sums slide from block to block, and are begun anew behind a gap.
    """
    blocks, near, far = weights.shape[0], needs.near, needs.far
    rich, count = np.empty(blocks, np.int64), 0
    within_near, within_far, last_end = 0, 0, -1
    for group in range(is_allowed.shape[0]):
        if not is_allowed[group]:
            continue
        first, end = group * together, min((group + 1) * together, blocks)
        if last_end != first:
            within_near, within_far = 0, 0
            for block in range(first, min(first + near - 1, blocks)):
                within_near += weights[block]
            for block in range(first, min(first + far - 1, blocks)):
                within_far += weights[block]
        for block in range(first, end):
            within_near += weights[block + near - 1] if block + near <= blocks else 0
            within_far += weights[block + far - 1] if block + far <= blocks else 0
            if within_far >= needs.least:
                rich[count] = block
                count += 1 if _some_run_holds_enough(weights, block, within_near, needs) else 0
            within_near -= weights[block]
            within_far -= weights[block]
        last_end = end
    return rich[:count].copy()


@inlined
def _some_run_holds_enough(weights: npt.NDArray[np.int32], block: int, total: int, needs: Needs) -> bool:
    """Whether a run from ``block`` holds enough; ``total`` is what the first ``near`` blocks hold."""
    least = needs.base + needs.per_block * (needs.near - 1)
    is_enough = total >= needs.least
    for after in range(block + needs.near, min(block + needs.far, weights.shape[0])):
        if is_enough:
            break
        total += weights[after]
        is_enough = total >= max(needs.least, least)
        least += needs.per_block
    return is_enough


def join_ranges(ranges: npt.NDArray[np.int64], gap: int) -> npt.NDArray[np.int64]:
    """Ranges of starts [N, 2], half open and ascending, those joined that have at most ``gap`` positions between them.

    >>> join_ranges(np.array([[0, 2], [2, 5], [7, 9], [12, 13]]), 2).tolist()
    [[0, 9], [12, 13]]
    """
    gaps = np.flatnonzero(ranges[1:, 0] - ranges[:-1, 1] > gap)
    firsts, lasts = np.append(0, gaps + 1)[: len(ranges)], np.append(gaps, -1)[: len(ranges)]
    return np.stack((ranges[firsts, 0], ranges[lasts, 1]), axis=1)


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
    least_weight = query.weights[rarest].sum() / query.mass - (1.0 - threshold) - SLACK
    return TokenTable(
        rare=rare,
        slots=slots,
        bits=bits,
        bit_weights=(weights.reshape(8, 8) @ in_byte.T).astype(np.int32),
        bits_needed=int(least_weight * UNIT),
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
    block_weights = _weigh_blocks(tokens, bins, (rare.needs.far * BLOCK) // BIN + 1, table.slots)
    blocks = find_rich_blocks(block_weights, bins, rare, BIN // BLOCK)
    if table.bits_needed > 0:
        blocks = _keep_varied(tokens, blocks, table.bits, table.bit_weights, rare.needs.far, table.bits_needed)
    ranges = join_blocks(blocks, rare, longest, len(tokens))
    return np.column_stack((ranges, np.full(len(ranges), longest, np.int64)))


@kernel
def _weigh_blocks(
    tokens: npt.NDArray[np.uint32], bins: npt.NDArray[np.bool_], reach: int, slots: npt.NDArray[np.int32]
) -> npt.NDArray[np.int32]:
    """The weight in ``slots`` of each block in the bins and the ``reach`` bins after each, int32 [blocks]."""
    blocks = tokens.shape[0] // BLOCK
    block_weights = np.zeros(blocks + 1, np.int32)
    end = 0  # bins before this one are weighed
    for place in range(bins.shape[0]):
        if bins[place]:
            end = place + reach + 1
        if place < end:
            for block in range(place * (BIN // BLOCK), min((place + 1) * (BIN // BLOCK), blocks)):
                weight = np.int32(0)
                for j in range(BLOCK):
                    weight += slots[np.uint32(tokens[block * BLOCK + j] * SCATTER) >> _SHIFT]
                block_weights[block] = weight
    for j in range(blocks * BLOCK, tokens.shape[0]):
        block_weights[blocks] += slots[np.uint32(tokens[j] * SCATTER) >> _SHIFT]
    return block_weights


@kernel
def _keep_varied(
    tokens: npt.NDArray[np.uint32],
    rich: npt.NDArray[np.int64],
    bits: npt.NDArray[np.uint64],
    bit_weights: npt.NDArray[np.int32],
    reach: int,
    least: int,
) -> npt.NDArray[np.int64]:
    """The ``rich`` blocks that hold ``least`` with the ``reach - 1`` after them when each token counts once."""
    blocks = tokens.shape[0] // BLOCK + 1
    present, blocks_read = np.zeros(blocks, np.uint64), 0
    varied_blocks = np.empty(rich.shape[0], np.int64)
    count = 0
    for block in rich:
        token_bits = np.uint64(0)
        for following in range(block, min(block + reach, blocks)):
            if following >= blocks_read:
                for j in range(following * BLOCK, min((following + 1) * BLOCK, tokens.shape[0])):
                    present[following] |= bits[np.uint32(tokens[j] * SCATTER) >> _SHIFT]
                blocks_read = following + 1
            token_bits |= present[following]
        weight = np.int64(0)
        for byte in range(8):
            weight += bit_weights[byte, (token_bits >> np.uint64(8 * byte)) & np.uint64(255)]
        varied_blocks[count] = block
        count += 1 if weight >= least else 0
    return varied_blocks[:count].copy()
