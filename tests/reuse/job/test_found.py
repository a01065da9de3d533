"""Boxes and pairs are read back as they were left, whole or in part."""

import numpy as np
import pytest

from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.job.found import (
    BoxCounts,
    read_boxes,
    read_counts,
    read_pairs,
    read_seeds,
    write_boxes,
    write_counts,
    write_pairs,
    write_seeds,
)
from ibidem.reuse.join import Seeds
from ibidem.reuse.pairs import Pairs

BOXES = PairBoxes(np.array([[0, 1], [0, 3], [2, 3]]), np.array([0, 2, 3, 6]), np.arange(24).reshape(6, 4))


def pairs_of(first, count):
    rows = np.arange(first, first + count)
    return Pairs(
        np.stack([rows, rows + 1], axis=1),
        np.tile(rows[:, None], (1, 4)),
        rows / 10,
        rows * 1.5,
        rows % 2 == 0,
        rows / 5,
    )


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("end", [None, 0, 1, 2, 3, 9])
def test_the_boxes_of_some_pairs_are_a_slice_of_all(tmp_path, first, end):
    write_boxes(tmp_path, "kept", BOXES)
    write_boxes(tmp_path, "series", PairBoxes(*(column[:0] for column in BOXES[:1]), np.zeros(1, int), BOXES.boxes[:0]))
    last = max(first, len(BOXES.pairs) if end is None else min(end, 3))
    found = read_boxes(tmp_path, "kept", first, max(first, last) if end is not None else None)
    assert found.pairs.tolist() == BOXES.pairs[first:last].tolist()
    held = [found.boxes[low:high].tolist() for low, high in zip(found.bounds, found.bounds[1:], strict=False)]
    expected = [BOXES.boxes[BOXES.bounds[pair] : BOXES.bounds[pair + 1]].tolist() for pair in range(first, last)]
    assert held == expected
    assert len(read_boxes(tmp_path, "series").pairs) == 0


def test_seeds_and_counts_are_read_back(tmp_path):
    write_seeds(tmp_path, Seeds(BOXES.boxes, 17, 3))
    found = read_seeds(tmp_path)
    assert (found.boxes.tolist(), found.candidates, found.crowded) == (BOXES.boxes.tolist(), 17, 3)
    write_counts(tmp_path, BoxCounts(5, 6, 7))
    assert read_counts(tmp_path) == BoxCounts(5, 6, 7)


def test_the_pairs_of_all_tasks_follow_one_another(tmp_path):
    folders = [tmp_path / str(number) for number in range(3)]
    for folder, (first, count) in zip(folders, ((0, 3), (3, 0), (3, 4)), strict=True):
        folder.mkdir()
        reasons = ["phrase" if row % 3 == 0 else None for row in range(first, first + count)]
        write_pairs(folder, pairs_of(first, count), reasons)
    found, reasons = read_pairs(folders)
    assert reasons == ["phrase", None, None, "phrase", None, None, "phrase"]
    for column, expected in zip(found, pairs_of(0, 7), strict=True):
        assert column.dtype == expected.dtype
        assert column.tolist() == expected.tolist()


def test_no_task_is_no_pair():
    found, reasons = read_pairs([])
    assert reasons == []
    for column, expected in zip(found, pairs_of(0, 0), strict=True):
        assert (column.shape, column.dtype) == (expected.shape, expected.dtype)
