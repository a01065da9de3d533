"""Boxes by pairs of documents: which are kept, and which tokens they are of."""

import numpy as np

from ibidem.reuse.boxes import PairBoxes, keep_pairs, merge_seeds, select_pairs

LENGTH = 320


def boxes_of(rows: list[tuple[int, int, int, int, int]], documents: int) -> PairBoxes:
    """Boxes of (document, start, other document, start, length), the documents of one length."""
    seeds = [(a * LENGTH + x, a * LENGTH + x + n, b * LENGTH + y, b * LENGTH + y + n) for a, x, b, y, n in rows]
    return merge_seeds(np.array(seeds, np.int64).reshape(-1, 4), np.arange(documents + 1) * LENGTH, 0)


BOXES = boxes_of([(0, 0, 1, 0, 9), (0, 100, 1, 200, 9), (1, 50, 2, 50, 9), (0, 4, 1, 4, 9)], 3)


def listed(boxes: PairBoxes) -> tuple[list[list[int]], list[int], list[int]]:
    return boxes.pairs.tolist(), boxes.bounds.tolist(), boxes.boxes[:, 0].tolist()


def test_seeds_of_two_documents_that_meet_are_one_box() -> None:
    assert listed(BOXES) == ([[0, 1], [1, 2]], [0, 2, 3], [0, 100, LENGTH + 50])
    assert BOXES.boxes[0].tolist() == [0, 13, LENGTH, LENGTH + 13]


def test_some_pairs_of_documents_keep_their_boxes() -> None:
    assert listed(keep_pairs(BOXES, np.array([False, True]))) == ([[1, 2]], [0, 1], [LENGTH + 50])
    assert listed(select_pairs(BOXES, 0, 1)) == ([[0, 1]], [0, 2], [0, 100])
    assert listed(keep_pairs(BOXES, np.zeros(2, np.bool_))) == ([], [0], [])
