"""Clusters of texts distributed to groups that fit into memory, by files.

Whether a text is kept depends on its cluster alone. So a group has whole clusters: their texts and their links. Texts
that are alone and occur in one document only are in none.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.large_buckets import Links
from ibidem.engine.outputs import map_zeros

_BLOCK_BYTES = 64
"""Memory that a text takes while texts are distributed."""

_TEXTS, _LINKS = "texts", "links"

_LINK = np.dtype([("pair", np.int64, 2), ("similarity", np.float64)])

_Ints = NDArray[np.int64]


class Group(NamedTuple):
    """The texts of some clusters, int64 [m], ascending, and their links."""

    texts: _Ints
    links: Links


class Costs(NamedTuple):
    """Memory that a link and a document of a group take, and bytes that a group may take."""

    link: int
    document: int
    group: int


def make_groups(
    clusters: _Ints, bounds: _Ints, read_links: Callable[[], Iterator[Links]], folder: Path, costs: Costs
) -> Iterator[Group]:
    """All groups, one after another; the links of a group are read no more.

    Args:
        clusters: int64 [u], for each text the smallest one of its cluster.
        bounds: int64 [u + 1], where the documents of each text begin.
        folder: for files that are needed meanwhile.
    """
    count = len(clusters)
    blocks = [slice(first, first + step) for step in [_count_block(costs)] for first in range(0, count, step)]
    weights = map_zeros(folder / "weights.npy", np.int64, count)
    for each in read_links():
        np.add.at(weights, clusters[each.pairs[:, 0]], costs.link)
    for block in blocks:
        sizes = np.diff(bounds[block.start : block.stop + 1])
        of = clusters[block]
        involved = (weights[of] > 0) | (sizes > 1)
        np.add.at(weights, of[involved], sizes[involved] * costs.document)
    groups = map_zeros(folder / "groups.npy", np.int32, count)
    before = 0
    for block in blocks:
        ends = before + np.cumsum(weights[block])
        # A cluster goes to the group in which its predecessors end, so a large one closes its group.
        groups[block] = (ends - weights[block]) // costs.group
        before = int(ends[-1])
    for block in blocks:
        of = clusters[block]
        texts = np.flatnonzero(weights[of] > 0)
        deal_out(block.start + texts, groups[of[texts]], folder, _TEXTS)
    for each in read_links():
        records = np.empty(len(each.pairs), _LINK)
        records["pair"], records["similarity"] = each.pairs, each.similarities
        deal_out(records, groups[clusters[each.pairs[:, 0]]], folder, _LINKS)
    for number in sorted(int(file.name.removeprefix(f"{_TEXTS}-")) for file in folder.glob(f"{_TEXTS}-*")):
        links = read_dealt(folder, _LINKS, number, _LINK)
        members = read_dealt(folder, _TEXTS, number, np.dtype(np.int64))
        for name in (_TEXTS, _LINKS):
            _name_file(folder, name, number).unlink(missing_ok=True)
        yield Group(members, Links(*(np.ascontiguousarray(links[name]) for name in ("pair", "similarity"))))


def deal_out(records: NDArray[Any], numbers: NDArray[Any], folder: Path, name: str) -> None:
    """Append each of the ``records`` [n] to the file of a name and its number, in order."""
    order = np.argsort(numbers, kind="stable")
    records, numbers = records[order], numbers[order]
    for piece in np.split(np.arange(len(records)), np.flatnonzero(np.diff(numbers)) + 1):
        if len(piece):
            with _name_file(folder, name, int(numbers[piece[0]])).open("ab") as file:
                file.write(np.ascontiguousarray(records[piece]).view(np.uint8).data)


def read_dealt(folder: Path, name: str, number: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The records of a name and a number."""
    file = _name_file(folder, name, number)
    return np.fromfile(file, dtype) if file.exists() else np.zeros(0, dtype)


def _name_file(folder: Path, name: str, number: int) -> Path:
    return folder / f"{name}-{number:05d}"


def _count_block(costs: Costs) -> int:
    return max(1, costs.group // _BLOCK_BYTES)
