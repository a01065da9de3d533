"""Outputs of steps are opened as they were left, and the work is cut into tasks of about one size."""

from pathlib import Path

import numpy as np
import pytest

from ibidem.engine.outputs import open_as, save_output
from ibidem.reuse import steps
from ibidem.reuse.bands import Bands
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.gathering import ReasonedPairs
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.steps import AlignableBoxes, concatenate_pairs, group_pairs
from ibidem.reuse.windows import BandJoin, KeyRange

BOXES = PairBoxes(np.array([[0, 1], [0, 3], [2, 3]]), np.array([0, 2, 3, 6]), np.arange(24).reshape(6, 4))


def pairs_of(first: int, count: int) -> Pairs:
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


def listed(boxes: PairBoxes) -> list[object]:
    return [column.tolist() for column in boxes]


def test_pairs_of_documents_are_grouped_into_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "_PAIRS_OF_TASK", 2)
    save_output(AlignableBoxes(BOXES, NOTHING, BOXES, 17, 2), tmp_path)
    assert group_pairs(tmp_path) == [(0, 2), (2, 3)]
    opened = open_as(AlignableBoxes)(tmp_path)
    assert [listed(boxes) for boxes in opened[:3]] == [listed(boxes) for boxes in (BOXES, NOTHING, BOXES)]
    assert opened[3:] == (17, 2)


@pytest.mark.parametrize(("records", "tasks"), [(1000, [[0, 1, 2]]), (250, [[0, 1], [2]]), (100, [[0], [1], [2]])])
def test_bands_with_few_records_are_joined_by_one_task(
    records: int, tasks: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BandJoin, "records", 100)
    monkeypatch.setattr(BandJoin, "number", 3)
    join = BandJoin(None, None, None, Bands(3, 2, 32))  # type: ignore[arg-type]
    assert [[keys.band for keys in task] for task in join.cut_keys(records)] == tasks
    assert join.cut_keys(40)[:4] == [[KeyRange(0, 0, 3)], [KeyRange(0, 1, 3)], [KeyRange(0, 2, 3)], [KeyRange(1, 0, 3)]]


def test_the_pairs_of_all_tasks_follow_one_another(tmp_path: Path) -> None:
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


def test_no_task_is_no_pair() -> None:
    pairs, reasons = concatenate_pairs([])
    assert reasons == []
    for column, expected in zip(pairs, pairs_of(0, 0), strict=True):
        assert (column.shape, column.dtype) == (expected.shape, expected.dtype)
