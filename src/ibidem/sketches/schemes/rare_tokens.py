"""The prefix filter of the sketched schemes: blocks of start positions that hold enough of a query's rare tokens.

A prefix filter (Chaudhuri, Ganti, Kaushik, ICDE 2006; Bayardo, Ma, Srikant: "Scaling up all pairs similarity search",
WWW 2007) looks only at the rarest tokens of a query, which seldom occur close together by chance. A passage of
similarity ``θ`` and weight ``m`` overlaps a query of weight ``q`` by ``(q + m) θ / (1 + θ)`` at least. So of tokens of
weight ``R`` it holds ``R - q + (q + m) θ / (1 + θ)``: more, the longer it is, and ``R - (1 - θ) q`` at any length.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.passages.filters.overlap import UNIT
from ibidem.passages.query.query import Query
from ibidem.rounding import SLACK

__all__ = ["RareTokens", "choose_rare_tokens", "find_rich_blocks", "join_blocks", "join_ranges"]

# Lengths of passages, from the shortest to the longest, at which the chance of a false candidate is estimated.
_LENGTHS = 5

# Least share of a token in the collection: one that is absent must not divide by zero.
_NEVER = 1e-12


class RareTokens(NamedTuple):
    """The rarest tokens of a query, and what a similar passage must hold of them.

    Attributes:
        places: int64 [p], of the tokens in the query's vocabulary, rarest first.
        weights: int32 [p], units that one occurrence adds at most.
        block: tokens of a block.
        near, far: blocks that the shortest and the longest similar passage touch at most, from the one it starts in.
        least: units that every similar passage holds at least.
        base: units that it holds at least, besides ``per_block`` for each block that lies wholly inside it.
        per_block: units.
    """

    places: npt.NDArray[np.int64]
    weights: npt.NDArray[np.int32]
    block: int
    near: int
    far: int
    least: int
    base: int
    per_block: int


class _Needs(NamedTuple):
    """The least weights of the blocks of a candidate, for the kernel; see ``RareTokens``."""

    near: int
    far: int
    least: int
    base: int
    per_block: int


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
    held, step = np.cumsum(query.weights[order]) / query.mass, query.least_step / query.mass
    by_chance = np.cumsum(share * weight)  # weight that a token holds by chance
    typical = np.cumsum(share * weight**2) / by_chance
    passing = np.zeros(len(order))
    for length in np.geomspace(*lengths, _LENGTHS):
        needed = held - min(1.0 - threshold, (1.0 - step * length * threshold) / (1.0 + threshold))
        passing = np.maximum(passing, _bound_chance(needed / typical, (length + block) * by_chance / typical))
    last = int(np.argmin(passing))
    rarest = order[: last + 1]
    return RareTokens(
        places=rarest,
        weights=np.ceil(query.heaviest[rarest] / query.mass * UNIT).astype(np.int32),
        block=block,
        near=(block - 1 + lengths[0] - 1) // block + 1,
        far=(block - 1 + lengths[1] - 1) // block + 1,
        least=int((held[last] - (1.0 - threshold) - SLACK) * UNIT),
        base=int((held[last] - 1.0 / (1.0 + threshold) - SLACK) * UNIT),
        per_block=int(step * block * threshold / (1.0 + threshold) * UNIT),
    )


def _bound_chance(needed: npt.NDArray[np.float64], expected: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Chernoff's bound on the chance of ``needed`` occurrences where ``expected`` are expected."""
    more = np.maximum(needed, expected)
    bound: npt.NDArray[np.float64] = np.exp(more - expected - more * np.log(more / expected))
    return bound


def find_rich_blocks(
    held: npt.NDArray[np.int32], allowed: npt.NDArray[np.bool_], rare: RareTokens, together: int = 1
) -> npt.NDArray[np.int64]:
    """The blocks, int64 [N] ascending, in which a passage may start that holds enough.

    Args:
        held: int32 [blocks], the units in each block.
        allowed: bool [groups], where a passage may start. Units of ``held`` elsewhere count only for passages that
            reach them.
        rare: what a passage must hold.
        together: how many blocks a group has.
    """
    needs = _Needs(near=rare.near, far=rare.far, least=rare.least, base=rare.base, per_block=rare.per_block)
    blocks: npt.NDArray[np.int64] = _find_rich(held, allowed, together, needs)
    return blocks


def join_blocks(blocks: npt.NDArray[np.int64], rare: RareTokens, longest: int, end: int) -> npt.NDArray[np.int64]:
    """The positions before ``end`` of some blocks as ranges, int64 [N, 2]; near ones are joined.

    To slide on over a gap shorter than ``longest`` tokens is cheaper than to begin again behind it.
    """
    ranges = join_ranges(np.stack((blocks, blocks + 1), axis=1) * rare.block, longest)
    cut: npt.NDArray[np.int64] = np.minimum(ranges, end)
    return cut


@kernel
def _find_rich(
    held: npt.NDArray[np.int32], allowed: npt.NDArray[np.bool_], together: int, needs: _Needs
) -> npt.NDArray[np.int64]:
    """The blocks that hold ``least`` with the ``near - 1`` after them, or what a longer run must hold.

    A run of more blocks, up to ``far``, must hold ``least``, and ``base`` with ``per_block`` for each block that is
    neither its first nor its last. The sums slide from block to block, and are begun anew behind a gap.
    """
    count, near, far = held.shape[0], needs.near, needs.far
    rich, found = np.empty(count, np.int64), 0
    within_near, within_far, known = 0, 0, -1
    for group in range(allowed.shape[0]):
        if not allowed[group]:
            continue
        first, end = group * together, min((group + 1) * together, count)
        if known != first:
            within_near, within_far = 0, 0
            for block in range(first, min(first + near - 1, count)):
                within_near += held[block]
            for block in range(first, min(first + far - 1, count)):
                within_far += held[block]
        for block in range(first, end):
            within_near += held[block + near - 1] if block + near <= count else 0
            within_far += held[block + far - 1] if block + far <= count else 0
            if within_far >= needs.least:
                rich[found] = block
                found += 1 if _some_run_holds_enough(held, block, within_near, needs) else 0
            within_near -= held[block]
            within_far -= held[block]
        known = end
    return rich[:found].copy()


@inlined
def _some_run_holds_enough(held: npt.NDArray[np.int32], block: int, total: int, needs: _Needs) -> bool:
    """Whether a run from ``block`` holds enough; ``total`` is what the first ``near`` blocks hold."""
    needed = needs.base + needs.per_block * (needs.near - 1)
    enough = total >= needs.least
    for after in range(block + needs.near, min(block + needs.far, held.shape[0])):
        if enough:
            break
        total += held[after]
        enough = total >= max(needs.least, needed)
        needed += needs.per_block
    return enough


def join_ranges(ranges: npt.NDArray[np.int64], gap: int) -> npt.NDArray[np.int64]:
    """Ranges of starts [N, 2], half open and ascending, those joined that have at most ``gap`` positions between them.

    >>> join_ranges(np.array([[0, 2], [2, 5], [7, 9], [12, 13]]), 2).tolist()
    [[0, 9], [12, 13]]
    """
    apart = np.flatnonzero(ranges[1:, 0] - ranges[:-1, 1] > gap)
    firsts, lasts = np.append(0, apart + 1)[: len(ranges)], np.append(apart, -1)[: len(ranges)]
    return np.stack((ranges[firsts, 0], ranges[lasts, 1]), axis=1)
