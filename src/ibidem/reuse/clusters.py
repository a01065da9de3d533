"""Clusters: passages of several documents that are versions of one text.

Two passages are linked if a pair of them was found. Clusters are the connected components once weak links are cut: a
link is cut if both of its passages have other links, and none in common with each other. So two groups that one
doubtful pair joins stay apart, and a chain of versions, each similar to the next alone, does not become one cluster. A
passage that all cuts leave alone keeps its strongest link.

Passages are processed in the order of the contents of their documents, so no id decides between equal links.

A cluster is named by the text of its witnesses: the least hash of four tokens in a row that at least half of them hold.
So its name depends neither on order nor on threads, and a new witness hardly ever changes it.
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.clusters import cluster_components, label_components
from ibidem.hashing import GOLDEN
from ibidem.kernels import kernel
from ibidem.reuse.collection import Collection
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.passages import Passages

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]

_SHINGLE = 4

_COUNTED_FIRST = 1 << 12
"""About how many of the hashes of a cluster are counted for its name, before all are."""


class PassageClusters(NamedTuple):
    """Clusters of passages, in the order of their names.

    Attributes:
        names: 16 hexadecimal digits each.
        members: the passages of each, int64, ascending.
        central: int64 [C], the witness whose links are strongest together.
        weakest: float64 [C], the similarity at which the cluster would fall apart.
        of: int64 [P], the cluster of each passage.
    """

    names: list[str]
    members: list[_Ints]
    central: _Ints
    weakest: _Floats
    of: _Ints


def cluster_passages(collection: Collection, pairs: Pairs, passages: Passages) -> PassageClusters:
    """The clusters that ``pairs`` make of ``passages``."""
    order = np.lexsort((passages.ranges[:, 0], collection.ranks[passages.documents]))
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    clusters = _cluster(
        collection,
        pairs.strength,
        Passages(
            passages.documents[order],
            passages.ranges[order],
            np.append(number, -1)[passages.sides],
        ),
    )
    members = [np.sort(order[cluster]) for cluster in clusters.members]
    return clusters._replace(members=members, central=order[clusters.central], of=clusters.of[number])


def _cluster(collection: Collection, strength: _Floats, passages: Passages) -> PassageClusters:
    """The clusters of passages that are numbered in the order that decides between equals."""
    count = len(passages.documents)
    is_link = (passages.sides[:, 0] >= 0) & (passages.sides[:, 0] != passages.sides[:, 1])
    links, similarity = _select_distinct(passages.sides[is_link], strength[is_link])
    is_kept = keep_links(links, similarity, count)
    links, similarity = links[is_kept], similarity[is_kept]
    labels = label_components(links, count)
    members = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.unique(labels, return_counts=True)[1])[:-1])
    members = [np.sort(rows) for rows in members] if count else []
    strengths = np.bincount(links.ravel(), weights=np.repeat(similarity, 2), minlength=count)
    weakest = cluster_components(links, similarity, count).weakest
    names = _name_clusters(collection, passages, members)
    order = sorted(range(len(members)), key=names.__getitem__)
    cluster_of = np.empty(count, np.int64)
    for number, cluster in enumerate(order):
        cluster_of[members[cluster]] = number
    return PassageClusters(
        names=[names[cluster] for cluster in order],
        members=[members[cluster] for cluster in order],
        central=np.array([members[cluster][np.argmax(strengths[members[cluster]])] for cluster in order], np.int64),
        weakest=np.array([weakest[members[cluster][0]] for cluster in order]),
        of=cluster_of,
    )


def _select_distinct(links: _Ints, similarity: _Floats) -> tuple[_Ints, _Floats]:
    """Each link once, the smaller passage first, with its greatest similarity."""
    links = np.sort(links, axis=1)
    order = np.lexsort((-similarity, links[:, 1], links[:, 0]))
    links, similarity = links[order], similarity[order]
    first = np.ones(len(links), np.bool_)
    first[1:] = (links[1:] != links[:-1]).any(axis=1)
    return links[first], similarity[first]


def keep_links(links: _Ints, similarity: _Floats, count: int) -> npt.NDArray[np.bool_]:
    """Return which ``links`` [L, 2] of ``count`` passages are not cut, bool [L].

    >>> chain = np.array([(0, 1), (1, 2), (2, 3)])
    >>> keep_links(chain, np.array([0.9, 0.8, 0.9]), 4).tolist()
    [True, False, True]
    """
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for a, b in links.tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    is_kept = np.array(
        [
            min(len(neighbours[a]), len(neighbours[b])) == 1 or not neighbours[a].isdisjoint(neighbours[b])
            for a, b in links.tolist()
        ],
        np.bool_,
    )
    is_cut_off = np.bincount(links.ravel(), minlength=count) > 0
    is_cut_off[links[is_kept].ravel()] = False
    for row in np.lexsort((links[:, 1], links[:, 0], -similarity)).tolist():
        if is_cut_off[links[row]].any():
            is_kept[row] = True
            is_cut_off[links[row]] = False
    return is_kept


def _name_clusters(collection: Collection, passages: Passages, members: list[_Ints]) -> list[str]:
    """A name for each cluster; no two are the same."""
    owners: dict[int, int] = {}
    names = []
    for cluster in sorted(range(len(members)), key=lambda number: (-len(members[number]), members[number].tolist())):
        names.append(
            (cluster, _choose_name(_list_common_shingles(collection, passages, members[cluster]), owners, cluster))
        )
    return [f"{name:016x}" for _, name in sorted(names)]


def _choose_name(candidates: Iterator[int], owners: dict[int, int], cluster: int) -> int:
    """The first of the candidates that names no other cluster, or the first number from the first of them on."""
    first = next(candidates, 0)
    for candidate in itertools.chain([first], candidates, itertools.count(first + 1)):
        if owners.setdefault(candidate, cluster) == cluster:
            return candidate
    raise AssertionError


def _list_common_shingles(collection: Collection, passages: Passages, members: _Ints) -> Iterator[int]:
    """Hashes of four tokens in a row that at least half of the ``members`` hold, ascending; or of any, if none is.

    The least of all is nearly always enough for a name, so a few of the hashes are counted first.
    """
    spans = passages.ranges[members] + collection.bounds[passages.documents[members], np.newaxis]
    tokens = collection.vocabulary[np.concatenate([collection.tokens[start:end] for start, end in spans.tolist()])]
    bounds = np.append(0, np.cumsum(spans[:, 1] - spans[:, 0]))
    count = 0
    for share in (_COUNTED_FIRST / max(len(tokens), _COUNTED_FIRST), 1.0):
        hashes, counts = count_shingles(tokens, bounds, _SHINGLE, share)
        common = hashes[2 * counts >= len(members)].tolist()
        yield from common[count:]
        count = len(common)
    if not count:
        yield from hashes.tolist()


@kernel
def count_shingles(
    tokens: npt.NDArray[np.uint32], bounds: _Ints, longest: int, share: float
) -> tuple[npt.NDArray[np.uint64], _Ints]:
    """The least of the distinct hashes of the shingles of passages, ascending, and how many passages hold each.

    The tokens of passage ``k`` are ``tokens[bounds[k] : bounds[k + 1]]``, one or more. A shingle has ``longest``
    tokens, or those of a shorter passage. About this ``share`` of all hashes is counted.
    """
    hashes, count = np.empty(tokens.shape[0], np.uint64), 0
    greatest = np.uint64(share * 2.0**63) << np.uint64(1) if share < 1.0 else ~np.uint64(0)
    for k in range(bounds.shape[0] - 1):
        first, width = count, min(longest, bounds[k + 1] - bounds[k])
        for p in range(bounds[k], bounds[k + 1] - width + 1):
            state = np.uint64(0)
            for token in tokens[p : p + width]:
                state = (state ^ np.uint64(token)) * GOLDEN
                state ^= state >> np.uint64(29)
            hashes[count] = state
            if state <= greatest:
                count += 1
        hashes[first:count].sort()
        count = first + _drop_repeats(hashes[first:count])
    hashes = hashes[:count]
    hashes.sort()
    counts, distinct = np.zeros(count, np.int64), 0
    for p in range(count):
        if p == 0 or hashes[p] != hashes[distinct - 1]:
            hashes[distinct] = hashes[p]
            distinct += 1
        counts[distinct - 1] += 1
    return hashes[:distinct].copy(), counts[:distinct].copy()


@kernel
def _drop_repeats(hashes: npt.NDArray[np.uint64]) -> int:
    """Move the distinct values to the front, in place, and return their number."""
    distinct = 0
    for p in range(hashes.shape[0]):
        if p == 0 or hashes[p] != hashes[distinct - 1]:
            hashes[distinct] = hashes[p]
            distinct += 1
    return distinct
