"""Clusters of texts dealt out to groups that memory holds, by files.

What becomes of a text depends on its cluster alone. So a group has whole clusters: their texts and their links. Texts
that are alone and stand in one document only are in none.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.job.link_files import deal_out_links, read_group
from ibidem.documents.large_buckets import Links

__all__ = ["Costs", "Group", "make_groups", "map_zeros"]

_BLOCK_BYTES = 64
"""Memory that a text takes while texts are dealt out."""

_TEXTS = "texts-"

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
        # A cluster goes to the group in which what stands before it ends, so a large one closes its group.
        groups[block] = (ends - weights[block]) // costs.group
        before = int(ends[-1])
    for block in blocks:
        _deal_out_texts(block.start, clusters[block], weights, groups, folder)
    deal_out_links(read_links(), lambda texts: groups[clusters[texts]], folder)
    for group in sorted(int(file.name.removeprefix(_TEXTS)) for file in folder.glob(f"{_TEXTS}*")):
        file = _name_members(folder, group)
        yield Group(np.fromfile(file, np.int64), read_group(folder, group))
        file.unlink()


def map_zeros(path: Path, dtype: type[np.generic], count: int) -> NDArray[np.int64]:
    """Zeros in a new file, mapped; what is not written to takes no room."""
    if not count:
        return np.zeros(0, dtype)
    return np.asarray(np.lib.format.open_memmap(path, "w+", dtype, (count,)))


def _count_block(costs: Costs) -> int:
    return max(1, costs.group // _BLOCK_BYTES)


def _deal_out_texts(first: int, of: _Ints, weights: _Ints, groups: NDArray[np.int64], folder: Path) -> None:
    """Write the texts from ``first`` on, whose clusters are ``of``, to a file for each group."""
    involved = np.flatnonzero(weights[of] > 0)
    group_of = groups[of[involved]]
    order = np.argsort(group_of, kind="stable")
    texts, group_of = first + involved[order], group_of[order]
    for piece in np.split(np.arange(len(texts)), np.flatnonzero(np.diff(group_of)) + 1):
        if len(piece):
            with _name_members(folder, int(group_of[piece[0]])).open("ab") as file:
                file.write(np.ascontiguousarray(texts[piece], np.int64).data)


def _name_members(folder: Path, group: int) -> Path:
    return folder / f"{_TEXTS}{group:05d}"
