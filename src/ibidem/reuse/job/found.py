"""Files that tasks leave to one another: seeds, boxes of similar windows, and pairs of passages that were judged."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.gathering import Judged
from ibidem.reuse.join import Seeds
from ibidem.reuse.pairs import Pairs

__all__ = [
    "COUNTS_FILE",
    "BoxCounts",
    "Boxed",
    "concatenate_pairs",
    "open_boxes",
    "open_pairs",
    "open_seeds",
    "read_counts",
    "save_boxes",
    "save_pairs",
    "save_seeds",
]

COUNTS_FILE = "counts.json"

_MAPPED_FROM = 1 << 15

_NAMES = ("kept", "same_series", "crowded")


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


def save_seeds(seeds: Seeds, folder: Path) -> None:
    """Leave the seeds of a range of keys."""
    np.save(folder / "seeds.npy", seeds.boxes)
    _write_counts(folder, BoxCounts(0, seeds.candidates, seeds.crowded))


def open_seeds(folder: Path) -> Seeds:
    """The seeds in a folder."""
    _, candidates, crowded = read_counts(folder)
    return Seeds(np.load(folder / "seeds.npy"), candidates, crowded)


def _write_counts(folder: Path, counts: BoxCounts) -> None:
    (folder / COUNTS_FILE).write_text(json.dumps(counts))


def read_counts(folder: Path) -> BoxCounts:
    """The numbers in a folder."""
    return BoxCounts(*json.loads((folder / COUNTS_FILE).read_text()))


def save_boxes(boxed: Boxed, folder: Path) -> None:
    """Leave boxes."""
    for name in _NAMES:
        for field, values in getattr(boxed, name)._asdict().items():
            np.save(folder / f"{name}-{field}.npy", values)
    _write_counts(folder, boxed.counts)


def open_boxes(folder: Path) -> Boxed:
    """The boxes in a folder, mapped: a task reads a piece of them."""
    boxes = {name: PairBoxes(*(_map(folder / f"{name}-{field}.npy") for field in PairBoxes._fields)) for name in _NAMES}
    return Boxed(**boxes, counts=read_counts(folder))


def _map(file: Path) -> NDArray[np.int64]:
    """An array of which a task reads a piece; an empty one cannot be mapped."""
    values: NDArray[np.int64] = np.load(file, mmap_mode="r" if file.stat().st_size > _MAPPED_FROM else None)
    return values


def save_pairs(judged: Judged, folder: Path) -> None:
    """Leave pairs of passages."""
    for field, values in zip(Pairs._fields, judged.pairs, strict=True):
        np.save(folder / f"{field}.npy", values)
    (folder / "reasons.json").write_text(json.dumps(judged.reasons))


def open_pairs(folder: Path) -> Judged:
    """The pairs in a folder."""
    pairs = Pairs(*(np.load(folder / f"{field}.npy") for field in Pairs._fields))
    return Judged(pairs, json.loads((folder / "reasons.json").read_text()))


def concatenate_pairs(parts: list[Judged]) -> Judged:
    """The pairs of all tasks, in order."""
    if not parts:
        nothing = np.empty(0)
        places = np.empty((0, 2), np.int64), np.empty((0, 4), np.int64)
        return Judged(Pairs(*places, nothing, nothing, np.empty(0, np.bool_), nothing), [])
    columns = (np.concatenate(column) for column in zip(*(part.pairs for part in parts), strict=True))
    return Judged(Pairs(*columns), [reason for part in parts for reason in part.reasons])
