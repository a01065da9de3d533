"""Local alignment of the parts of items with places of documents.

An alignment is worth the weights of the tokens that it matches, less a price for each token that is missing or added
between them; one that is replaced is both. What it leaves may be aligned again: sentences in another order are several
alignments, each of which must be worth ``BLOCK``.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.hashing import GOLDEN
from ibidem.kernels import kernel

_Ints = npt.NDArray[np.int64]
_Tokens = npt.NDArray[np.uint32]

MISSING, ADDED = 1.0, 0.5
"""The price of a token of the part that is missing, and of one of the document in between, in nats."""

BLOCK = 10.0
"""The least worth of a further alignment, in nats."""


class AlignedParts(NamedTuple):
    """The alignments of places of documents with parts.

    Attributes:
        scores: float64 [C], what the alignments are worth, in nats.
        shared: float64 [C], the weight of the tokens of the part that were matched.
        places: int64 [S], for each token of the part its place in the tokens of all documents, or -1.
        bounds: int64 [C + 1], of the places of each candidate.
    """

    scores: npt.NDArray[np.float64]
    shared: npt.NDArray[np.float64]
    places: _Ints
    bounds: _Ints

    def places_of(self, candidate: int) -> _Ints:
        """The places of a candidate, int64 [n]."""
        return self.places[self.bounds[candidate] : self.bounds[candidate + 1]]


class AlignableParts(NamedTuple):
    """Parts as they are aligned.

    Attributes:
        ids: uint32 [T], their tokens.
        bounds: int64 [P + 1].
        weights: float64 [T], of the tokens, in nats.
        least: float64 [P], the weight that must occur at a place, in any order, for a part to be aligned with it.
    """

    ids: _Tokens
    bounds: _Ints
    weights: npt.NDArray[np.float64]
    least: npt.NDArray[np.float64]


class _Scratch(NamedTuple):
    """Room for the alignment of one candidate."""

    part: _Ints
    text: _Ints
    slots: _Ints
    rows: npt.NDArray[np.float64]
    steps: npt.NDArray[np.uint8]


def align_candidates(
    ids: _Tokens,
    bounds: _Ints,
    candidates: _Ints,
    alignable: AlignableParts,
) -> AlignedParts:
    """Align each candidate, int64 [C, 4] as ``find_candidates`` returns them, with its part."""
    documents, parts = candidates[:, 0], candidates[:, 1]
    lengths = np.diff(alignable.bounds)[parts]
    margins = lengths + lengths // 4 + 8
    areas = np.stack(
        [
            np.maximum(candidates[:, 2] - margins, bounds[documents]),
            np.minimum(candidates[:, 3] + margins + 1, bounds[documents + 1]),
        ],
        axis=1,
    )
    place_bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    places = np.full(int(place_bounds[-1]), -1, np.int64)
    longest = int(lengths.max(initial=1))
    widest = int((areas[:, 1] - areas[:, 0]).max(initial=1))
    bits = int(2 * longest).bit_length()
    scratch = _Scratch(
        np.zeros(longest, np.int64),
        np.zeros(widest, np.int64),
        np.zeros(1 << bits, np.int64),
        np.zeros((2, widest + 1)),
        np.zeros((longest + 1, widest + 1), np.uint8),
    )
    jobs = np.concatenate([parts[:, np.newaxis], areas, place_bounds[:-1, np.newaxis]], axis=1)
    sums = np.zeros((2, len(parts)))
    _align_all(ids, jobs, alignable, scratch, places, sums)
    return AlignedParts(sums[0], sums[1], places, place_bounds)


@kernel
def _align_all(
    ids: _Tokens,
    candidates: _Ints,
    parts: AlignableParts,
    scratch: _Scratch,
    places: _Ints,
    sums: npt.NDArray[np.float64],
) -> None:
    """Fill ``places`` and ``sums`` float64 [2, C], what alignments are worth and the weight that they match.

    ``candidates`` int64 [C, 4] has the part, the area in ``ids``, half open, and the first of its places.
    """
    part_tokens, text_tokens, slots, _, _ = scratch
    part_ids, part_bounds, weights, least = parts
    for c in range(candidates.shape[0]):
        part, low, high, first = candidates[c, 0], candidates[c, 1], candidates[c, 2], candidates[c, 3]
        begin, end = part_bounds[part], part_bounds[part + 1]
        length, width = end - begin, high - low
        _number_tokens(part_ids[begin:end], ids[low:high], slots, part_tokens, text_tokens)
        total, present_weight = 0.0, 0.0
        for i in range(length):
            total += weights[begin + i]
            if slots[part_tokens[i]] < 0:
                present_weight += weights[begin + i]
        if present_weight < least[part] * 0.999:
            continue
        score, i, j = _fill_steps(length, width, weights[begin:end], scratch)
        while score > 0.0:
            sums[0, c] += score
            sums[1, c] += _trace(i, j, weights[begin:end], scratch, places[first : first + length], low)
            if sums[1, c] > total - BLOCK:
                break
            score, i, j = _fill_steps(length, width, weights[begin:end], scratch)
            if score < BLOCK:
                break


@kernel
def _number_tokens(part: _Tokens, text: _Tokens, slots: _Ints, part_tokens: _Ints, text_tokens: _Ints) -> None:
    """Number the tokens of a part by the slots of a table, and those of the text alike; -1 for all others.

    Afterwards ``slots`` holds, negative, the slots of tokens that the text has.
    """
    bits = np.uint64(0)
    while (1 << np.int64(bits)) < slots.shape[0]:
        bits += np.uint64(1)
    mask = slots.shape[0] - 1
    slots[:] = 0
    for i in range(part.shape[0]):
        slot = np.int64((np.uint64(part[i]) * GOLDEN) >> (np.uint64(64) - bits))
        while slots[slot] != 0 and slots[slot] != np.int64(part[i]) + 1:
            slot = (slot + 1) & mask
        slots[slot] = np.int64(part[i]) + 1
        part_tokens[i] = slot
    for j in range(text.shape[0]):
        slot = np.int64((np.uint64(text[j]) * GOLDEN) >> (np.uint64(64) - bits))
        mark = np.int64(text[j]) + 1
        while slots[slot] != 0 and abs(slots[slot]) != mark:
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            text_tokens[j] = -1
        else:
            text_tokens[j] = slot
            slots[slot] = -mark


@kernel
def _fill_steps(length: int, width: int, weights: npt.NDArray[np.float64], scratch: _Scratch) -> tuple[float, int, int]:
    """The best local alignment: what it is worth, and its last token in the part and in the text, from 1."""
    part, text, _, rows, steps = scratch
    rows[0, : width + 1] = 0.0
    best, best_i, best_j = 0.0, 0, 0
    for i in range(1, length + 1):
        previous_row, row = rows[(i - 1) & 1], rows[i & 1]
        row[0] = 0.0
        token, weight = part[i - 1], weights[i - 1]
        for j in range(1, width + 1):
            score, step = 0.0, 0
            if token >= 0 and text[j - 1] == token:
                score, step = previous_row[j - 1] + weight, 1
            if previous_row[j] - MISSING > score:
                score, step = previous_row[j] - MISSING, 2
            if row[j - 1] - ADDED > score:
                score, step = row[j - 1] - ADDED, 3
            row[j] = score
            steps[i, j] = step
            if score > best:
                best, best_i, best_j = score, i, j
    return best, best_i, best_j


@kernel
def _trace(i: int, j: int, weights: npt.NDArray[np.float64], scratch: _Scratch, places: _Ints, low: int) -> float:
    """Fill the places of the tokens that an alignment matches, remove these from both texts; return their weight."""
    part, text, _, _, steps = scratch
    weight = 0.0
    while i > 0 and j > 0 and steps[i, j] != 0:
        step = steps[i, j]
        if step == 1:
            weight += weights[i - 1]
            places[i - 1] = low + j - 1
            part[i - 1] = -2
            text[j - 1] = -3
        i -= step != 3
        j -= step != 2
    return weight
