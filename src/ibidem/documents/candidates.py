"""Candidate pairs by banding: texts whose signatures agree in all values of a band, and in enough values overall.

All texts of one band hash are a *bucket*. A pair is examined in the first band that it has in common, as its signatures
show, so that no pair is examined twice and none has to be remembered. Of a bucket of up to ``SMALL`` texts, every pair
is a candidate. Larger ones are left to ``large_buckets``, since their pairs may be too many to be listed.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.agreement.banding import Banding
from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import kernel
from ibidem.ragged import bounds_of

SMALL = 64
"""The most texts of a bucket of which every pair is compared."""

_TOGETHER = 1 << 13
"""Texts of buckets whose signatures are gathered at a time."""

_Ints = NDArray[np.int64]


class Signatures(NamedTuple):
    """Signatures, as the kernels read them.

    Attributes:
        values: uint32 [n, k].
        banding: how they are cut.
        least_agreeing: of the k values, as many must agree.
    """

    values: NDArray[np.uint32]
    banding: Banding
    least_agreeing: int


class Buckets(NamedTuple):
    """Buckets of two texts or more.

    Attributes:
        hashes: uint64 [B], that of the band of each.
        members: int64 [M], their texts, bucket after bucket, ascending in each.
        bounds: int64 [B + 1], where those of each begin.
    """

    hashes: NDArray[np.uint64]
    members: _Ints
    bounds: _Ints

    @classmethod
    def of(cls, hashes: NDArray[np.uint64], texts: _Ints) -> "Buckets":
        """The buckets of ``texts`` [n] by the hash of a band of each."""
        order = np.argsort(hashes, kind="stable")
        ordered = hashes[order]
        is_shared = np.zeros(len(hashes), np.bool_)
        is_shared[1:] = ordered[1:] == ordered[:-1]
        is_shared[:-1] |= is_shared[1:]
        hashes, texts = ordered[is_shared], texts[order[is_shared]]
        members = texts[np.lexsort((texts, hashes))]
        opens = np.flatnonzero(np.append(len(hashes) > 0, hashes[1:] != hashes[:-1]))
        return cls(hashes[opens], members, np.append(opens, len(hashes)))

    @classmethod
    def concatenate(cls, parts: Sequence["Buckets"]) -> "Buckets":
        """All buckets of several, of which there is one at least."""
        sizes = np.concatenate([np.diff(part.bounds) for part in parts])
        members = np.concatenate([part.members for part in parts])
        return cls(np.concatenate([part.hashes for part in parts]), members, bounds_of(sizes))

    def select(self, is_wanted: NDArray[np.bool_]) -> "Buckets":
        """Some of the buckets, bool [B]."""
        sizes = np.diff(self.bounds)
        members = self.members[np.repeat(is_wanted, sizes)]
        return Buckets(self.hashes[is_wanted], members, bounds_of(sizes[is_wanted]))

    def split(self) -> list[_Ints]:
        """The members of each bucket."""
        return np.split(self.members, self.bounds[1:-1])[: len(self.hashes)]

    def are_small(self) -> NDArray[np.bool_]:
        """Of which buckets every pair is compared."""
        return np.diff(self.bounds) <= SMALL

    def cut(self) -> "Iterator[Buckets]":
        """The same buckets, some at a time."""
        cuts = np.flatnonzero(np.diff(self.bounds[:-1] // _TOGETHER)) + 1
        edges = [0, *cuts.tolist(), len(self.hashes)]
        for low, high in pairwise(edges):
            if low < high:
                begin, end = self.bounds[low], self.bounds[high]
                yield Buckets(self.hashes[low:high], self.members[begin:end], self.bounds[low : high + 1] - begin)


def hash_bands(signatures: NDArray[np.uint32], banding: Banding) -> NDArray[np.uint64]:
    """A hash of each band of each signature: uint64 [n, bands]."""
    hashes = np.empty((len(signatures), banding.bands), np.uint64)
    _fill_band_hashes(signatures, banding.rows, hashes)
    return hashes


def list_candidates(buckets: Buckets, signatures: Signatures) -> _Ints:
    """The candidate pairs [P, 2] of small buckets whose members are numbers of ``signatures``."""
    values, banding, least_agreeing = signatures
    return _list_pairs(buckets.hashes, buckets.members, buckets.bounds, values, *banding, least_agreeing)


def find_band(signature: NDArray[np.uint32], banding: Banding, hash: np.uint64) -> int:
    """The band of a signature that has this hash."""
    return int(np.flatnonzero(hash_bands(signature[None], banding)[0] == hash)[0])


def count_agreements(values: NDArray[np.uint32], first: _Ints, second: _Ints) -> _Ints:
    """Return how many values agree between the signatures ``first`` [P] and ``second`` [P]: int64 [P]."""
    agreeing = np.empty(len(first), np.int64)
    _fill_agreements(values, first, second, agreeing)
    return agreeing


@kernel
def _hash_band(signature: NDArray[np.uint32], band: int, rows: int) -> np.uint64:
    state = np.uint64(band)
    for value in range(band * rows, (band + 1) * rows):
        state = mix64((state ^ np.uint64(signature[value])) + GOLDEN)
    return state


@kernel
def _fill_band_hashes(signatures: NDArray[np.uint32], rows: int, hashes: NDArray[np.uint64]) -> None:
    for document in range(hashes.shape[0]):
        for band in range(hashes.shape[1]):
            hashes[document, band] = _hash_band(signatures[document], band, rows)


@kernel
def _count_agreeing(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> np.int64:
    """Return how many values of two signatures agree."""
    count = np.int64(0)
    for i in range(a.shape[0]):
        count += np.int64(a[i] == b[i])
    return count


@kernel
def _fill_agreements(
    values: NDArray[np.uint32], first: NDArray[np.int64], second: NDArray[np.int64], agreeing: NDArray[np.int64]
) -> None:
    for pair in range(first.shape[0]):
        agreeing[pair] = _count_agreeing(values[first[pair]], values[second[pair]])


@kernel
def _agree_earlier(a: NDArray[np.uint32], b: NDArray[np.uint32], band: int, rows: int) -> bool:
    """Return whether two signatures agree in a band before this one."""
    for earlier in range(band):
        value, end = earlier * rows, (earlier + 1) * rows
        while value < end and a[value] == b[value]:
            value += 1
        if value == end:
            return True
    return False


@kernel
def _list_pairs(
    hashes: NDArray[np.uint64],
    members: NDArray[np.int64],
    bounds: NDArray[np.int64],
    values: NDArray[np.uint32],
    bands: int,
    rows: int,
    least: int,
) -> NDArray[np.int64]:
    room, n = 1024, 0
    pairs = np.empty((room, 2), np.int64)
    for bucket in range(hashes.shape[0]):
        band = 0
        while band < bands - 1 and _hash_band(values[members[bounds[bucket]]], band, rows) != hashes[bucket]:
            band += 1
        for i in range(bounds[bucket], bounds[bucket + 1]):
            a = members[i]
            for j in range(i + 1, bounds[bucket + 1]):
                b = members[j]
                if _agree_earlier(values[a], values[b], band, rows) or _count_agreeing(values[a], values[b]) < least:
                    continue
                if n == room:
                    pairs = np.concatenate((pairs, np.empty((room, 2), np.int64)))
                    room = 2 * room
                pairs[n, 0], pairs[n, 1] = a, b
                n += 1
    return pairs[:n].copy()


@kernel
def _find_majority(labels: NDArray[np.int64]) -> np.int64:
    """The label of more than half, if there is one; otherwise any (Boyer, Moore 1981)."""
    label: np.int64 = labels[0]
    lead = 0
    for other_label in labels:
        if lead == 0:
            label = other_label
        lead += 1 if other_label == label else -1
    return label


@kernel
def find_next_candidates(
    members: NDArray[np.int64],
    begin: int,
    band: int,
    clusters: NDArray[np.int64],
    values: NDArray[np.uint32],
    rows: int,
    least: int,
) -> tuple[int, NDArray[np.int64]]:
    """The first of ``members``, from ``begin`` on, that has candidates after it in other ``clusters``, and those.

    ``members`` are rows of ``values``. Returns a place in ``members``, or their number if there is none, and the places
    of the candidates, int64 [C]. If most are of one cluster, only the others are compared with each.
    """
    count = members.shape[0]
    majority = _find_majority(clusters)
    all_places, minority_places = np.arange(count), np.flatnonzero(clusters != majority)
    candidates = np.empty(count, np.int64)
    for i in range(begin, count):
        places = minority_places if clusters[i] == majority else all_places
        a, n = members[i], 0
        for j in places[np.searchsorted(places, i, "right") :]:
            b = members[j]
            is_candidate = clusters[i] != clusters[j] and not _agree_earlier(values[a], values[b], band, rows)
            if is_candidate and _count_agreeing(values[a], values[b]) >= least:
                candidates[n] = j
                n += 1
        if n:
            return i, candidates[:n].copy()
    return count, candidates[:0].copy()
