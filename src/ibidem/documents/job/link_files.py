"""Links: what each task of *compare* finds, in memory or in files."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.large_buckets import Links

__all__ = ["RangeLinks", "open_links", "read_links", "save_links"]

_PAIRS, _SIMILARITIES = "pairs.npy", "similarities.npy"
_LARGE = ("large_bands", "large_members", "large_bounds")
_COMPARED = "compared.json"


class RangeLinks(NamedTuple):
    """The links from a range of hash values.

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
    """Open the files that a task left in its folder; links are mapped."""
    links = Links(*(np.load(folder / name, mmap_mode="r") for name in (_PAIRS, _SIMILARITIES)))
    bands, members, bounds = (np.load(folder / f"{name}.npy") for name in _LARGE)
    large = list(zip(bands.tolist(), np.split(members, bounds[1:-1]), strict=False))
    return RangeLinks(links, large, int(json.loads((folder / _COMPARED).read_text())))


def read_links(ranges: Iterable[RangeLinks], most: int) -> Iterator[Links]:
    """All links, at most so many at a time."""
    for pairs, similarities in (each.links for each in ranges):
        for first in range(0, len(pairs), most):
            yield Links(np.array(pairs[first : first + most]), np.array(similarities[first : first + most]))
