"""Outputs of steps are opened as they were left, and the work is cut into tasks of about one size."""

from pathlib import Path

import numpy as np
import pytest

from ibidem.engine.outputs import open_as, save_output
from ibidem.reuse import steps
from ibidem.reuse.bands import Bands
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.steps import AlignableBoxes, group_pairs
from ibidem.reuse.windows import BandJoin, KeyRange

BOXES = PairBoxes(np.array([[0, 1], [0, 3], [2, 3]]), np.array([0, 2, 3, 6]), np.arange(24).reshape(6, 4))


NOTHING = PairBoxes(BOXES.pairs[:0], np.zeros(1, int), BOXES.boxes[:0])


def listed(boxes: PairBoxes) -> list[object]:
    return [column.tolist() for column in boxes]


def test_pairs_of_documents_are_grouped_into_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "_PAIRS_OF_TASK", 2)
    save_output(AlignableBoxes(BOXES, NOTHING, 17, 2), tmp_path)
    assert group_pairs(tmp_path) == [(0, 2), (2, 3)]
    opened = open_as(AlignableBoxes)(tmp_path)
    assert [listed(boxes) for boxes in opened[:2]] == [listed(boxes) for boxes in (BOXES, NOTHING)]
    assert opened[2:] == (17, 2)


@pytest.mark.parametrize(("records", "tasks"), [(1000, [[0, 1, 2]]), (250, [[0, 1], [2]]), (100, [[0], [1], [2]])])
def test_bands_with_few_records_are_joined_by_one_task(
    records: int, tasks: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BandJoin, "records", 100)
    monkeypatch.setattr(BandJoin, "number", 3)
    join = BandJoin(None, None, None, Bands(3, 2, 32))  # type: ignore[arg-type]
    assert [[keys.band for keys in task] for task in join.cut_keys(records)] == tasks
    assert join.cut_keys(40)[:4] == [[KeyRange(0, 0, 3)], [KeyRange(0, 1, 3)], [KeyRange(0, 2, 3)], [KeyRange(1, 0, 3)]]
