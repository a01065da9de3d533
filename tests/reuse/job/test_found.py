"""Boxes and pairs are read back as they were left."""

import numpy as np

from ibidem.engine.outputs import open_as, save_output
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.gathering import ReasonedPairs
from ibidem.reuse.job.found import COUNTS_FILE, BoxCounts, Boxed, concatenate_pairs, read_counts, save_boxes
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


NOTHING = PairBoxes(BOXES.pairs[:0], np.zeros(1, int), BOXES.boxes[:0])


def listed(boxes):
    return [column.tolist() for column in boxes]


def test_the_numbers_of_boxes_stay_when_the_boxes_go(tmp_path):
    save_boxes(Boxed(BOXES, NOTHING, BOXES, BoxCounts(3, 17, 2)), tmp_path)
    opened = open_as(Boxed)(tmp_path)
    assert [listed(boxes) for boxes in opened[:3]] == [listed(boxes) for boxes in (BOXES, NOTHING, BOXES)]
    assert opened.counts == BoxCounts(3, 17, 2)
    for file in tmp_path.iterdir():
        if file.name != COUNTS_FILE:
            file.unlink()
    assert read_counts(tmp_path) == BoxCounts(3, 17, 2)


def test_the_pairs_of_all_tasks_follow_one_another(tmp_path):
    folders = [tmp_path / str(number) for number in range(3)]
    for folder, (first, count) in zip(folders, ((0, 3), (3, 0), (3, 4)), strict=True):
        folder.mkdir()
        reasons = ["phrase" if row % 3 == 0 else None for row in range(first, first + count)]
        save_output(ReasonedPairs(pairs_of(first, count), reasons), folder)
    pairs, reasons = concatenate_pairs([open_as(ReasonedPairs)(folder) for folder in folders])
    assert reasons == ["phrase", None, None, "phrase", None, None, "phrase"]
    for column, expected in zip(pairs, pairs_of(0, 7), strict=True):
        assert column.dtype == expected.dtype
        assert column.tolist() == expected.tolist()


def test_no_task_is_no_pair():
    pairs, reasons = concatenate_pairs([])
    assert reasons == []
    for column, expected in zip(pairs, pairs_of(0, 0), strict=True):
        assert (column.shape, column.dtype) == (expected.shape, expected.dtype)
