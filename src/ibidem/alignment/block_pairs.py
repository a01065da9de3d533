"""Which blocks of two texts may hold similar windows: those that share more than chance gives, or very much.

Two texts of ``n`` and ``m`` tokens have ``n m`` pairs of windows, and chance makes some of them as similar as a free
rewriting. The longer the texts, the more of these; passages that were written from each other are not more. So the
evidence required of two blocks grows with the texts. The tokens that they share are compared with chance by a
likelihood ratio (:func:`ibidem.alignment.overlap_evidence.weigh_presence`). If tokens were independent it would exceed
``x`` with a probability of at most ``1 / x`` (Markov's inequality). The ratio required is the number of blocks of
``b``, so for each block of ``a`` chance leaves about one, however long the texts. Similarity alone does not do that: it
counts the common words, too, and these are what unrelated blocks share.

Windows that are surely similar are found in any blocks, since the weight of what two blocks share bounds that of what
their windows share. For both a *prefix filter* leaves the longest lists unread, those of the common tokens: as long as
these alone do not make windows surely similar.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.blocks import ElementBlocks
from ibidem.alignment.weighted_pair import Pair
from ibidem.kernels import kernel
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]
_Singles = npt.NDArray[np.float32]

SURE = 0.65
"""A similarity of windows, halfway from what is looked for to 1, that is no chance."""

_UNREAD = 0.9
"""Lists are left unread up to this part of the weight that surely similar windows share. With more, there are more
pairs of blocks to search; with less, longer lists to read."""

_ROUNDING = 1e-5
"""Sums of single floats are compared with so much less."""

_STRETCH = 64
"""Blocks of ``b`` that are compared together."""

_AT_ONCE = 256
"""Blocks of ``a`` whose pairs are held in memory."""


class SeedRule(NamedTuple):
    """Which pairs of windows are seeds.

    Attributes:
        threshold: the least similarity of windows in two blocks whose shared tokens give evidence of ``nats`` or more.
        sure: the least similarity of windows in any two blocks.
        nats: see ``threshold``.
    """

    threshold: float
    sure: float
    nats: float

    @classmethod
    def of(cls, blocks: ElementBlocks, threshold: float) -> "SeedRule":
        """The rule by which chance leaves about one block of ``b`` for each of ``a``."""
        return cls(threshold, max(SURE, threshold), math.log(len(blocks.lightest)))


class BlockPairs(NamedTuple):
    """Pairs of blocks that may hold seeds, in the order of the blocks of ``a``.

    Attributes:
        blocks: int64 [C, 2], the number of the block of ``a`` and of the one of ``b``.
        thresholds: float64 [C], the least similarity of windows that are seeds.
    """

    blocks: _Ints
    thresholds: _Floats


def find_block_pairs(pair: Pair, blocks: ElementBlocks, rule: SeedRule) -> Iterator[BlockPairs]:
    """The pairs of blocks that may hold seeds, in parts, so that memory is bounded."""
    number = (len(pair.a) - pair.window) // pair.window + 1
    for first in range(0, number, _AT_ONCE):
        yield BlockPairs(*similar_blocks(pair, blocks, rule, first, min(first + _AT_ONCE, number)))


@kernel
def similar_blocks(pair: Pair, blocks: ElementBlocks, rule: SeedRule, first: int, last: int) -> tuple[_Ints, _Floats]:
    """The :class:`BlockPairs` of the blocks ``first`` to ``last``, half open, of ``a``.

    The windows of ``a`` are in blocks of ``w`` starts as those of ``b`` are. Two blocks share at most what their cells
    share, so each cell of ``a`` is compared with all cells of ``b`` once, and the sums of two cells and two are
    searched for blocks.
    """
    w, size, number = pair.window, pair.idf.shape[0], blocks.lightest.shape[0]
    # shared >= sure * either says the same as shared >= share * (weight_a + weight_b)
    share, lightest_b = rule.sure / (1.0 + rule.sure), blocks.lightest.min()
    least_b = (share * (1.0 - _ROUNDING) * blocks.lightest).astype(np.float32)
    counts, last_blocks, limit_read, count = np.zeros(size, np.int64), np.full((2, size), -1), -1, 0
    earlier, later = np.zeros((2, number + 1), np.float32), np.zeros((2, number + 1), np.float32)
    candidates, pairs, thresholds = np.empty(number, np.int64), np.empty((256, 2), np.int64), np.empty(256)
    for block in range(first, last):
        top, bottom = block * w, min((block + 1) * w, pair.a.shape[0] - w + 1) - 1
        lightest_a, _ = _weigh_windows(pair, blocks, counts, top, bottom, -1)
        limit, unread = _choose_lists(pair, blocks, counts, top, bottom, _UNREAD * share * (lightest_a + lightest_b))
        if limit == limit_read:
            earlier, later = later, earlier
        else:
            _read_cell(pair, blocks, counts, earlier, top, limit)
        _read_cell(pair, blocks, counts, later, top + w, limit)
        limit_read = limit
        absence = _mark_tokens(pair, blocks, last_blocks[0], block, top, bottom + w)
        least_gain = (rule.nats - absence) * (1.0 - _ROUNDING)
        weight_least = share * (1.0 - _ROUNDING) * lightest_a - unread - SLACK
        close = _find_close(earlier, later, least_b, weight_least, least_gain, candidates)
        while pairs.shape[0] < count + close:
            pairs, thresholds = np.concatenate((pairs, pairs)), np.concatenate((thresholds, thresholds))
        for k in candidates[:close]:
            gain, shared = _sum_gains(pair, blocks, last_blocks, block, k)
            surprising = shared and gain + absence >= rule.nats
            weight = earlier[1, k] + earlier[1, k + 1] + later[1, k] + later[1, k + 1]
            if surprising or (shared and weight >= least_b[k] + weight_least):
                pairs[count] = (block, k)
                thresholds[count] = rule.threshold if surprising else rule.sure
                count += 1
    return pairs[:count], thresholds[:count]


@kernel
def _weigh_windows(
    pair: Pair, blocks: ElementBlocks, counts: _Ints, top: int, bottom: int, limit: int
) -> tuple[float, float]:
    """Return the least and the greatest weight that tokens in more than ``limit`` blocks have in a window of ``a``.

    The windows are those that start at ``top`` to ``bottom``. ``counts`` [V] holds zeros, before and after.
    """
    a, idf, growth, w = pair.a, pair.idf, pair.growth, pair.window
    least, greatest, weight = np.inf, 0.0, 0.0
    for end in range(top, bottom + w):
        token = a[end]
        if blocks.lengths[token] > limit:
            weight += growth[counts[token]] * idf[token]
            counts[token] += 1
        start = end - w + 1
        if start >= top:
            least, greatest = min(least, weight), max(greatest, weight)
            token = a[start]
            if blocks.lengths[token] > limit:
                counts[token] -= 1
                weight -= growth[counts[token]] * idf[token]
    for p in range(bottom + 1, bottom + w):
        counts[a[p]] = 0
    return least, greatest


@kernel
def _choose_lists(
    pair: Pair, blocks: ElementBlocks, counts: _Ints, top: int, bottom: int, most: float
) -> tuple[int, float]:
    """The greatest length of a list that is read, and the most that tokens with longer ones weigh in a window of ``a``.

    That is ``most`` or less. Lists of tokens that are not common are read in any case.
    """
    limit = blocks.common
    while True:
        _, unread = _weigh_windows(pair, blocks, counts, top, bottom, limit)
        if unread <= most or limit >= blocks.lightest.shape[0]:
            return limit, unread
        limit = 2 * limit + 1


@kernel
def _read_cell(pair: Pair, blocks: ElementBlocks, counts: _Ints, sums: _Singles, first: int, limit: int) -> None:
    """Set ``sums`` float32 [2, K + 1] to what the cell of ``a`` from ``first`` on shares with each cell of ``b``.

    The first row is the gain in evidence over tokens that are not shared, the second the greatest weight. Tokens that
    occur in more than ``limit`` blocks are skipped. ``counts`` [V] holds zeros, before and after.
    """
    sums[:] = 0.0
    gains, weights = sums[0], sums[1]
    last = min(first + pair.window, pair.a.shape[0])
    for p in range(first, last):
        token = pair.a[p]
        if blocks.lengths[token] > limit:
            continue
        before = counts[token]
        counts[token] += 1
        greatest = min(blocks.growth[before], blocks.ceilings[token]) * pair.idf[token]
        element = blocks.elements[token] + before
        if greatest <= 0.0 or element >= blocks.elements[token + 1]:
            continue
        weight, presence = np.float32(greatest), np.float32(blocks.presence[token] if before == 0 else 0.0)
        for cell in blocks.lists[blocks.bounds[element] : blocks.bounds[element + 1]]:
            gains[cell] += presence
            weights[cell] += weight
    for p in range(first, last):
        counts[pair.a[p]] = 0


@kernel
def _mark_tokens(pair: Pair, blocks: ElementBlocks, last_blocks: _Ints, block: int, first: int, last: int) -> float:
    """Mark tokens ``first`` to ``last``, half open, of ``a`` with ``block``; return the evidence if none is shared."""
    absence = 0.0
    for p in range(first, last):
        token = pair.a[p]
        if last_blocks[token] != block:
            last_blocks[token] = block
            absence += blocks.absence[token]
    return absence


@kernel
def _find_close(
    earlier: _Singles, later: _Singles, least_b: _Singles, weight_least: float, least_gain: float, candidates: _Ints
) -> int:
    """The blocks of ``b`` that may share enough; they go to ``candidates`` int64 [K], and their number is returned.

    The sums of their two cells with the ``earlier`` and the ``later`` cell of ``a``, float32 [2, K + 1], reach the
    evidence ``least_gain``, or the weight of ``least_b`` [K] and ``weight_least`` together.
    """
    number, needed_gain, needed_weight = 0, np.float32(least_gain), np.float32(weight_least)
    for start in range(0, least_b.shape[0], _STRETCH):
        least = least_b[start : start + _STRETCH]
        size = least.shape[0]
        gain_x, weight_x = earlier[0, start : start + size + 1], earlier[1, start : start + size + 1]
        gain_y, weight_y = later[0, start : start + size + 1], later[1, start : start + size + 1]
        close = 0
        for x in range(size):  # without a branch, so that the processor compares many at once
            gain = gain_x[x] + gain_x[x + 1] + gain_y[x] + gain_y[x + 1]
            weight = weight_x[x] + weight_x[x + 1] + weight_y[x] + weight_y[x + 1]
            close += (gain >= needed_gain) | (weight >= least[x] + needed_weight)
        if close == 0:
            continue
        for x in range(size):
            gain = gain_x[x] + gain_x[x + 1] + gain_y[x] + gain_y[x + 1]
            weight = weight_x[x] + weight_x[x + 1] + weight_y[x] + weight_y[x + 1]
            if gain >= needed_gain or weight >= least[x] + needed_weight:
                candidates[number] = start + x
                number += 1
    return number


@kernel
def _sum_gains(pair: Pair, blocks: ElementBlocks, last_blocks: _Ints, block: int, k: int) -> tuple[float, bool]:
    """Return the gain in evidence from the tokens that block ``k`` of ``b`` shares, and whether it shares any.

    ``last_blocks`` int64 [2, V] marks the tokens of the other block with its number ``block``, and those that were
    counted.
    """
    gain, shared, w = 0.0, False, pair.window
    mark = block * blocks.lightest.shape[0] + k
    for token in pair.b[k * w : (k + 2) * w - 1]:
        if last_blocks[0, token] == block and pair.idf[token] > 0.0 and last_blocks[1, token] != mark:
            last_blocks[1, token] = mark
            gain += blocks.presence[token]
            shared = True
    return gain, shared
