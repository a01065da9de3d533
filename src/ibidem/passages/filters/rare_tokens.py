"""Blocks of start positions that hold enough of a query's rare tokens: the first filter over starts, that loses none.

A passage of similarity ``θ`` and mass ``m`` overlaps a query of mass ``q`` by ``(q + m) θ / (1 + θ)`` at least. So of
some of the query's tokens, of weight ``R``, it holds ``R - q + (q + m) θ / (1 + θ)``: the longer it is, the more, and
``R - (1 - θ) q`` however short it is. Tokens that are rare in a collection seldom stand so close together.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.passages.query.query import Query

__all__ = ["UNIT", "Rare", "rare_tokens", "rich_blocks", "stretches"]

UNIT = 1 << 20
"""Weights are whole numbers in the filters, the query's mass this many units: sums are exact."""

_LENGTHS = 5
"""Lengths of passages, from the shortest to the longest, for which chance is judged."""


class Rare(NamedTuple):
    """Some tokens of a query, the rarest, and what a similar passage must hold of them.

    Attributes:
        places: int64 [p], of the tokens in the query's vocabulary, from the rarest on.
        weights: int32 [p], units that one occurrence adds at most.
        block: tokens of a block.
        near, far: blocks that the shortest and the longest similar passage touch at most, from the one it starts in.
        least: units that every similar passage holds at least.
        base: units that it holds at least, beyond ``per_block`` for each block that lies wholly inside it.
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


def rare_tokens(
    query: Query,
    shares: npt.NDArray[np.float64],
    threshold: float,
    lengths: tuple[int, int],
    block: int,
) -> Rare:
    """The tokens of ``query`` that find the blocks of similar passages with the least work.

    Args:
        shares: float64 [V], how often each token stands in the collection, as a share of all its tokens.
        lengths: tokens of the shortest and the longest passage that can be similar.
        block: tokens of a block.
    """
    order = np.argsort(shares, kind="stable")
    share, weight = np.maximum(shares[order], 1e-12), query.heaviest[order] / query.mass
    held, step = np.cumsum(query.weights[order]) / query.mass, query.least_step / query.mass
    by_chance = np.cumsum(share * weight)  # what a token holds
    typical = np.cumsum(share * weight**2) / by_chance
    passing = np.zeros(len(order))
    for length in np.geomspace(*lengths, _LENGTHS):
        asked = held - min(1.0 - threshold, (1.0 - step * length * threshold) / (1.0 + threshold))
        passing = np.maximum(passing, _chance(asked / typical, (length + block) * by_chance / typical))
    last = int(np.argmin(passing))
    chosen = order[: last + 1]
    return Rare(
        chosen,
        np.ceil(query.heaviest[chosen] / query.mass * UNIT).astype(np.int32),
        block,
        (block - 1 + lengths[0] - 1) // block + 1,
        (block - 1 + lengths[1] - 1) // block + 1,
        int((held[last] - (1.0 - threshold) - 1e-9) * UNIT),
        int((held[last] - 1.0 / (1.0 + threshold) - 1e-9) * UNIT),
        int(step * block * threshold / (1.0 + threshold) * UNIT),
    )


def _chance(asked: npt.NDArray[np.float64], expected: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Chernoff's bound on the chance of ``asked`` occurrences where so many are ``expected``."""
    more = np.maximum(asked, expected)
    bound: npt.NDArray[np.float64] = np.exp(more - expected - more * np.log(more / expected))
    return bound


def rich_blocks(held: npt.NDArray[np.int32], allowed: npt.NDArray[np.bool_], rare: Rare) -> npt.NDArray[np.int64]:
    """The blocks, int64 [N] ascending, in which a passage may start that holds enough.

    ``held`` int32 [blocks] are the units in each block; ``allowed`` bool [blocks] says where a passage may start.
    """
    blocks: npt.NDArray[np.int64] = _rich_blocks(
        held, allowed, rare.near, rare.far, rare.least, rare.base, rare.per_block
    )
    return blocks


def stretches(blocks: npt.NDArray[np.int64], rare: Rare, longest: int, end: int) -> npt.NDArray[np.int64]:
    """The positions before ``end`` of some blocks as ranges, int64 [N, 2]; those near each other are joined.

    To slide on over a gap shorter than ``longest`` tokens is cheaper than to begin anew behind it.
    """
    apart = np.flatnonzero(np.diff(blocks) * rare.block > longest + rare.block)
    first, last = blocks[np.append(0, apart + 1)[: len(blocks)]], blocks[np.append(apart, -1)[: len(blocks)]]
    ranges: npt.NDArray[np.int64] = np.minimum(np.stack((first, last + 1), axis=1) * rare.block, end)
    return ranges


@kernel
def _rich_blocks(held: Any, allowed: Any, near: Any, far: Any, least: Any, base: Any, per_block: Any) -> Any:
    """The blocks that hold ``least`` with the ``near - 1`` after them, or what is asked of a longer run.

    A run of more blocks, up to ``far``, is asked for ``least`` and for ``base`` with ``per_block`` for each block that
    is neither its first nor its last.
    """
    count = held.shape[0]
    rich, found = np.empty(count, np.int64), 0
    within_near, within_far = np.int64(0), np.int64(0)
    for block in range(min(near - 1, count)):
        within_near += held[block]
    for block in range(min(far - 1, count)):
        within_far += held[block]
    for block in range(count):
        within_near += held[block + near - 1] if block + near <= count else 0
        within_far += held[block + far - 1] if block + far <= count else 0
        if within_far >= least and allowed[block]:
            total, asked = within_near, base + per_block * (near - 1)
            enough = total >= least
            for after in range(block + near, min(block + far, count)):
                if enough:
                    break
                total += held[after]
                enough = total >= max(least, asked)
                asked += per_block
            rich[found] = block
            found += 1 if enough else 0
        within_near -= held[block]
        within_far -= held[block]
    return rich[:found].copy()
