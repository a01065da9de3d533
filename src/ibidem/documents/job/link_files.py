"""Links: what each task of *compare* finds, in memory or in files, and the same dealt out by clusters."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.large_buckets import Links

__all__ = ["RangeLinks", "deal_out_links", "open_links", "read_group", "read_links", "save_links"]

_PAIRS, _SIMILARITIES = "pairs.npy", "similarities.npy"
_LARGE = ("large_bands", "large_members", "large_bounds")
_COMPARED = "compared.json"

_Groups = NDArray[np.int32] | NDArray[np.int64]

_LINK = np.dtype([("pair", np.int64, 2), ("similarity", np.float64)])


class RangeLinks(NamedTuple):
    """What a range of hash values gives.

    Attributes:
        links: similar pairs of texts; of the buckets that are small enough, all that were found.
        large: the band and the texts, ascending, of each bucket that is too large to be compared whole.
        compared: how many pairs were compared.
    """

    links: Links
    large: Sequence[tuple[int, NDArray[np.int64]]]
    compared: int


def save_links(ranges: RangeLinks, folder: Path) -> None:
    """Leave what a task gave in its folder."""
    np.save(folder / _PAIRS, ranges.links.pairs)
    np.save(folder / _SIMILARITIES, ranges.links.similarities)
    members = np.concatenate([np.zeros(0, np.int64), *(members for _, members in ranges.large)])
    bands = np.array([band for band, _ in ranges.large], np.int64)
    bounds = np.cumsum([0, *(len(members) for _, members in ranges.large)])
    for name, values in zip(_LARGE, (bands, members, bounds), strict=True):
        np.save(folder / f"{name}.npy", values)
    (folder / _COMPARED).write_text(json.dumps(ranges.compared))


def open_links(folder: Path) -> RangeLinks:
    """What a task left in its folder; links are mapped."""
    links = Links(*(np.load(folder / name, mmap_mode="r") for name in (_PAIRS, _SIMILARITIES)))
    bands, members, bounds = (np.load(folder / f"{name}.npy") for name in _LARGE)
    large = list(zip(bands.tolist(), np.split(members, bounds[1:-1]), strict=False))
    return RangeLinks(links, large, int(json.loads((folder / _COMPARED).read_text())))


def read_links(ranges: Iterable[RangeLinks], most: int) -> Iterator[Links]:
    """All links, at most so many at a time."""
    for pairs, similarities in (each.links for each in ranges):
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
