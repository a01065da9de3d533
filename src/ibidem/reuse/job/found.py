"""What tasks leave to one another: boxes of similar windows, and pairs of passages that were judged."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.join import Seeds
from ibidem.reuse.pairs import Pairs

__all__ = [
    "COUNTS_FILE",
    "BoxCounts",
    "read_boxes",
    "read_counts",
    "read_pairs",
    "read_seeds",
    "write_boxes",
    "write_counts",
    "write_pairs",
    "write_seeds",
]


COUNTS_FILE = "counts.json"

_MAPPED_FROM = 1 << 15


class BoxCounts(NamedTuple):
    """How many pairs of documents have boxes, pairs of runs were compared, and groups were too large."""

    pairs: int
    candidates: int
    crowded: int


def write_seeds(folder: Path, found: Seeds) -> None:
    """Leave the seeds of a range of keys."""
    np.save(folder / "seeds.npy", found.boxes)
    write_counts(folder, BoxCounts(0, found.candidates, found.crowded))


def read_seeds(folder: Path) -> Seeds:
    """The seeds in a folder."""
    _, candidates, crowded = read_counts(folder)
    return Seeds(np.load(folder / "seeds.npy"), candidates, crowded)


def write_counts(folder: Path, counts: BoxCounts) -> None:
    """Leave numbers."""
    (folder / COUNTS_FILE).write_text(json.dumps(counts))


def read_counts(folder: Path) -> BoxCounts:
    """The numbers in a folder."""
    return BoxCounts(*json.loads((folder / COUNTS_FILE).read_text()))


def write_boxes(folder: Path, name: str, boxes: PairBoxes) -> None:
    """Leave boxes under a name."""
    for field, values in zip(PairBoxes._fields, boxes, strict=True):
        np.save(folder / f"{name}-{field}.npy", values)


def read_boxes(folder: Path, name: str, first: int = 0, end: int | None = None) -> PairBoxes:
    """The boxes of the pairs of documents ``first`` to ``end - 1``."""
    pairs, bounds, boxes = (_map(folder / f"{name}-{field}.npy") for field in PairBoxes._fields)
    end = len(pairs) if end is None else min(end, len(pairs))
    low, high = int(bounds[first]), int(bounds[end])
    return PairBoxes(np.array(pairs[first:end]), bounds[first : end + 1] - low, np.array(boxes[low:high]))


def _map(file: Path) -> NDArray[np.int64]:
    """An array of which a task reads a piece; an empty one cannot be mapped."""
    found: NDArray[np.int64] = np.load(file, mmap_mode="r" if file.stat().st_size > _MAPPED_FROM else None)
    return found


def write_pairs(folder: Path, pairs: Pairs, reasons: list[str | None]) -> None:
    """Leave pairs of passages, and why each is no reuse."""
    for field, values in zip(Pairs._fields, pairs, strict=True):
        np.save(folder / f"{field}.npy", values)
    (folder / "reasons.json").write_text(json.dumps(reasons))


def read_pairs(folders: list[Path]) -> tuple[Pairs, list[str | None]]:
    """The pairs in all folders, in order, and why each is no reuse."""
    if not folders:
        nothing = np.empty(0)
        places = np.empty((0, 2), np.int64), np.empty((0, 4), np.int64)
        return Pairs(*places, nothing, nothing, np.empty(0, np.bool_), nothing), []
    columns = (np.concatenate([np.load(folder / f"{field}.npy") for folder in folders]) for field in Pairs._fields)
    reasons = [reason for folder in folders for reason in json.loads((folder / "reasons.json").read_text())]
    return Pairs(*columns), reasons
