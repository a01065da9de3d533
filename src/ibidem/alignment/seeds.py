"""Seeds of an alignment: pairs of similar windows of two texts.

Every two windows are found that are similar by a threshold, of all blocks that may hold such windows
(:mod:`ibidem.alignment.block_pairs`). Two blocks share at least what any two windows in them share, so a window is
first compared with a whole block, and only then with its windows.

Windows that overlap are alike, so most windows of ``a`` need no comparison at all. Call *gain* what two windows share,
less the least that they would share if they were similar: they are if it is not negative. With the share ``r`` of
their two weights that similar windows have in common, it is ``shared - r * (weight_a + weight_b)``. When a window of
``a`` moves by one token, its gain with any window of ``b`` grows by at most ``1 - r`` times the weight of the token
that enters and ``r`` times that of the one that leaves (``_rise``). So after the greatest gain of a window with a block
was found to be negative, the block is not compared again before these sums could have made up for it.
"""

import numpy as np
import numpy.typing as npt

from ibidem.alignment.block_pairs import BlockPairs, SeedRule, find_block_pairs
from ibidem.alignment.blocks import ElementBlocks
from ibidem.alignment.overlap_evidence import CHANCE, evidence
from ibidem.alignment.weighted_pair import Pair
from ibidem.kernels import inlined, kernel
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]

_SMALL = 1 << 14
"""Tokens of one side of a box times those of the other."""


@kernel
def _slide(
    pair: Pair, blocks: ElementBlocks, counts: _Ints, overlap: _Floats, first: int, position: int, sign: int
) -> float:
    """Let the token at ``position`` of ``a`` enter (sign 1) or leave (-1) the window; return the change of its weight.

    ``overlap`` [k] is the most that the window shares with the blocks from ``first`` on.
    """
    elements, bounds, lists = blocks.elements, blocks.bounds, blocks.lists
    token, size = pair.a[position], overlap.shape[0]
    before = counts[token] if sign > 0 else counts[token] - 1
    counts[token] += sign
    element = elements[token] + before
    if element < elements[token + 1]:
        most = sign * min(blocks.growth[before], blocks.ceilings[token]) * pair.idf[token]
        p, end = bounds[element], bounds[element + 1]
        p += np.searchsorted(lists[p:end], first)
        while p < end and lists[p] <= first + size:
            k = lists[p] - first
            if k > 0:
                overlap[k - 1] += most
            if k < size:
                overlap[k] += most
            p += 1
    return float(sign * pair.growth[before] * pair.idf[token])


@kernel
def _seeds_between(
    pair: Pair, counts_a: _Ints, counts_b: _Ints, weight_a: float, first: int, last: int, threshold: float, nats: float
) -> tuple[int, int, float]:
    """The first and last start of a window of ``b``, among ``first`` to ``last``, similar to the window of ``a``.

    Two windows are similar by ``threshold`` and by ``nats`` of evidence. (-1, -1) if none is. The third value is the
    greatest gain of these windows. ``counts_b`` [V] holds zeros, before and after.
    """
    b, idf, growth, w = pair.b, pair.idf, pair.growth, pair.window
    lowest, highest, share, greatest = -1, -1, threshold / (1.0 + threshold), -np.inf
    shared, weight_b = 0.0, 0.0
    for end in range(first, last + w):
        token = b[end]
        count = counts_b[token]
        change = growth[count] * idf[token]
        weight_b += change
        if count < counts_a[token]:
            shared += change
        counts_b[token] = count + 1
        start = end - w + 1
        if start >= first:
            either = weight_a + weight_b - shared
            greatest = max(greatest, shared - share * (weight_a + weight_b))
            is_similar = shared >= threshold * either - SLACK and either > SLACK
            if is_similar and (nats == -np.inf or evidence(shared, either, CHANCE) >= nats):
                highest = start
                if lowest < 0:
                    lowest = start
            token = b[start]
            count = counts_b[token] - 1
            change = growth[count] * idf[token]
            weight_b -= change
            if count < counts_a[token]:
                shared -= change
            counts_b[token] = count
    for p in range(last + 1, last + w):
        counts_b[b[p]] = 0
    return lowest, highest, greatest


@inlined
def _rise(share: float, entering: float, leaving: float) -> float:
    """The most by which gains grow when tokens that change its weight by so much enter and leave a window."""
    return (1.0 - share) * entering + share * leaving


@inlined
def _lowest_rise(greatest: float, weight: float) -> float:
    """The rise below which no window reaches a gain of 0, of which the ``greatest`` was found, but for rounding."""
    return -greatest - SLACK * (2.0 + weight)


@kernel
def seed_boxes(
    pair: Pair, blocks: ElementBlocks, searched: BlockPairs, reach: int, boxes: _Ints, count: int, first: int
) -> tuple[int, int]:
    """Boxes around the seeds in the pairs of blocks ``searched``, from the pair ``first`` on.

    A box is the first and last start of a window in ``a`` and in ``b``, inclusive: a row of ``boxes`` int64 [room, 4],
    of which ``count`` are taken. A seed within ``reach`` starts of a box in both texts is taken into it, and blocks
    that lie in a box are not searched; ``reach`` is at least ``w``. Returns the number of boxes and the pair of blocks
    to go on from: less than their number if there is no more room.
    """
    w, rows, starts = pair.window, pair.a.shape[0] - pair.window + 1, pair.b.shape[0] - pair.window + 1
    counts, seeds = np.zeros((3, pair.idf.shape[0]), np.int64), np.empty((w, 2), np.int64)
    live, alive, top = np.arange(boxes.shape[0]), count, -1
    for t in range(first, searched.blocks.shape[0]):
        block, k = searched.blocks[t]
        if block * w > top:
            top = block * w
            alive = _still_near(boxes, live, alive, top - reach)
        bottom = min(top + w, rows) - 1
        if _holds(boxes, live, alive, top, bottom, k * w, min((k + 1) * w, starts) - 1):
            continue
        _search_blocks(pair, blocks, counts, seeds, top, bottom, k, searched.thresholds[t])
        for i in range(top, bottom + 1):
            lowest, highest = seeds[i - top]
            if lowest < 0:
                continue
            near = _nearest(boxes, live[:alive], i - reach, lowest - reach, highest + reach)
            if near >= 0:
                boxes[near, 0], boxes[near, 1] = min(boxes[near, 0], i), max(boxes[near, 1], i)
                boxes[near, 2], boxes[near, 3] = min(boxes[near, 2], lowest), max(boxes[near, 3], highest)
                continue
            if count == boxes.shape[0]:
                return count, t
            boxes[count] = (i, i, lowest, highest)
            live[alive] = count
            alive += 1
            count += 1
    return count, searched.blocks.shape[0]


@kernel
def _search_blocks(
    pair: Pair, blocks: ElementBlocks, counts: _Ints, seeds: _Ints, top: int, bottom: int, k: int, threshold: float
) -> None:
    """Set ``seeds`` int64 [w, 2]: the first and last start in block ``k`` of windows similar to each window of ``a``.

    The windows of ``a`` start at ``top`` to ``bottom``; (-1, -1) where none is similar by ``threshold``. ``counts``
    int64 [3, V] holds zeros, before and after.
    """
    a, b, idf, growth, w = pair.a, pair.b, pair.idf, pair.growth, pair.window
    in_window, in_block, spare = counts[0], counts[1], counts[2]
    first, last = k * w, min((k + 1) * w, b.shape[0] - w + 1) - 1
    share = threshold / (1.0 + threshold)
    for p in range(first, last + w):
        in_block[b[p]] += 1
    weight, shared, needed = 0.0, 0.0, 0.0
    for end in range(top, bottom + w):
        token = a[end]
        change = growth[in_window[token]] * idf[token]
        weight += change
        needed -= _rise(share, change, 0.0)
        if in_window[token] < in_block[token]:
            shared += change
        in_window[token] += 1
        start = end - w + 1
        if start >= top:
            seeds[start - top] = -1
            if needed <= 0.0 and shared >= share * (weight + blocks.lightest[k]) - SLACK:
                lowest, highest, greatest = _seeds_between(
                    pair, in_window, spare, weight, first, last, threshold, -np.inf
                )
                seeds[start - top] = lowest, highest
                needed = _lowest_rise(greatest, weight)
            token = a[start]
            in_window[token] -= 1
            change = growth[in_window[token]] * idf[token]
            weight -= change
            needed -= _rise(share, 0.0, change)
            if in_window[token] < in_block[token]:
                shared -= change
    for p in range(bottom + 1, bottom + w):
        in_window[a[p]] = 0
    for p in range(first, last + w):
        in_block[b[p]] = 0


@kernel
def _still_near(boxes: _Ints, live: _Ints, alive: int, row: int) -> int:
    """Keep, of the first ``alive`` indices in ``live``, those of boxes that end at ``row`` or later; their number."""
    kept = 0
    for y in range(alive):
        if boxes[live[y], 1] >= row:
            live[kept] = live[y]
            kept += 1
    return kept


@kernel
def _holds(boxes: _Ints, live: _Ints, alive: int, top: int, bottom: int, first: int, last: int) -> bool:
    """Whether a live box holds the starts ``top`` to ``bottom`` of ``a`` and ``first`` to ``last`` of ``b``."""
    for y in range(alive):
        x = live[y]
        if boxes[x, 0] <= top and bottom <= boxes[x, 1] and boxes[x, 2] <= first and last <= boxes[x, 3]:
            return True
    return False


@kernel
def _nearest(boxes: _Ints, live: _Ints, row: int, first: int, last: int) -> int:
    """The first live box that ends at ``row`` or later and has a start among ``first`` to ``last``, or -1."""
    for x in live:
        if boxes[x, 1] >= row and boxes[x, 2] <= last and first <= boxes[x, 3]:
            return int(x)
    return -1


@kernel
def has_seed(pair: Pair, threshold: float) -> bool:
    """Whether any two windows of two short texts are similar by ``threshold``; every two are compared."""
    a, idf, growth, w = pair.a, pair.idf, pair.growth, pair.window
    counts, spare = np.zeros(idf.shape[0], np.int64), np.zeros(idf.shape[0], np.int64)
    weight, needed, share = 0.0, 0.0, threshold / (1.0 + threshold)
    for end in range(a.shape[0]):
        change = growth[counts[a[end]]] * idf[a[end]]
        weight += change
        needed -= _rise(share, change, 0.0)
        counts[a[end]] += 1
        start = end - w + 1
        if start < 0:
            continue
        if needed <= 0.0:
            last = pair.b.shape[0] - w
            lowest, _, greatest = _seeds_between(pair, counts, spare, weight, 0, last, threshold, -np.inf)
            if lowest >= 0:
                return True
            needed = _lowest_rise(greatest, weight)
        counts[a[start]] -= 1
        change = growth[counts[a[start]]] * idf[a[start]]
        weight -= change
        needed -= _rise(share, 0.0, change)
    return False


def lacks_seed(pair: Pair, box: _Ints, threshold: float) -> bool:
    """Whether ``box`` is so small that all of its windows are compared, and no two are similar by ``threshold``.

    So the blocks of two texts need not be made for it, which takes longer.
    """
    if (box[1] - box[0]) * (box[3] - box[2]) > _SMALL:
        return False
    passages = pair._replace(a=pair.a[box[0] : box[1]], b=pair.b[box[2] : box[3]])
    return not has_seed(passages, threshold - SLACK)


@kernel
def next_seed(
    pair: Pair, blocks: ElementBlocks, threshold: float, nats: float, box: _Ints, pairs: _Ints
) -> tuple[int, int]:
    """The first seed in ``box``, of ``nats`` of evidence, whose windows do not both meet one of the pairs ``pairs``.

    ``box`` int64 [4] and the rows of ``pairs`` int64 [R, 4] are half-open ranges of tokens, in ``a`` and in ``b``. The
    first seed is the one that starts first in ``a``, then in ``b``. Returns its two starts, or (-1, -1).
    """
    w = pair.window
    share = threshold / (1.0 + threshold)
    counts_a, counts_b = np.zeros(pair.idf.shape[0], np.int64), np.zeros(pair.idf.shape[0], np.int64)
    base = box[2] // w
    overlap = -share * blocks.lightest[base : (box[3] - w) // w + 1]
    weight, risen, needed = 0.0, 0.0, np.zeros(overlap.shape[0])  # how far gains have risen, and must, by blocks
    for p in range(box[0], box[0] + w - 1):
        weight += _slide(pair, blocks, counts_a, overlap, base, p, 1)
    for i in range(box[0], box[1] - w + 1):
        entering = _slide(pair, blocks, counts_a, overlap, base, i + w - 1, 1)
        weight += entering
        risen += _rise(share, entering, 0.0)
        for k in range(base, base + overlap.shape[0]):
            if risen < needed[k - base] or overlap[k - base] < share * weight - SLACK * (1.0 + weight):
                continue
            first, last = max(box[2], k * w), min(box[3] - w, (k + 1) * w - 1)
            while first <= last:
                free = _past(pairs, i, first, w)
                if free > first:
                    first = free
                    continue
                start, _, greatest = _seeds_between(pair, counts_a, counts_b, weight, first, last, threshold, nats)
                if first == max(box[2], k * w):
                    needed[k - base] = risen + _lowest_rise(greatest, weight)
                if start < 0:
                    break
                if _past(pairs, i, start, w) == start:
                    return i, start
                first = start
        leaving = -_slide(pair, blocks, counts_a, overlap, base, i, -1)
        weight -= leaving
        risen += _rise(share, 0.0, leaving)
    return -1, -1


@kernel
def _past(boxes: _Ints, i: int, j: int, w: int) -> int:
    """``j``, or if the windows at ``i`` and ``j`` meet pairs of ``boxes``, the last end of these pairs in ``b``."""
    past = j
    for x in range(boxes.shape[0]):
        if boxes[x, 0] < i + w and i < boxes[x, 1] and boxes[x, 2] < j + w and j < boxes[x, 3]:
            past = max(past, boxes[x, 3])
    return past


def find_seed_boxes(pair: Pair, blocks: ElementBlocks, threshold: float) -> _Ints:
    """Boxes [B, 4] around all seeds: half-open ranges of tokens, those of ``a`` first.

    A seed is a pair of windows with a similarity of at least ``threshold``, in blocks that share more than chance
    gives, or a surely similar one (:class:`ibidem.alignment.block_pairs.SeedRule`). Seeds whose windows start within
    two windows of each other in both texts are in one box; boxes that have grown together are not yet joined.
    """
    window = pair.window
    boxes, count = np.empty((256, 4), np.int64), 0
    for block_pairs in find_block_pairs(pair, blocks, SeedRule.of(blocks, threshold)):
        blocks_done = 0
        while True:
            count, blocks_done = seed_boxes(pair, blocks, block_pairs, 2 * window, boxes, count, blocks_done)
            if blocks_done == len(block_pairs.blocks):
                break
            boxes = np.concatenate([boxes, np.empty_like(boxes)])
    starts: _Ints = boxes[:count] + np.array([0, window, 0, window])
    return starts
