"""Which blocks of two texts may hold similar windows: those that share more than chance gives, or very much.

Two texts of ``n`` and ``m`` tokens have ``n m`` pairs of windows, and chance makes some of them as similar as a free
rewriting. The longer the texts, the more of these; passages that were written from each other are not more. So what is
asked of two blocks grows with the texts. The tokens that they share are set against chance by a likelihood ratio
(:func:`ibidem.alignment.evidence.tell_presence`). If tokens were independent it would exceed ``x`` with a probability
of at most ``1 / x`` (Markov's inequality). What is asked is the number of blocks of ``b``, so for each block of ``a``
chance leaves about one, however long the texts. Similarity alone does not do that: it counts the common words, too, and
these are what unrelated blocks share.

Windows that are surely similar are found in any blocks, since the weight of what two blocks share bounds that of what
their windows share. For both a *prefix filter* leaves the longest lists unread, those of the common tokens: as long as
these alone do not make windows surely similar.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.alignment.blocks import ElementBlocks
from ibidem.alignment.evidence import SLACK
from ibidem.alignment.weighted_pair import Pair

__all__ = ["SURE", "BlockPairs", "SeedRule", "find_block_pairs", "similar_blocks"]

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]

SURE = 0.65
"""A similarity of windows, halfway from what is looked for to 1, that is no chance."""

_UNREAD = 0.9
"""Lists are left unread up to this part of the weight that surely similar windows share. With more, there are more
pairs of blocks to search; with less, longer lists to read."""

_AT_ONCE = 256
"""Blocks of ``a`` whose pairs are held in memory."""


class SeedRule(NamedTuple):
    """Which pairs of windows are seeds.

    Attributes:
        threshold: the least similarity of windows in two blocks whose shared tokens tell ``nats`` or more.
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

    The windows of ``a`` are in blocks of ``w`` starts as those of ``b`` are.
    """
    w, lightest = pair.window, blocks.lightest
    rows = pair.a.shape[0] - w + 1
    # shared >= sure * either says the same as shared >= share * (weight_a + weight_b)
    share = rule.sure / (1.0 + rule.sure)
    counts, sums = np.zeros(pair.idf.shape[0], np.int64), np.zeros((lightest.shape[0], 2))
    touched, lightest_b, found = np.empty(lightest.shape[0], np.int64), lightest.min(), 0
    pairs, thresholds = np.empty((256, 2), np.int64), np.empty(256)
    for block in range(first, last):
        top, bottom = block * w, min((block + 1) * w, rows) - 1
        lightest_a, _ = _weigh_windows(pair, blocks, counts, top, bottom, -1)
        limit, unread = _choose_lists(pair, blocks, counts, top, bottom, _UNREAD * share * (lightest_a + lightest_b))
        number, lacked = _read_lists(pair, blocks, counts, sums, touched, top, bottom + w, limit)
        while pairs.shape[0] < found + number:
            pairs, thresholds = np.concatenate((pairs, pairs)), np.concatenate((thresholds, thresholds))
        for t in range(number):
            k = touched[t]
            shared, told = sums[k, 0] + unread, sums[k, 1] + lacked
            sums[k] = 0.0
            surprising = told >= rule.nats
            if surprising or shared >= share * (lightest_a + lightest[k]) - SLACK:
                pairs[found] = (block, k)
                thresholds[found] = rule.threshold if surprising else rule.sure
                found += 1
    return pairs[:found], thresholds[:found]


@kernel
def _weigh_windows(
    pair: Pair, blocks: ElementBlocks, counts: _Ints, top: int, bottom: int, limit: int
) -> tuple[float, float]:
    """The least and the greatest weight, in a window of ``a``, of tokens that stand in more than ``limit`` blocks.

    The windows are those that start at ``top`` to ``bottom``. ``counts`` [V] holds zeros, before and after.
    """
    a, idf, growth, w = pair.a, pair.idf, pair.growth, pair.window
    least, greatest, weight = np.inf, 0.0, 0.0
    for end in range(top, bottom + w):
        token = a[end]
        if _length(blocks, token) > limit:
            weight += growth[counts[token]] * idf[token]
            counts[token] += 1
        start = end - w + 1
        if start >= top:
            least, greatest = min(least, weight), max(greatest, weight)
            token = a[start]
            if _length(blocks, token) > limit:
                counts[token] -= 1
                weight -= growth[counts[token]] * idf[token]
    for p in range(bottom + 1, bottom + w):
        counts[a[p]] = 0
    return least, greatest


@kernel
def _length(blocks: ElementBlocks, token: int) -> int:
    """In how many blocks of ``b`` a token stands."""
    first = blocks.elements[token]
    if first == blocks.elements[token + 1]:
        return 0
    length: int = blocks.bounds[first + 1] - blocks.bounds[first]
    return length


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
def _read_lists(
    pair: Pair, blocks: ElementBlocks, counts: _Ints, sums: _Floats, touched: _Ints, first: int, last: int, limit: int
) -> tuple[int, float]:
    """Add to ``sums`` float64 [K, 2] what the tokens ``first`` to ``last`` of ``a``, half open, share with each block.

    First what it weighs, then what more it tells than if it were not shared; returned is what it tells if nothing is
    shared. Tokens that stand in more than ``limit`` blocks are passed over. The blocks go to ``touched``; returns their
    number. ``counts`` [V] holds zeros, before and after.
    """
    number, nothing = 0, 0.0
    for p in range(first, last):
        token = pair.a[p]
        if _length(blocks, token) > limit:
            continue
        change, held = pair.growth[counts[token]] * pair.idf[token], 0.0
        if counts[token] == 0:
            nothing += blocks.lacked[token]
            held = blocks.held[token]
        element = blocks.elements[token] + counts[token]
        counts[token] += 1
        if change <= 0.0 or element >= blocks.elements[token + 1]:
            continue
        for entry in range(blocks.bounds[element], blocks.bounds[element + 1]):
            k = blocks.lists[entry]
            if sums[k, 0] == 0.0:
                touched[number] = k
                number += 1
            sums[k, 0] += change
            sums[k, 1] += held
    for p in range(first, last):
        counts[pair.a[p]] = 0
    return number, nothing
