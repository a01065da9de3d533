"""The sets that contain a set, from signatures in memory: an LSH ensemble (Zhu, Nargesian, Pu, Miller, VLDB 2016).

Signatures estimate the Jaccard similarity. For a query of ``q`` elements, a set of ``x`` elements that contains the
share ``t`` of the query has the similarity ``t / (x / q + 1 - t)``. So sets are put into partitions by their size, and
within each partition, bands are chosen for the similarity that its largest set would have at the threshold.
"""

from collections.abc import Hashable, Iterable, Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ibidem.arguments import require_fraction
from ibidem.sketches.banding import Banding
from ibidem.sketches.datasketch.band_tables import BandTables
from ibidem.sketches.datasketch.lsh import AnySignature, require_alike

# Ratios of sizes are rounded to this many steps between a number and its double, so that few choices are computed. A
# step of a quarter changes the ratio by at most 9 %. Set by hand.
_STEPS_PER_DOUBLING = 4


class _Partition:
    """Sets of at most ``largest`` elements, in tables of bands of 1 to ``m`` rows."""

    def __init__(self, largest: int, num_perm: int, m: int) -> None:
        self.largest = largest
        self.tables = {rows: BandTables(Banding(num_perm // rows, rows)) for rows in range(1, m + 1)}

    def insert(self, key: Hashable, minhash: AnySignature) -> None:
        for tables in self.tables.values():
            tables.insert(key, minhash.hashvalues)

    def candidates(self, minhash: AnySignature, banding: Banding) -> set[Hashable]:
        return self.tables[banding.rows].candidates(minhash.hashvalues, banding.bands)


class MinHashLSHEnsemble:
    """Finds the sets that contain a share of the elements of a set, the threshold or more.

    It has the methods of ``datasketch.MinHashLSHEnsemble`` for an index in memory. Differences: partitions hold about
    equally many sets, and bands are chosen for every ratio of sizes, not for ten of them.

    Args:
        threshold: the containment that matters, from 0 to 1.
        num_perm: the functions of the signatures.
        num_part: how many partitions by size; more make fewer false candidates, and slower queries.
        m: tables hold bands of 1 to ``m`` rows, so they take ``m`` times the room; more make fewer false candidates.
        weights: of false positives and of false negatives, for the choice of bands.

    Raises:
        ValueError: a threshold, weights or numbers that cannot be.

    >>> from ibidem import MinHash
    >>> sets = {"all": range(90), "half": range(0, 90, 2), "other": range(90, 180)}
    >>> ensemble = MinHashLSHEnsemble(threshold=0.8)
    >>> ensemble.index((key, MinHash.bulk([each])[0], len(each)) for key, each in sets.items())
    >>> sorted(ensemble.query(MinHash.bulk([range(60)])[0], 60))  # in "half" are 30 of the 60
    ['all']
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        num_part: int = 16,
        m: int = 8,
        weights: tuple[float, float] = (0.5, 0.5),
    ) -> None:
        if not 1 <= m <= num_perm:
            raise ValueError(f"bands have 1 to m rows, m from 1 to the {num_perm} functions, not {m}")
        if num_part < 1:
            raise ValueError(f"an ensemble has a partition or more, not {num_part}")
        if not (min(weights) >= 0 and sum(weights) > 0):
            raise ValueError(f"weights are numbers from 0, and not both 0: not {weights[0]} and {weights[1]}")
        self.threshold, self.num_perm = require_fraction("threshold", threshold, zero=True), int(num_perm)
        self.num_part, self.m = int(num_part), int(m)
        self.weights = (float(weights[0]), float(weights[1]))
        self._partitions: list[_Partition] = []
        self._keys: dict[Hashable, None] = {}
        self._first: AnySignature | None = None

    @property
    def h(self) -> int:
        """The functions of a signature."""
        return self.num_perm

    def index(self, entries: Iterable[tuple[Hashable, AnySignature, int]]) -> None:
        """Add all sets at once, as keys, signatures and numbers of elements; it can be called once.

        Raises:
            ValueError: it was called before; there is no set; a key comes twice; a set has no element, or a signature
                other functions than the ensemble. Nothing is added then.
        """
        if self._partitions:
            raise ValueError("the sets of an ensemble are added by one call; make another ensemble for others")
        sorted_entries = sorted(entries, key=lambda entry: entry[2])
        if not sorted_entries:
            raise ValueError("an ensemble needs a set or more")
        keys = dict.fromkeys(key for key, _, _ in sorted_entries)
        if len(keys) < len(sorted_entries):
            raise ValueError(f"{len(sorted_entries)} sets have only {len(keys)} keys")
        for key, minhash, size in sorted_entries:
            self._require(minhash, size, sorted_entries[0][1], f"the set {key!r}")
        partitions: list[_Partition] = []
        for first, last in _equal_parts([size for _, _, size in sorted_entries], self.num_part):
            partition = _Partition(sorted_entries[last - 1][2], self.num_perm, self.m)
            for key, minhash, _ in sorted_entries[first:last]:
                partition.insert(key, minhash)
            partitions.append(partition)
        self._partitions, self._keys, self._first = partitions, keys, sorted_entries[0][1].copy()

    def query(self, minhash: AnySignature, size: int) -> Iterator[Hashable]:
        """The keys of sets that are likely to contain the threshold's share of a set of ``size`` elements, or more.

        Raises:
            ValueError: the set has no element, or its signature other functions than the ensemble.
        """
        self._require(minhash, size, self._first, "the query")
        return self._find(minhash, size)

    def is_empty(self) -> bool:
        """Whether nothing is in the ensemble."""
        return not self._keys

    def __contains__(self, key: Hashable) -> bool:
        return key in self._keys

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"MinHashLSHEnsemble(threshold={self.threshold}, num_perm={self.num_perm}), {len(self)} keys"

    def _find(self, minhash: AnySignature, size: int) -> Iterator[Hashable]:
        for partition in self._partitions:
            if partition.largest < self.threshold * size:
                continue  # none of its sets has enough elements
            banding = _least_error(
                self.threshold, self.num_perm, self.m, _round_ratio(partition.largest / size), self.weights
            )
            yield from partition.candidates(minhash, banding)

    def _require(self, minhash: AnySignature, size: int, alike: AnySignature | None, name: str) -> None:
        if size < 1:
            raise ValueError(f"{name} has {size} elements; a set of an ensemble has one or more")
        require_alike(minhash, self.num_perm, [] if alike is None else [alike], "ensemble")


def _equal_parts(sizes: list[int], parts: int) -> Iterator[tuple[int, int]]:
    """At most ``parts`` ranges of ascending ``sizes``, of about equally many; equal sizes stay together."""
    first = 0
    for part in range(parts):
        last = max(first, len(sizes) * (part + 1) // parts)
        while 0 < last < len(sizes) and sizes[last] == sizes[last - 1]:
            last += 1
        if last > first:
            yield first, last
        first = last


def _round_ratio(ratio: float) -> float:
    return float(2.0 ** (round(np.log2(ratio) * _STEPS_PER_DOUBLING) / _STEPS_PER_DOUBLING))


@cache
def _least_error(threshold: float, num_perm: int, m: int, ratio: float, weights: tuple[float, float]) -> Banding:
    """The banding of at most ``m`` rows that errs least about the containment, for sets ``ratio`` times the query.

    The error is the first weight times the integral of the probability of a candidate over containments below the
    threshold, plus the second times that of its complement from there to the largest containment possible (Zhu et al.
    2016, section 5.1).
    """
    nodes, node_weights = np.polynomial.legendre.leggauss(64)
    nodes, node_weights = (nodes + 1) / 2, node_weights / 2
    most = min(1.0, ratio)
    boundary = min(threshold, most)
    below, above = boundary * nodes, boundary + (most - boundary) * nodes

    def errors(banding: Banding) -> float:
        positives = boundary * node_weights @ banding.probability(_similarity(below, ratio))
        negatives = (most - boundary) * node_weights @ (1 - banding.probability(_similarity(above, ratio)))
        return float(weights[0] * positives + weights[1] * negatives)

    bandings = [Banding(bands, rows) for rows in range(1, m + 1) for bands in range(1, num_perm // rows + 1)]
    return min(bandings, key=errors)


def _similarity(containment: NDArray[np.float64], ratio: float) -> NDArray[np.float64]:
    return np.minimum(1.0, containment / (ratio + 1 - containment))
