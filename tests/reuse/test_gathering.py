"""Boxes are parted by series; tables are tested with the search as a whole."""

from pathlib import Path

import numpy as np

from ibidem.resources import Resources
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.gathering import read_column
from ibidem.reuse.pairs import PairRule, align_boxes
from ibidem.reuse.series import leave_series_out
from ibidem.text import Document, make_tokenizer
from tests.reuse.small_collections import read_collection

RESOURCES = Resources.of("64M", 1, None)

PASSAGE = " ".join(f"word{number}" for number in range(60))


def test_documents_of_one_series_are_left_out_and_others_aligned(tmp_path: Path) -> None:
    documents = [Document(name, PASSAGE, {"paper": paper}) for name, paper in (("a", 1), ("b", 1), ("c", 2))]
    collection = read_collection([documents], make_tokenizer("words"), tmp_path, RESOURCES)
    pairs = [(0, 1), (0, 2)]
    ranges = np.array([[*collection.bounds[a : a + 2], *collection.bounds[b : b + 2]] for a, b in pairs])
    boxes = PairBoxes(np.array(pairs), np.arange(3), ranges)
    assert leave_series_out(boxes, read_column(collection, None)).different_series.pairs.tolist() == [[0, 1], [0, 2]]
    different_series, same_series = leave_series_out(boxes, read_column(collection, "paper"))
    assert (different_series.pairs.tolist(), same_series.pairs.tolist()) == ([[0, 2]], [[0, 1]])
    assert align_boxes(collection, different_series, PairRule(0.3), RESOURCES).documents.tolist() == [[0, 2]]
