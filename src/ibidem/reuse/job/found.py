"""Outputs of tasks: boxes of similar windows, and pairs of passages that were judged."""

from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from ibidem.engine.outputs import save_output
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.gathering import ReasonedPairs
from ibidem.reuse.pairs import Pairs

COUNTS_FILE = "counts.json"


class BoxCounts(NamedTuple):
    """How many pairs of documents have boxes, pairs of runs were compared, and groups were too large."""

    pairs: int
    candidates: int
    crowded: int


class Boxed(NamedTuple):
    """Boxes of all pairs of documents, those of one series and crowded ones, which are not aligned."""

    kept: PairBoxes
    same_series: PairBoxes
    crowded: PairBoxes
    counts: BoxCounts


def save_boxes(boxed: Boxed, folder: Path) -> None:
    """Leave boxes, and beside them their numbers, which stay when the boxes go."""
    save_output(boxed, folder)
    (folder / COUNTS_FILE).write_bytes(msgspec.json.encode(boxed.counts))


def read_counts(folder: Path) -> BoxCounts:
    """The numbers of the boxes in a folder."""
    return msgspec.json.decode((folder / COUNTS_FILE).read_bytes(), type=BoxCounts)


def concatenate_pairs(parts: list[ReasonedPairs]) -> ReasonedPairs:
    """The pairs of all tasks, in order."""
    if not parts:
        nothing = np.empty(0)
        places = np.empty((0, 2), np.int64), np.empty((0, 4), np.int64)
        return ReasonedPairs(Pairs(*places, nothing, nothing, np.empty(0, np.bool_), nothing), [])
    columns = (np.concatenate(column) for column in zip(*(part.pairs for part in parts), strict=True))
    return ReasonedPairs(Pairs(*columns), [reason for part in parts for reason in part.reasons])
