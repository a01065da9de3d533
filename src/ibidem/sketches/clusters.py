"""Clusters of sketches, in a time that grows with the sketches and not with their pairs (Broder 1997, section 4.4).

Sketches are taken one after the other. A table says for each fingerprint to which clusters it belongs, that is, whose
representative has it. So a new sketch is compared only with the clusters that share a fingerprint with it: ``r``
sketches of ``s`` fingerprints take O(rs), if a fingerprint belongs to a few clusters only.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ibidem.arguments import require_fraction
from ibidem.errors import ConfigurationError
from ibidem.sketches.bottom_s import BottomS
from ibidem.sketches.sketches import compare_samples

_REPRESENTATIVES = ("popular", "first")


class _Cluster:
    """A cluster: how often each fingerprint occurs in its sketches, and the representative."""

    def __init__(self, sketch: BottomS) -> None:
        self.counts = Counter(sketch.values.tolist())
        self.representative = sketch.values

    def add(self, sketch: BottomS) -> None:
        """Take a sketch in; the representative becomes its most popular fingerprints, of equals the least."""
        self.counts.update(sketch.values.tolist())
        popular = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))[: sketch.num_hashes]
        self.representative = np.sort(np.array([value for value, _ in popular], np.uint64))


def gather_sketches(
    sketches: Iterable[BottomS], threshold: float = 0.5, representative: str = "popular"
) -> NDArray[np.int64]:
    """For each sketch the number of the first one of its cluster, int64 [r].

    A sketch joins the cluster whose representative resembles it most (of equals the oldest), if by ``threshold`` or
    more; otherwise it starts a cluster.

    Args:
        sketches: of one num_hashes, seed and modulus.
        threshold: the resemblance that matters, above 0 to 1.
        representative: ``"popular"`` for the most popular fingerprints of a cluster, ``"first"`` for its first sketch.

    Raises:
        ValueError: a threshold or representative that cannot be.
        ConfigurationError: sketches that cannot be compared.

    >>> sets = [range(0, 100), range(200, 300), range(5, 105), range(202, 302)]
    >>> gather_sketches([BottomS.of(each, 64) for each in sets]).tolist()
    [0, 1, 0, 1]
    """
    require_fraction("threshold", threshold)
    if representative not in _REPRESENTATIVES:
        raise ValueError(f"a representative is {' or '.join(_REPRESENTATIVES)}, not {representative!r}")
    clusters: dict[int, _Cluster] = {}
    owners: defaultdict[int, set[int]] = defaultdict(set)
    labels: list[int] = []
    first: BottomS | None = None
    for number, sketch in enumerate(sketches):
        first = first or sketch
        if not isinstance(sketch, BottomS):
            raise ConfigurationError(f"clusters are made of BottomS, and not of {type(sketch).__name__}")
        first.require_alike(sketch)
        cluster = _most_similar(sketch, clusters, owners, threshold)
        labels.append(number if cluster is None else cluster)
        if cluster is None:
            clusters[number] = _Cluster(sketch)
            _move(owners, number, np.zeros(0, np.uint64), sketch.values)
        elif representative == "popular":
            before = clusters[cluster].representative
            clusters[cluster].add(sketch)
            _move(owners, cluster, before, clusters[cluster].representative)
    return np.array(labels, np.int64)


def _most_similar(
    sketch: BottomS, clusters: dict[int, _Cluster], owners: defaultdict[int, set[int]], threshold: float
) -> int | None:
    """The cluster that a sketch joins, if there is one."""
    near = {cluster for value in sketch.values.tolist() if value in owners for cluster in owners[value]}
    best, cluster_to_join = threshold, None
    for cluster in sorted(near):
        overlap = compare_samples(clusters[cluster].representative, sketch.values, sketch.num_hashes)
        similarity = overlap.both / overlap.either
        if similarity > best or (similarity == best and cluster_to_join is None):
            best, cluster_to_join = similarity, cluster
    return cluster_to_join


def _move(
    owners: defaultdict[int, set[int]], cluster: int, before: NDArray[np.uint64], after: NDArray[np.uint64]
) -> None:
    """Update the table to a cluster's new representative."""
    for value in np.setdiff1d(before, after).tolist():
        owners[value].discard(cluster)
    for value in np.setdiff1d(after, before).tolist():
        owners[value].add(cluster)
