"""Clusters of documents made of similar pairs, and what holds each cluster together.

Similarity is not transitive: a chain of documents, each similar to the next, may end far from where it began. So a
cluster comes with its weakest link, the highest threshold at which it is still one cluster. There are two ways to make
clusters. Connected components join whatever is linked (``label_components``, ``cluster_components``). The greedy way
puts documents around representatives (``cluster_greedily``), so that no chain is longer than two links.

No result depends on the order of the pairs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem.disjoint_sets import join_pairs, root_of, settle
from ibidem.kernels import kernel
from ibidem.rounding import reaches

__all__ = ["Clusters", "cluster_components", "cluster_greedily", "label_components"]

_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]


class Clusters(NamedTuple):
    """A partition of documents.

    Attributes:
        labels: int64 [count], for each document the one after which its cluster is named.
        weakest: float64 [count], for each document the weakest link of its cluster; 1 if it is alone.
    """

    labels: _Ints
    weakest: _Floats


def label_components(pairs: ArrayLike, count: int) -> _Ints:
    """The smallest member of the connected component of each of ``count`` documents, int64 [count].

    ``pairs`` [N, 2] are numbers of documents, from 0; a pair may occur twice, in either order.

    Raises:
        ValueError: ``pairs`` has another shape, or a number that no document has.

    >>> label_components([(3, 1), (4, 3)], 5).tolist()
    [0, 1, 2, 1, 1]
    """
    labels: _Ints = _find_components(_validate_pairs(pairs, count), count)
    return labels


def cluster_components(pairs: ArrayLike, similarities: ArrayLike, count: int, threshold: float = 0.0) -> Clusters:
    """Connected components of the pairs whose similarity reaches ``threshold``, with the weakest link of each.

    The weakest link of a cluster is the highest threshold at which it is still one: the least similarity on a spanning
    tree of the most similar pairs (single linkage). Links under the threshold are cut; a higher one cuts longer chains.
    A cluster is named after its smallest member.

    Args:
        pairs: [N, 2], numbers of documents, from 0.
        similarities: [N].

    Raises:
        ValueError: the arrays do not fit together, or a similarity is no number.

    >>> cluster_components([(0, 1), (1, 2), (0, 2)], [0.9, 0.6, 0.8], 4).weakest.tolist()
    [0.8, 0.8, 0.8, 1.0]
    """
    ends, strengths = _select_links(pairs, similarities, count, threshold)
    order = np.argsort(-strengths, kind="stable")
    return Clusters(*_link_components(ends[order], strengths[order], count))


def cluster_greedily(
    pairs: ArrayLike, similarities: ArrayLike, count: int, threshold: float = 0.0, order: ArrayLike | None = None
) -> Clusters:
    """Clusters around representatives, greedily (Broder 1997): every document has a link to its representative.

    Documents are taken in ``order``. One that is similar to a representative joins the most similar of these (of
    equals, the first); any other becomes a representative itself. The distance ``1 - similarity`` is a metric, so two
    documents of a cluster have a similarity of ``2 * weakest - 1`` at least. A cluster is named after its
    representative.

    Args:
        pairs: [N, 2], numbers of documents, from 0.
        similarities: [N].
        threshold: pairs below it do not count.
        order: [count], the documents, each once; as they are numbered by default.

    Raises:
        ValueError: the arrays do not fit together, a similarity is no number, or ``order`` is no permutation.

    >>> cluster_greedily([(0, 1), (1, 2)], [0.9, 0.8], 3).labels.tolist()
    [0, 0, 2]
    """
    ends, strengths = _select_links(pairs, similarities, count, threshold)
    order_of_documents = _validate_order(order, count)
    place = np.empty(count, np.int64)
    place[order_of_documents] = np.arange(count)
    ranks = place[ends]
    earlier, later = ranks.min(axis=1), ranks.max(axis=1)
    link_order = np.lexsort((earlier, -strengths, later))
    labels, weakest = _join_representatives(earlier[link_order], later[link_order], strengths[link_order], count)
    return Clusters(order_of_documents[labels[place]], weakest[place])


def _validate_pairs(pairs: ArrayLike, count: int) -> _Ints:
    ends = np.asarray(pairs)
    if not ends.size:
        return np.zeros((0, 2), np.int64)
    if ends.ndim != 2 or ends.shape[1] != 2 or ends.dtype.kind not in "iu":
        raise ValueError(f"pairs are whole numbers [N, 2], not {ends.dtype} {list(ends.shape)}")
    if not 0 <= int(ends.min()) <= int(ends.max()) < count:
        raise ValueError(f"pairs name documents {ends.min()} to {ends.max()}, and there are 0 to {count - 1}")
    return np.ascontiguousarray(ends, np.int64)


def _select_links(pairs: ArrayLike, similarities: ArrayLike, count: int, threshold: float) -> tuple[_Ints, _Floats]:
    """Pairs and similarities that reach the threshold."""
    ends, strengths = _validate_pairs(pairs, count), np.asarray(similarities, np.float64)
    if strengths.shape != (len(ends),):
        raise ValueError(f"{len(ends)} pairs have as many similarities, not {list(strengths.shape)}")
    if np.isnan(strengths).any():
        raise ValueError(f"the similarity of the pair {ends[np.isnan(strengths).argmax()].tolist()} is no number")
    is_link = reaches(strengths, threshold)
    return ends[is_link], strengths[is_link]


def _validate_order(order: ArrayLike | None, count: int) -> _Ints:
    if order is None:
        return np.arange(count)
    valid_order = np.asarray(order, np.int64)
    if valid_order.shape != (count,) or not np.array_equal(np.sort(valid_order), np.arange(count)):
        raise ValueError(f"an order names each of the {count} documents once")
    return valid_order


@kernel
def _find_components(pairs: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    parents = np.arange(count)
    join_pairs(parents, pairs)
    settle(parents)
    return parents


@kernel
def _link_components(
    pairs: NDArray[np.int64], similarities: NDArray[np.float64], count: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Components and weakest links; the pairs come by falling similarity."""
    parents = np.arange(count)
    weakest = np.ones(count)
    for pair in range(pairs.shape[0]):
        a, b = root_of(parents, pairs[pair, 0]), root_of(parents, pairs[pair, 1])
        if a != b:
            parents[max(a, b)] = min(a, b)
            weakest[min(a, b)] = similarities[pair]
    settle(parents)
    for member in range(count):
        weakest[member] = weakest[parents[member]]
    return parents, weakest


@kernel
def _join_representatives(
    earlier: NDArray[np.int64], later: NDArray[np.int64], similarities: NDArray[np.float64], count: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Representatives and weakest links; the pairs come by the later end, of one end the most similar first."""
    labels = np.arange(count)
    weakest = np.ones(count)
    for pair in range(earlier.shape[0]):
        first, second = earlier[pair], later[pair]
        if first != second and labels[second] == second and labels[first] == first:
            labels[second] = first
            weakest[first] = min(weakest[first], similarities[pair])
    for member in range(count):
        weakest[member] = weakest[labels[member]]
    return labels, weakest
