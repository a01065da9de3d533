"""Seeds against all pairs of windows, compared one by one."""

import math
from typing import NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.alignment.extension import MEASURE, climb, join
from ibidem.alignment.seeds import next_seed, seed_boxes
from ibidem.alignment.weighted_pair import ElementBlocks, Pair, make_blocks

patient = settings(deadline=None)  # the first example waits for the compiler

ALPHABET = 8
GROWTH = {"binary": [1.0] + 99 * [0.0], "raw": 100 * [1.0], "logarithmic": np.diff(np.log2(np.arange(1, 102)))}


class Case(NamedTuple):
    """A pair of texts, its blocks, and a threshold."""

    pair: Pair
    blocks: ElementBlocks
    threshold: float


@st.composite
def cases(draw: st.DrawFn) -> Case:
    a, b = (draw(st.lists(st.integers(0, ALPHABET - 1), min_size=4, max_size=40)) for _ in "ab")
    if draw(st.booleans()):
        b = b[: len(b) // 2] + a + b[len(b) // 2 :]
    idf = draw(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=ALPHABET, max_size=ALPHABET))
    growth = np.array(GROWTH[draw(st.sampled_from(sorted(GROWTH)))])
    pair = Pair(np.array(a, np.int32), np.array(b, np.int32), np.array(idf), growth, draw(st.integers(1, 4)))
    return Case(pair, make_blocks(pair), draw(st.sampled_from([0.3, 0.5, 0.8, 1.0])))


def all_seeds(case: Case) -> list[tuple[int, int]]:
    """The starts of all pairs of similar windows."""
    pair, window = case.pair, case.pair.window
    weights = np.concatenate([[0.0], np.cumsum(pair.growth)])

    def weigh(text: np.ndarray, start: int) -> np.ndarray:
        return weights[np.bincount(text[start : start + window], minlength=ALPHABET)] * pair.idf

    seeds = []
    for i in range(len(pair.a) - window + 1):
        for j in range(len(pair.b) - window + 1):
            in_a, in_b = weigh(pair.a, i), weigh(pair.b, j)
            either = np.maximum(in_a, in_b).sum()
            if either > 0 and np.minimum(in_a, in_b).sum() / either >= case.threshold - 1e-9:
                seeds.append((i, j))
    return seeds


def boxes_around(seeds: list[tuple[int, int]], window: int, gap: int) -> set[tuple[int, ...]]:
    """Join windows, then what they have become, until no two are within ``gap`` tokens in both texts."""
    boxes = [(i, i + window, j, j + window) for i, j in seeds]
    joined = True
    while joined:
        joined, apart = False, []
        for box in boxes:
            for x, other in enumerate(apart):
                in_a = box[0] - gap <= other[1] and other[0] <= box[1] + gap
                if in_a and box[2] - gap <= other[3] and other[2] <= box[3] + gap:
                    low = [min(box[end], other[end]) for end in (0, 2)]
                    high = [max(box[end], other[end]) for end in (1, 3)]
                    apart[x], joined = (low[0], high[0], low[1], high[1]), True
                    break
            else:
                apart.append(box)
        boxes = apart
    return set(boxes)


@patient
@given(cases(), st.integers(0, 6), st.integers(1, 4))
def test_boxes_are_those_of_all_pairs_of_windows_that_are_similar(case: Case, gap: int, room: int) -> None:
    pair, window = case.pair, case.pair.window
    boxes, count, row = np.empty((room, 4), np.int64), 0, 0
    while row < len(pair.a) - window + 1:
        count, row = seed_boxes(pair, case.blocks, case.threshold, window + gap, boxes, count, row)
        boxes = np.concatenate([boxes, np.empty_like(boxes)])
    found = boxes[:count] + np.array([0, window, 0, window])
    before = -1
    while len(found) != before:
        before = len(found)
        found = join(pair, np.zeros((2, ALPHABET), np.int64), found[np.lexsort(found.T[::-1])], gap, True)
    assert {tuple(box) for box in found.tolist()} == boxes_around(all_seeds(case), window, gap)


@patient
@given(cases(), st.data())
def test_the_next_seed_is_the_first_that_meets_nothing_found(case: Case, data: st.DataObject) -> None:
    pair, w = case.pair, case.pair.window

    def ranges(shortest: int) -> list[int]:
        ends = []
        for text in (pair.a, pair.b):
            start = data.draw(st.integers(0, len(text) - shortest))
            ends += [start, data.draw(st.integers(start + shortest, len(text)))]
        return ends

    box = ranges(w)
    found = np.array([ranges(1) for _ in range(data.draw(st.integers(0, 3)))], np.int64).reshape(-1, 4)
    nats = data.draw(st.sampled_from([-math.inf, 0.0, 1.0, 3.0]))
    counts = np.zeros((2, ALPHABET), np.int64)
    expected = [
        (i, j)
        for i, j in all_seeds(case)
        if climb(pair, counts, np.array([i, i + w, j, j + w]), MEASURE)[0] >= nats
        if box[0] <= i <= box[1] - w and box[2] <= j <= box[3] - w
        if not any(x[0] < i + w and i < x[1] and x[2] < j + w and j < x[3] for x in found.tolist())
    ]
    assert next_seed(pair, case.blocks, case.threshold, nats, np.array(box), found) == min(expected, default=(-1, -1))
