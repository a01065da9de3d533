"""Places of training documents that may hold a part: where enough of its rare bigrams lie close together.

Each part has *seeds*: its bigrams that are rare in the training data and in few parts, so that a running token of the
training data has hardly ever a posting to look at. A document is a candidate for a part where the seeds within a
stretch of about the part's length have a share of the weight of all.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.contamination.bigrams import BigramTable
from ibidem.contamination.parts import Parts
from ibidem.contamination.surprise import Surprise
from ibidem.hashing import mix64
from ibidem.kernels import kernel
from ibidem.ragged import bounds_of
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]

_BUDGET = 0.02
"""Postings that a running token of the training data leads to, on average."""

_LEAST = 0.6
"""Share of the weight of a part that its seeds have at least, even if some are common."""

_NEEDED = 0.2
"""Share of the weight of its seeds that a candidate holds at least."""

_SLACK = 32
"""Tokens by which a place may be longer than half as long again as the part."""


class BigramPostings(NamedTuple):
    """The postings of the bigrams of all parts; those of one bigram are together.

    Attributes:
        bounds: int64 [B + 1].
        parts, places: int32 [N], a part, and which of its tokens the bigram ends at.
        weights: float32 [N], the weight of the second token of the bigram, and at the beginning of a part that of the
            first, too.
        least_weights: float32 [P], the weight of seeds that a candidate has.
        widths: int64 [P], the tokens of a stretch.
    """

    bounds: _Ints
    parts: npt.NDArray[np.int32]
    places: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float32]
    least_weights: npt.NDArray[np.float32]
    widths: _Ints


def choose_seeds(
    parts: Parts, surprise: Surprise, shares: npt.NDArray[np.float64]
) -> tuple[BigramTable, BigramPostings]:
    """The seeds of all parts, and the table of their bigrams.

    ``shares`` float64 [P] are those that parts are found with at least; a part that needs more than all has no seeds.
    """
    lengths = np.diff(parts.bounds)
    owners = np.repeat(np.arange(len(parts)), lengths)
    places = np.arange(len(parts.ids)) - np.repeat(parts.bounds[:-1], lengths)
    known_bigrams = np.flatnonzero((surprise.numbers >= 0) & (shares[owners] <= 1))
    numbers, owners, places = surprise.numbers[known_bigrams], owners[known_bigrams], places[known_bigrams]
    weights = surprise.weights[known_bigrams] + np.where(places == 1, surprise.weights[known_bigrams - 1], 0.0)
    is_seed = _choose(numbers, owners, weights, surprise, len(parts))
    numbers, owners, places, weights = numbers[is_seed], owners[is_seed], places[is_seed], weights[is_seed]
    distinct, numbers = np.unique(numbers, return_inverse=True)
    order = np.argsort(numbers, kind="stable")
    seed_weights = np.bincount(owners, weights, len(parts))
    least_weights = _NEEDED * seed_weights
    return BigramTable.of(surprise.distinct[distinct]), BigramPostings(
        bounds_of(np.bincount(numbers, minlength=len(distinct))),
        owners[order].astype(np.int32),
        places[order].astype(np.int32),
        weights[order].astype(np.float32),
        np.maximum(least_weights, 1e-3).astype(np.float32),
        lengths + lengths // 2 + _SLACK,
    )


def _choose(
    numbers: _Ints, owners: _Ints, weights: npt.NDArray[np.float64], surprise: Surprise, count: int
) -> npt.NDArray[np.bool_]:
    """Return which of the bigrams of all parts are seeds: the cheapest, and of each part some."""
    cost = surprise.rates * np.bincount(numbers, minlength=len(surprise.distinct))
    order = np.argsort(cost, kind="stable")
    is_cheap = np.zeros(len(cost), np.bool_)
    is_cheap[order[np.cumsum(cost[order]) <= _BUDGET]] = True
    is_seed = is_cheap[numbers]
    by_part = np.lexsort((cost[numbers], owners))
    totals = np.bincount(owners, weights, count)
    sums = np.cumsum(weights[by_part])
    firsts = np.searchsorted(owners[by_part], owners[by_part])
    weight_before = sums - weights[by_part] - np.where(firsts > 0, sums[firsts - 1], 0.0)
    is_seed[by_part[weight_before < _LEAST * totals[owners[by_part]]]] = True
    return is_seed


def find_candidates(
    ids: npt.NDArray[np.uint32], bounds: _Ints, table: BigramTable, seeds: BigramPostings
) -> tuple[_Ints, npt.NDArray[np.float64]]:
    """The places of documents that may hold a part: int64 [C, 4], the document, the part, and the first and last hit.

    Hits are places in ``ids``. A document has one place of a part, that of the most weight, which is float64 [C].
    """
    hits = _find_hits(ids, bounds, table, seeds, np.zeros(len(seeds.least_weights), np.float32))
    order = np.argsort(hits[:, 0].astype(np.int64) << 32 | hits[:, 1], kind="stable")
    longest = int(seeds.places.max()) + 1 if len(seeds.places) else 1
    return _find_best_stretches(hits[order], seeds, np.zeros(longest, np.int64))


@kernel
def _find_hits(
    ids: npt.NDArray[np.uint32],
    bounds: _Ints,
    table: BigramTable,
    seeds: BigramPostings,
    scores: npt.NDArray[np.float32],
) -> _Ints:
    """The postings of all bigrams of documents: int64 [H, 4], the document, the part, the place and the posting.

    Parts that have not enough in a document are left out. ``scores`` [P] holds zeros before and after.
    """
    slots = table.slots
    posting_bounds, parts, _, weights, least_weights, _ = seeds
    mask = np.uint64(slots.shape[0] - 1)
    places = np.empty(max(1, (bounds[1:] - bounds[:-1]).max()), np.int64)
    hits, size = np.empty((1024, 4), np.int64), 0
    for document in range(bounds.shape[0] - 1):
        begin = size
        for p in range(_pass_filter(ids, bounds[document], bounds[document + 1], table.filter, places)):
            j = places[p]
            key = mix64(np.uint64(ids[j - 1]) << np.uint64(32) | np.uint64(ids[j]))
            slot = key & mask
            while slots[slot, 1] != np.uint64(0) and slots[slot, 0] != key:
                slot = (slot + np.uint64(1)) & mask
            number = np.int64(slots[slot, 1]) - 1
            if number < 0:
                continue
            while hits.shape[0] < size + posting_bounds[number + 1] - posting_bounds[number]:
                hits = np.concatenate((hits, np.empty_like(hits)))
            for posting in range(posting_bounds[number], posting_bounds[number + 1]):
                part = parts[posting]
                scores[part] += weights[posting]
                hits[size, 0] = document
                hits[size, 1] = part
                hits[size, 2] = j
                hits[size, 3] = posting
                size += 1
        end = begin
        for h in range(begin, size):
            part = hits[h, 1]
            if scores[part] < 0.0 or scores[part] >= least_weights[part]:
                scores[part] = np.float32(-1)  # enough
                for column in range(4):
                    hits[end, column] = hits[h, column]
                end += 1
            else:
                scores[part] = np.float32(0)
        for h in range(begin, end):
            scores[hits[h, 1]] = np.float32(0)
        size = end
    return hits[:size].copy()


@kernel
def _pass_filter(ids: npt.NDArray[np.uint32], low: int, high: int, bloom: npt.NDArray[np.uint64], places: _Ints) -> int:
    """Write the places of the bigrams that the filter of a table lets through, and count them.

    By itself and without a branch, so that the processor need not guess which bigrams these are.
    """
    mask, count = np.uint64(bloom.shape[0] - 1), 0
    for j in range(low + 1, high):
        key = mix64(np.uint64(ids[j - 1]) << np.uint64(32) | np.uint64(ids[j]))
        bits = np.uint64(1) << (key >> np.uint64(58)) | np.uint64(1) << ((key >> np.uint64(52)) & np.uint64(63))
        places[count] = j
        count += 1 if bloom[(key >> np.uint64(20)) & mask] & bits == bits else 0
    return count


@kernel
def _find_best_stretches(hits: _Ints, seeds: BigramPostings, uses: _Ints) -> tuple[_Ints, npt.NDArray[np.float64]]:
    """The stretch of the most weight of each document and part that has enough, int64 [C, 4], and this weight.

    ``uses`` int64 [longest part] holds zeros before and after.
    """
    _, _, places, weights, least_weights, widths = seeds
    stretches, weights_of, size = np.empty((hits.shape[0], 4), np.int64), np.empty(hits.shape[0]), 0
    low = 0
    while low < hits.shape[0]:
        document, part = hits[low, 0], hits[low, 1]
        high = low
        while high < hits.shape[0] and hits[high, 0] == document and hits[high, 1] == part:
            high += 1
        total, best, first, last, begin = 0.0, 0.0, low, low, low
        for h in range(low, high):
            posting = hits[h, 3]
            if uses[places[posting]] == 0:
                total += weights[posting]
            uses[places[posting]] += 1
            while hits[h, 2] - hits[begin, 2] >= widths[part]:
                left_posting = hits[begin, 3]
                uses[places[left_posting]] -= 1
                if uses[places[left_posting]] == 0:
                    total -= weights[left_posting]
                begin += 1
            if total > best + SLACK:
                best, first, last = total, begin, h
        for h in range(begin, high):
            uses[places[hits[h, 3]]] = 0
        if best >= least_weights[part] * 0.999:
            stretches[size, 0] = document
            stretches[size, 1] = part
            stretches[size, 2] = hits[first, 2]
            stretches[size, 3] = hits[last, 2]
            weights_of[size] = best
            size += 1
        low = high
    return stretches[:size].copy(), weights_of[:size].copy()
