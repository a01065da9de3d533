"""Candidate pairs by banding: documents whose signatures agree in all values of a band, and in enough values overall.

All documents of one band hash are a *bucket*. A pair is examined in the first band that it has in common, so that no
pair is examined twice and none has to be remembered. Of a bucket of up to ``SMALL`` documents, every pair is a
candidate. Larger ones are left to ``large_buckets``, since their pairs may be too many to be listed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import kernel
from ibidem.sketches.banding import Banding

SMALL = 64
"""The most documents of a bucket of which every pair is compared."""


class BandedSignatures(NamedTuple):
    """Documents by their signatures, as the kernels read them.

    Attributes:
        signatures: uint32 [n, k].
        bands: uint64 [n, b].
        rows: int64 [u], the documents that take part: document ``i`` of the candidates is row ``rows[i]``.
        least_agreeing: of the k values, as many must agree.
    """

    signatures: NDArray[np.uint32]
    bands: NDArray[np.uint64]
    rows: NDArray[np.int64]
    least_agreeing: int


class BandCandidates(NamedTuple):
    """The candidate pairs of one band.

    Attributes:
        pairs: int64 [P, 2], candidates, the smaller number first.
        agreeing: int64 [P], how many values of their signatures agree.
        members: int64 [M], the documents of the buckets that are too large, bucket after bucket, ascending in each.
        bounds: int64 [L + 1], where each of these begins in ``members``.
    """

    pairs: NDArray[np.int64]
    agreeing: NDArray[np.int64]
    members: NDArray[np.int64]
    bounds: NDArray[np.int64]

    def large_buckets(self) -> list[NDArray[np.int64]]:
        """The documents of each bucket that is too large."""
        return [members for members in np.split(self.members, self.bounds[1:-1]) if len(members)]


def hash_bands(signatures: NDArray[np.uint32], banding: Banding) -> NDArray[np.uint64]:
    """A hash of each band of each signature: uint64 [n, bands]."""
    hashes = np.empty((len(signatures), banding.bands), np.uint64)
    _fill_band_hashes(signatures, banding.rows, hashes)
    return hashes


def find_candidates(documents: BandedSignatures, band: int, part: int = 0, parts: int = 1) -> BandCandidates:
    """The candidates of one band, of those buckets whose hash is ``part`` modulo ``parts``."""
    hashes = documents.bands[documents.rows, band]
    members_of_part = np.arange(len(hashes))
    if parts > 1:
        members_of_part = np.flatnonzero(hashes % np.uint64(parts) == np.uint64(part))
        hashes = hashes[members_of_part]
    order = np.argsort(hashes, kind="stable")
    members, hashes = members_of_part[order], hashes[order]
    starts = np.flatnonzero(np.append(len(hashes) > 0, hashes[1:] != hashes[:-1]))
    sizes = np.diff(starts, append=len(hashes))
    is_small, is_large = (sizes > 1) & (sizes <= SMALL), sizes > SMALL
    ends = starts + sizes
    signatures, bands, rows, least = documents
    small_bounds = np.stack([starts[is_small], ends[is_small]])
    pairs, agreeing = _list_pairs(members, small_bounds, band, signatures, bands, rows, least)
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[is_large])])
    buckets = [members[start:end] for start, end in zip(starts[is_large], ends[is_large], strict=True)]
    return BandCandidates(pairs, agreeing, np.concatenate([members[:0], *buckets]), bounds)


def count_agreements(
    signatures: NDArray[np.uint32], first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return how many values agree between the rows ``first`` [P] and ``second`` [P]: int64 [P]."""
    agreeing = np.empty(len(first), np.int64)
    _fill_agreements(signatures, first, second, agreeing)
    return agreeing


@kernel
def _fill_band_hashes(signatures: NDArray[np.uint32], rows: int, hashes: NDArray[np.uint64]) -> None:
    for document in range(hashes.shape[0]):
        for band in range(hashes.shape[1]):
            state = np.uint64(band)
            for value in range(band * rows, (band + 1) * rows):
                state = mix64((state ^ np.uint64(signatures[document, value])) + GOLDEN)
            hashes[document, band] = state


@kernel
def _count_agreeing(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> np.int64:
    """Return how many values of two signatures agree."""
    count = np.int64(0)
    for i in range(a.shape[0]):
        count += np.int64(a[i] == b[i])
    return count


@kernel
def _fill_agreements(
    signatures: NDArray[np.uint32], first: NDArray[np.int64], second: NDArray[np.int64], agreeing: NDArray[np.int64]
) -> None:
    for pair in range(first.shape[0]):
        agreeing[pair] = _count_agreeing(signatures[first[pair]], signatures[second[pair]])


@kernel
def _agree_earlier(a: NDArray[np.uint64], b: NDArray[np.uint64], band: int) -> bool:
    """Return whether two rows of band hashes agree in a band before this one."""
    earlier = 0
    while earlier < band and a[earlier] != b[earlier]:
        earlier += 1
    return earlier < band


@kernel
def _list_pairs(
    members: NDArray[np.int64],
    buckets: NDArray[np.int64],
    band: int,
    signatures: NDArray[np.uint32],
    bands: NDArray[np.uint64],
    rows: NDArray[np.int64],
    least: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    room = 1024
    pairs, agreeing = np.empty((room, 2), np.int64), np.empty(room, np.int64)
    n = 0
    for bucket in range(buckets.shape[1]):
        for i in range(buckets[0, bucket], buckets[1, bucket]):
            a = rows[members[i]]
            for j in range(i + 1, buckets[1, bucket]):
                b = rows[members[j]]
                if _agree_earlier(bands[a], bands[b], band):
                    continue
                count = _count_agreeing(signatures[a], signatures[b])
                if count < least:
                    continue
                if n == room:
                    pairs = np.concatenate((pairs, np.empty((room, 2), np.int64)))
                    agreeing = np.concatenate((agreeing, np.empty(room, np.int64)))
                    room = 2 * room
                pairs[n, 0], pairs[n, 1], agreeing[n] = members[i], members[j], count
                n += 1
    return pairs[:n].copy(), agreeing[:n].copy()


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
    signatures: NDArray[np.uint32],
    bands: NDArray[np.uint64],
    rows: NDArray[np.int64],
    least: int,
) -> tuple[int, NDArray[np.int64]]:
    """The first of ``members``, from ``begin`` on, that has candidates after it in other ``clusters``, and those.

    Returns its place in ``members``, or their number if there is none, and the candidates int64 [C]. If most are of one
    cluster, only the others are compared with each.
    """
    count = members.shape[0]
    majority = _find_majority(clusters)
    all_places, minority_places = np.arange(count), np.flatnonzero(clusters != majority)
    candidates = np.empty(count, np.int64)
    for i in range(begin, count):
        places = minority_places if clusters[i] == majority else all_places
        a, n = rows[members[i]], 0
        for j in places[np.searchsorted(places, i, "right") :]:
            b = rows[members[j]]
            is_candidate = clusters[i] != clusters[j] and not _agree_earlier(bands[a], bands[b], band)
            if is_candidate and _count_agreeing(signatures[a], signatures[b]) >= least:
                candidates[n] = members[j]
                n += 1
        if n:
            return i, candidates[:n].copy()
    return count, candidates[:0].copy()
