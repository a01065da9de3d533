"""Links on disk: what each task of *compare* found, and the same dealt out by clusters; nobody holds them all."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.large_buckets import BandLinks, Links

__all__ = ["LinkFiles", "deal_out_links", "read_group", "save_links"]

_PAIRS, _SIMILARITIES = "pairs.npy", "similarities.npy"
_LARGE = ("large_bands", "large_members", "large_bounds")
_COMPARED = "compared.json"

_Groups = NDArray[np.int32] | NDArray[np.int64]

_LINK = np.dtype([("pair", np.int64, 2), ("similarity", np.float64)])


def save_links(folder: Path, found: BandLinks, compared: int) -> None:
    """Leave what a task found in its folder, and how many pairs it compared."""
    np.save(folder / _PAIRS, found.links.pairs)
    np.save(folder / _SIMILARITIES, found.links.similarities)
    members = np.concatenate([np.zeros(0, np.int64), *(members for _, members in found.large)])
    bands = np.array([band for band, _ in found.large], np.int64)
    bounds = np.cumsum([0, *(len(members) for _, members in found.large)])
    for name, values in zip(_LARGE, (bands, members, bounds), strict=True):
        np.save(folder / f"{name}.npy", values)
    (folder / _COMPARED).write_text(json.dumps(compared))


class LinkFiles:
    """What all tasks of *compare* left in their folders."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders

    @property
    def compared(self) -> int:
        """How many pairs they compared."""
        return sum(int(json.loads((folder / _COMPARED).read_text())) for folder in self._folders)

    def large_buckets(self) -> list[tuple[int, NDArray[np.int64]]]:
        """The band and the texts of each bucket that is too large to be compared whole."""
        found: list[tuple[int, NDArray[np.int64]]] = []
        for folder in self._folders:
            bands, members, bounds = (np.load(folder / f"{name}.npy") for name in _LARGE)
            found += zip(bands.tolist(), np.split(members, bounds[1:-1]), strict=False)
        return found

    def read(self, most: int) -> Iterator[Links]:
        """All links, at most so many at a time."""
        for folder in self._folders:
            pairs, similarities = (np.load(folder / name, mmap_mode="r") for name in (_PAIRS, _SIMILARITIES))
            for first in range(0, len(pairs), most):
                yield Links(np.array(pairs[first : first + most]), np.array(similarities[first : first + most]))


def deal_out_links(links: Iterator[Links], find_groups: Callable[[NDArray[np.int64]], _Groups], folder: Path) -> None:
    """Write links to a file for each group of texts; ``find_groups`` tells in which some texts are."""
    for each in links:
        groups = find_groups(each.pairs[:, 0])
        order = np.argsort(groups, kind="stable")
        records = np.empty(len(order), _LINK)
        records["pair"], records["similarity"] = each.pairs[order], each.similarities[order]
        groups = groups[order]
        for piece in np.split(np.arange(len(records)), np.flatnonzero(np.diff(groups)) + 1):
            if len(piece):
                with _name_group(folder, int(groups[piece[0]])).open("ab") as file:
                    file.write(np.ascontiguousarray(records[piece]).view(np.uint8).data)


def read_group(folder: Path, group: int) -> Links:
    """The links of a group, which are read no more."""
    file = _name_group(folder, group)
    if not file.exists():
        return Links.concatenate([])
    records = np.fromfile(file, _LINK)
    file.unlink()
    return Links(np.ascontiguousarray(records["pair"]), np.ascontiguousarray(records["similarity"]))


def _name_group(folder: Path, group: int) -> Path:
    return folder / f"links-{group:05d}"
