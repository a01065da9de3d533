"""From a rough pair of passages to the best one around it.

Each end moves to where the evidence against chance (:mod:`ibidem.alignment.overlap_evidence`) is greatest. There, what
follows is about half as similar as the passage itself, be that a copy or a free translation: no gap, no least
similarity of windows and no price of a lost word has to be set.
"""

import numpy as np
import numpy.typing as npt

from ibidem.alignment.overlap_evidence import CHANCE, evidence
from ibidem.alignment.weighted_pair import Pair
from ibidem.kernels import kernel
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]

MEASURE, GROW, GROW_AND_TRIM = 0, 1, 2
"""Modes of a climb: leave the ends as they are, move them outwards, or move them both ways."""

ROUNDS = 200
"""The climb of an end stops of itself after a few rounds; this stops one in which two states, by rounding, each look
the better."""

TURNS = 32
"""How often an end may move without its passages becoming shorter, before it may move outwards alone. Where it goes
follows from the zone next to it, and with another zone it may go back: then a climb would go to and fro for ever."""

ZONE = 512
"""Tokens at an end of a passage that decide where it ends. In a long passage nearly every word has a counterpart
somewhere, and all of it would say little about its end."""


_LOOK = 8
"""An inward search checks after so many steps whether any further one can be better."""


@kernel
def climb(pair: Pair, counts: _Ints, box: _Ints, moves: int) -> tuple[float, float]:
    """Move the ends of ``box``, in place, to where no single move gives more evidence; the evidence and similarity.

    ``box`` int64 [4] is the half-open range of a passage in ``a`` and of one in ``b``; ``counts`` int64 [2, V] holds
    zeros before and after. A move shifts a left end, a right end, both left ends or both right ends, the two by as many
    tokens. Inwards it reaches any place that leaves a token to either passage; outwards it goes on until
    ``pair.window`` steps have brought nothing better. Of equal evidence the pair with the greater ``either`` is better.
    The evidence is that of the passages, or in longer ones of the ``ZONE`` tokens at the end that moves. An end that
    has not become shorter ``TURNS`` times no longer moves inwards, so of places that each lead to the other the one
    with the longer passages is better.
    """
    sums, zone, turns = np.zeros(3), np.empty(4, np.int64), np.zeros(2, np.int64)
    moved = moves > MEASURE
    while moved:
        moved = False
        for end in range(2):
            zone[:] = box
            for text in (0, 2):
                if end:
                    zone[text] = max(box[text], box[text + 1] - ZONE)
                else:
                    zone[text + 1] = min(box[text + 1], box[text] + ZONE)
            if _climb_end(pair, counts, zone, sums, moves if turns[end] < TURNS else GROW, end):
                inwards = zone[end] - box[end] + zone[2 + end] - box[2 + end]
                turns[end] += (inwards if end == 0 else -inwards) <= 0
                box[end], box[2 + end] = zone[end], zone[2 + end]
                moved = True
    _count(pair, counts, box, sums)
    _forget(pair, counts, box)
    either = sums[1] + sums[2] - sums[0]
    return evidence(sums[0], either, CHANCE), sums[0] / either if either > SLACK else 0.0


@kernel
def _climb_end(pair: Pair, counts: _Ints, zone: _Ints, sums: _Floats, moves: int, end: int) -> bool:
    """Move the left (0) or right (1) ends of ``zone``, in place, until no move helps.

    Returns whether they moved.
    """
    _count(pair, counts, zone, sums)
    ever, moved, rounds = False, True, ROUNDS
    while moved and rounds > 0:
        moved = False
        rounds -= 1
        for direction in range(moves):
            for side in (3, 1, 2):
                moved = _walk(pair, counts, zone, sums, side, end, direction == 0) or moved
        ever = ever or moved
    _forget(pair, counts, zone)
    return ever


@kernel
def _forget(pair: Pair, counts: _Ints, box: _Ints) -> None:
    for p in range(box[0], box[1]):
        counts[0, pair.a[p]] = 0
    for p in range(box[2], box[3]):
        counts[1, pair.b[p]] = 0


@kernel
def _count(pair: Pair, counts: _Ints, box: _Ints, sums: _Floats) -> None:
    """Set ``counts``, and ``sums`` float64 [3]: the weight of what the passages share, and of each of them."""
    a, b, idf, growth = pair.a, pair.b, pair.idf, pair.growth
    counts_a, counts_b = counts[0], counts[1]
    sums[:] = 0.0
    for p in range(box[0], box[1]):
        token = a[p]
        sums[1] += growth[counts_a[token]] * idf[token]
        counts_a[token] += 1
    for p in range(box[2], box[3]):
        token = b[p]
        change = growth[counts_b[token]] * idf[token]
        sums[2] += change
        if counts_b[token] < counts_a[token]:
            sums[0] += change
        counts_b[token] += 1


@kernel
def _walk(pair: Pair, counts: _Ints, box: _Ints, sums: _Floats, side: int, end: int, outward: bool) -> bool:
    """Move one end (0 left, 1 right) of ``a`` (side 1), ``b`` (2) or both (3) to the best place.

    One loop goes out and comes back: it takes steps until the search ends, then takes back those after the best one.
    Evidence never grows where less is shared or the union grows, so it is not counted again where it was too little and
    only that has happened since. Inwards, what is shared can only shrink, and the union stays at least as large as a
    passage whose end does not move: the search ends where even that would not be better.
    Returns whether the end moved.
    """
    a, b, idf, growth, w = pair.a, pair.b, pair.idf, pair.growth, pair.window
    counts_a, counts_b = counts[0], counts[1]
    shared, weight_a, weight_b = sums[0], sums[1], sums[2]
    if outward:
        room_a, room_b = (a.shape[0] - box[1], b.shape[0] - box[3]) if end else (box[0], box[2])
    else:
        room_a, room_b = box[1] - box[0] - 1, box[3] - box[2] - 1
    room = min(room_a, room_b) if side == 3 else (room_a if side == 1 else room_b)
    forward = 1 if outward == (end == 1) else -1
    # Going back, the first token is the one before the end.
    from_a, from_b = box[end] + min(forward, 0), box[2 + end] + min(forward, 0)
    size = weight_a + weight_b - shared
    best, best_size, best_steps = evidence(shared, size, CHANCE), size, 0
    bound, bound_shared, bound_size = best, shared, size
    steps, searching = 0, room > 0
    while searching or steps > best_steps:
        if not searching:
            steps -= 1
        enters = searching == outward
        sign, gone = (1, 0) if enters else (-1, 1)
        if side & 1:
            token = a[from_a + forward * steps]
            count = counts_a[token] - gone
            change = sign * growth[count] * idf[token]
            weight_a += change
            if count < counts_b[token]:
                shared += change
            counts_a[token] += sign
        if side & 2:
            token = b[from_b + forward * steps]
            count = counts_b[token] - gone
            change = sign * growth[count] * idf[token]
            weight_b += change
            if count < counts_a[token]:
                shared += change
            counts_b[token] += sign
        if searching:
            steps += 1
            size = weight_a + weight_b - shared
            slack = SLACK * (1.0 + size)
            if shared > bound_shared or size < bound_size or bound >= best - 2.0 * slack:
                bound, bound_shared, bound_size = evidence(shared, size, CHANCE), shared, size
                if bound > best + slack or (bound >= best - slack and size > best_size + slack):
                    best, best_size, best_steps = bound, size, steps
            searching = steps < room and not (outward and steps - best_steps >= w)
            if searching and not outward and steps % _LOOK == 0:
                least = shared if side == 3 else max(weight_b if side == 1 else weight_a, shared)
                searching = evidence(shared, least, CHANCE) >= best - 2.0 * slack
    sums[0], sums[1], sums[2] = shared, weight_a, weight_b
    if side & 1:
        box[end] += forward * best_steps
    if side & 2:
        box[2 + end] += forward * best_steps
    return best_steps > 0


@kernel
def join_near(boxes: _Ints, pairs: _Ints, gap: int) -> _Ints:
    """Join boxes within ``gap`` tokens of each other in both texts of a pair.

    ``boxes`` int64 [B, 4] are pairs of half-open ranges. ``pairs`` int64 [B] number the texts that they are of, and the
    boxes of a pair are in the order of their rows. One pass: what it returns may hold boxes that only the joining has
    brought together, and is in no order.
    """
    joined = boxes.copy()
    dead = np.zeros(boxes.shape[0], np.bool_)
    live = np.empty(boxes.shape[0], np.int64)
    alive = 0
    for x in range(boxes.shape[0]):
        if x > 0 and pairs[x] != pairs[x - 1]:
            alive = 0
        number = 0
        for p in range(alive):
            y = live[p]
            if joined[y, 1] + gap < boxes[x, 0]:
                continue  # and so for every later box
            if joined[y, 2] - gap <= joined[x, 3] and joined[x, 2] <= joined[y, 3] + gap:
                for end in (0, 2):
                    joined[x, end] = min(joined[x, end], joined[y, end])
                    joined[x, end + 1] = max(joined[x, end + 1], joined[y, end + 1])
                dead[y] = True
                continue
            live[number] = y
            number += 1
        live[number] = x
        alive = number + 1
    return joined[~dead]


class Measures:
    """The evidence and the similarity of pairs of passages of two texts, each counted once.

    To count them takes time in proportion to their length, and many steps ask for those of the same few.

    Attributes:
        pair: the two texts.
        counts: int64 [2, V], room for kernels to count in, zeros between them.
    """

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.counts = np.zeros((2, len(pair.idf)), np.int64)
        self._known: dict[tuple[int, ...], tuple[float, float]] = {}

    def of(self, box: _Ints) -> tuple[float, float]:
        """The evidence and the similarity of the passages in ``box`` int64 [4], as they are."""
        evidence, similarity = self.of_boxes(box[np.newaxis])[0].tolist()
        return evidence, similarity

    def of_boxes(self, boxes: _Ints) -> _Floats:
        """Those of each of ``boxes`` int64 [B, 4], float64 [B, 2]."""
        keys = [tuple(box) for box in boxes.tolist()]
        if new := [key for key in keys if key not in self._known]:
            self._remember(self.pair, np.array(new), MEASURE)
        return np.array([self._known[key] for key in keys], np.float64).reshape(-1, 2)

    def extend(self, boxes: _Ints, window: int) -> _Ints:
        """The best pair of passages around each of ``boxes`` int64 [B, 4], in their order."""
        best = boxes.copy()
        self._remember(self.pair._replace(window=window), best, GROW_AND_TRIM)
        return best

    def _remember(self, pair: Pair, boxes: _Ints, moves: int) -> None:
        """Climb from ``boxes``, in place, and keep what there is at the end."""
        values = climb_all(pair, self.counts, boxes, moves)
        self._known.update(zip(map(tuple, boxes.tolist()), map(tuple, values.tolist()), strict=True))


@kernel
def climb_all(pair: Pair, counts: _Ints, boxes: _Ints, moves: int) -> _Floats:
    """Climb from each of ``boxes`` int64 [B, 4], in place; the evidence and similarity of each, float64 [B, 2]."""
    values = np.empty((boxes.shape[0], 2))
    for x in range(boxes.shape[0]):
        values[x, 0], values[x, 1] = climb(pair, counts, boxes[x], moves)
    return values


def extend_box(pair: Pair, counts: _Ints, box: _Ints, moves: int = GROW_AND_TRIM) -> _Ints:
    """The best pair of passages that a climb reaches from ``box`` int64 [4]."""
    best = box.copy()
    climb(pair, counts, best, moves)
    return best


def join_boxes(boxes: _Ints, gap: int) -> _Ints:
    """Join ``boxes`` int64 [B, 4] within ``gap`` tokens of each other until no two of them are to be joined.

    The result is in the order of its rows.
    """
    while True:
        boxes = boxes[np.lexsort(boxes.T[::-1])]
        joined = join_near(boxes, np.zeros(len(boxes), np.int64), gap)
        if len(joined) == len(boxes):
            return boxes
        boxes = joined
