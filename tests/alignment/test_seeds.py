"""Seeds against all pairs of windows, compared one by one."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.alignment.block_pairs import BlockPairs
from ibidem.alignment.extension import MEASURE, climb, join_near
from ibidem.alignment.seeds import has_seed, lacks_seed, next_seed, seed_boxes
from ibidem.alignment.weighted_pair import Pair
from tests.alignment.pairs import ALPHABET, Case, all_seeds, cases

patient = settings(deadline=None)  # the first example waits for the compiler


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
@given(cases(), st.integers(0, 6), st.integers(1, 4), st.data())
def test_boxes_are_those_of_all_pairs_of_windows_that_are_similar(
    case: Case, gap: int, room: int, data: st.DataObject
) -> None:
    pair, window = case.pair, case.pair.window
    every = [(i, k) for i in range((len(pair.a) - window) // window + 1) for k in range(len(case.blocks.lightest))]
    searched = sorted(set(data.draw(st.lists(st.sampled_from(every), max_size=4)))) or every
    pairs = BlockPairs(np.array(searched, np.int64).reshape(-1, 2), np.full(len(searched), case.threshold))
    boxes, count, done = np.empty((room, 4), np.int64), 0, 0
    while done < len(searched):
        count, done = seed_boxes(pair, case.blocks, pairs, window + gap, boxes, count, done)
        boxes = np.concatenate([boxes, np.empty_like(boxes)])
    found = boxes[:count] + np.array([0, window, 0, window])
    before = -1
    while len(found) != before:
        before = len(found)
        found = join_near(found[np.lexsort(found.T[::-1])], np.zeros(len(found), np.int64), gap)
    seeds = [(i, j) for i, j in all_seeds(case) if (i // window, j // window) in searched]
    assert {tuple(box) for box in found.tolist()} == boxes_around(seeds, window, gap)


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


@patient
@given(cases())
def test_there_is_a_seed_if_any_two_windows_are_similar(case: Case) -> None:
    assert has_seed(case.pair, case.threshold) == bool(all_seeds(case))


@patient
@given(cases(), st.data())
def test_a_small_box_lacks_a_seed_if_no_two_of_its_windows_are_similar(case: Case, data: st.DataObject) -> None:
    pair, w = case.pair, case.pair.window
    box = []
    for text in (pair.a, pair.b):
        start = data.draw(st.integers(0, len(text) - w))
        box += [start, data.draw(st.integers(start + w, len(text)))]
    inside = [(i, j) for i, j in all_seeds(case) if box[0] <= i <= box[1] - w and box[2] <= j <= box[3] - w]
    assert lacks_seed(pair, np.array(box), case.threshold) == (not inside)


def test_a_large_box_is_left_to_the_blocks() -> None:
    a, b = np.arange(200, dtype=np.int32), np.arange(200, 400, dtype=np.int32)
    pair = Pair(a, b, np.ones(400), np.ones(1), 32)
    assert lacks_seed(pair, np.array([0, 100, 0, 100]), 0.65)
    assert not lacks_seed(pair, np.array([0, 200, 0, 200]), 0.65)
