"""Seeds near each other are one box, in whatever order and parts they come."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse.boxes import merge_seeds

from .similar_windows import covers


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 2), max_size=12), st.integers(0, 5), st.randoms())
def test_merged_boxes_are_apart_and_do_not_depend_on_the_order_of_the_seeds(
    places: list[tuple[int, int]], gap: int, drawn: object
) -> None:
    seeds = np.array([(a, a + 4, 40 + b, 44 + b) for a, b in places], np.int64).reshape(-1, 4)
    documents = np.array([0, 15, 40, 80])
    seeds = seeds[(seeds[:, 0] >= 15) | (seeds[:, 1] <= 15)]
    merged = merge_seeds(seeds, documents, gap)
    again = merge_seeds(seeds[np.random.default_rng(len(seeds)).permutation(len(seeds))], documents, gap)
    in_parts = np.concatenate([merge_seeds(part, documents, gap).boxes for part in np.array_split(seeds, 2)])
    assert np.array_equal(merged.boxes, again.boxes)
    assert np.array_equal(merged.boxes, merge_seeds(in_parts, documents, gap).boxes)
    assert all(any(covers(box, seed) for box in merged.boxes.tolist()) for seed in seeds.tolist())
    for pair in range(len(merged.pairs)):
        of_pair = merged.boxes[merged.bounds[pair] : merged.bounds[pair + 1]].tolist()
        for one, other in combinations(of_pair, 2):
            near = [one[x] <= other[x + 1] + gap and other[x] <= one[x + 1] + gap for x in (0, 2)]
            assert not all(near)
