"""Comparing documents: with the columns of one part as they are, or with what is gathered from several."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.candidates import BandedSignatures
from ibidem.documents.choices import Choices
from ibidem.documents.digests import Digests
from ibidem.documents.large_buckets import Links
from ibidem.documents.signatures import Shingler
from ibidem.documents.verification import Estimates, Verifier
from ibidem.resources import Resources

_TOKEN_BYTES = 24
"""Memory that a token takes while it is compared: itself, and the shingle that it begins, sorted."""


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


class PairComparer:
    """Gives similarities of pairs of texts, and counts how many were asked for.

    Attributes:
        rows: int64 [u], the document that is compared for each text.
        lengths: int64 [u], tokens of each.
        count: pairs that were compared.
    """

    def __init__(
        self,
        digests: Digests,
        rows: NDArray[np.int64],
        lengths: NDArray[np.int64],
        choices: Choices,
        resources: Resources,
        pool: ThreadPoolExecutor,
    ) -> None:
        self.rows, self.lengths, self.count = rows, lengths, 0
        self._digests, self._choices, self._pool = digests, choices, pool
        self._memory, self._workers, _ = resources
        self._shingles = Shingler(choices.shingle).hash
        self._whole = self._open_whole() if digests.in_one_part else None

    def __call__(self, pairs: NDArray[np.int64], least: float) -> NDArray[np.float64]:
        """The similarity of each of ``pairs`` [P, 2]; 0 where the sizes alone rule out ``least``."""
        self.count += len(pairs)
        if self._whole is not None:
            return self._whole.measure_similarities(pairs, least)
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        similarities = np.empty(len(pairs))
        for rows in self._blocks(pairs, order):
            similarities[rows] = self._compare(pairs[rows], least)
        return similarities

    def _open_whole(self) -> Verifier | Estimates:
        """All documents, whose columns are in one part."""
        if not self._choices.verify:
            return Estimates(gather_signatures(self._digests, self.rows, self._choices.least_agreeing))
        ids, bounds = self._digests.column("tokens"), self._digests.column("tokens_bounds")
        return Verifier(ids, bounds, self.rows, self._shingles, self._pool, self._workers)

    def _blocks(self, pairs: NDArray[np.int64], order: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """Pairs in blocks whose documents memory holds."""
        if self._choices.verify:
            taken = self.lengths[pairs[order]].sum(axis=1) * _TOKEN_BYTES
        else:
            taken = np.full(len(order), 8 * self._choices.num_hashes)
        cuts = np.flatnonzero(np.diff(np.cumsum(taken) // (self._memory // 4))) + 1
        return (block for block in np.split(order, cuts) if len(block))

    def _compare(self, pairs: NDArray[np.int64], least: float) -> NDArray[np.float64]:
        texts, places = np.unique(pairs, return_inverse=True)
        places = places.reshape(-1, 2)
        # Documents are gathered in the order in which the parts hold them.
        rows, back = np.unique(self.rows[texts], return_inverse=True)
        if self._choices.verify:
            ids, bounds = self._digests.gather_tokens(rows)
            verifier = Verifier(ids, bounds, back, self._shingles, self._pool, self._workers)
            return verifier.measure_similarities(places, least)
        signatures = self._digests.gather("signatures", rows)
        nothing = np.zeros((len(rows), 0), np.uint64)
        return Estimates(
            BandedSignatures(signatures, nothing, back, self._choices.least_agreeing)
        ).measure_similarities(places)


def gather_signatures(digests: Digests, rows: NDArray[np.int64], needed: int) -> BandedSignatures:
    """The signatures and bands of the documents ``rows``, in this order; those of one part are not copied."""
    if digests.in_one_part:
        return BandedSignatures(digests.column("signatures"), digests.column("bands"), rows, needed)
    signatures, bands = digests.gather("signatures", rows), digests.gather("bands", rows)
    return BandedSignatures(signatures, bands, np.arange(len(rows)), needed)


def read_links(ranges: Iterable[RangeLinks], most: int) -> Iterator[Links]:
    """All links, at most so many at a time."""
    for pairs, similarities in (each.links for each in ranges):
        for first in range(0, len(pairs), most):
            yield Links(np.array(pairs[first : first + most]), np.array(similarities[first : first + most]))
