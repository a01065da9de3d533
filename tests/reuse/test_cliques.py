"""Cliques hold documents of which every two share what their spans say."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse.boxes import KnownBoxes, merge_seeds

LENGTH = 20


def find(boxes: list[tuple[int, int, int, int]], documents: int) -> tuple[KnownBoxes, list[list[int]]]:
    bounds = np.arange(documents + 1) * LENGTH
    merged = merge_seeds(np.array(boxes, np.int64).reshape(-1, 4), bounds, 0)
    return KnownBoxes.of(merged, bounds), merged.boxes.tolist()


@st.composite
def boxes_of_copies(draw: st.DrawFn) -> list[tuple[int, int, int, int]]:
    """Boxes of some of the pairs of seven documents, most of nearly all tokens of both."""
    boxes = []
    for d, e in combinations(range(7), 2):
        for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2]))):
            ends = [sorted(draw(st.tuples(st.integers(0, 3), st.integers(12, LENGTH)))) for _ in range(2)]
            boxes.append((*(d * LENGTH + end for end in ends[0]), *(e * LENGTH + end for end in ends[1])))
    return boxes


@given(boxes_of_copies())
def test_what_lies_within_the_spans_of_two_documents_of_a_clique_lies_in_one_box(
    boxes: list[tuple[int, int, int, int]],
) -> None:
    known, merged = find(boxes, 7)
    for d, e in combinations(range(7), 2):
        if known.cliques.of[d] < 0 or known.cliques.of[d] != known.cliques.of[e]:
            continue
        (a, a_end), (b, b_end) = known.cliques.spans[[d, e]].tolist()
        assert a_end - a >= 0.75 * LENGTH <= b_end - b
        assert any(box[0] <= a and a_end <= box[1] and box[2] <= b and b_end <= box[3] for box in merged)


def test_whole_copies_are_one_clique_and_a_text_that_one_of_them_lacks_is_in_another() -> None:
    whole = [(d * LENGTH, (d + 1) * LENGTH, e * LENGTH, (e + 1) * LENGTH) for d, e in combinations(range(4), 2)]
    others = [(4 * LENGTH, 5 * LENGTH, 5 * LENGTH, 6 * LENGTH), (0, LENGTH, 4 * LENGTH, 5 * LENGTH)]
    known, _ = find(whole + others, 7)
    assert known.cliques.of.tolist() == [0, 0, 0, 0, 1, 1, -1]


def test_a_box_of_half_a_document_makes_no_clique() -> None:
    known, _ = find([(0, LENGTH // 2, LENGTH, LENGTH + LENGTH // 2)], 2)
    assert known.cliques.of.tolist() == [-1, -1]
