"""Links: pairs of similar texts, found by ranges of the hashes of bands.

The task of a range reads the hashes from all parts, and of signatures and tokens those of the texts that share one.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.clusters import label_components
from ibidem.documents.candidates import Buckets, Signatures, find_band, list_candidates
from ibidem.documents.comparison import TextComparer
from ibidem.documents.digests import Digests
from ibidem.documents.rules import Rules
from ibidem.documents.signatures import Shingler
from ibidem.documents.texts import DistinctTexts, open_texts
from ibidem.engine.hash_ranges import HashRange
from ibidem.engine.outputs import open_as, save_output
from ibidem.parallel import in_order
from ibidem.resources import Resources

_HASH_BYTES = 64
"""Memory that the hash of a band takes while buckets are made."""

_Ints = NDArray[np.int64]

Compare = Callable[[_Ints, float], NDArray[np.float64]]
"""Returns the similarities of pairs of texts [P, 2]; may return 0 where the sizes alone rule out the threshold."""


class Links(NamedTuple):
    """Similar pairs.

    Attributes:
        pairs: int64 [P, 2], the smaller number first.
        similarities: float64 [P].
    """

    pairs: _Ints
    similarities: NDArray[np.float64]

    def select(self, threshold: float) -> "Links":
        """Those of at least this similarity."""
        is_link = self.similarities >= threshold
        return Links(self.pairs[is_link], self.similarities[is_link])

    def distinct(self, count: int) -> "Links":
        """Each pair once, in order; they are of ``count`` texts."""
        _, rows = np.unique(self.pairs[:, 0] * count + self.pairs[:, 1], return_index=True)
        return Links(self.pairs[rows], self.similarities[rows])

    @classmethod
    def concatenate(cls, parts: Sequence["Links"]) -> "Links":
        """All links of several."""
        pairs = np.concatenate([np.zeros((0, 2), np.int64), *(part.pairs for part in parts)])
        return cls(pairs, np.concatenate([np.zeros(0), *(part.similarities for part in parts)]))


class RangeLinks(NamedTuple):
    """The links from a range of hashes.

    Attributes:
        links: similar pairs of texts; of small buckets, all of them.
        large: the buckets that are too large to be compared whole.
        large_bands: int64 [L], the band of each of these.
        compared: how many pairs were compared.
    """

    links: Links
    large: Buckets
    large_bands: _Ints
    compared: int


def cut_hashes(rules: Rules, digests: Sequence[Path], memory: int) -> list[HashRange]:
    """Ranges of hashes for one task each: as many as parts, or more if memory does not hold the buckets of one."""
    hashes = Digests(digests).rows * rules.banding.bands
    return HashRange.cut(max(len(digests), -(-hashes * _HASH_BYTES // (memory // 2))))


def link_range(
    rules: Rules, digests: Sequence[Path], texts: Path, hashes: HashRange, file: Path, resources: Resources
) -> None:
    """Leave the links among the texts that share a bucket of a range."""
    documents, distinct = Digests(digests), open_texts(texts)
    buckets = _find_buckets(documents, distinct, hashes)
    is_small = buckets.are_small()
    with resources.pool() as pool:
        find_pairs = partial(_find_pairs, rules, documents, distinct)
        found = list(in_order(pool, find_pairs, buckets.select(is_small).cut(), resources.workers + 1))
        pairs = _sort_by_component(np.concatenate([np.zeros((0, 2), np.int64), *found]), distinct)
        compare = TextComparer(documents, distinct, Shingler(rules.shingle).hash, pool, resources.workers)
        links = Links(pairs, compare(pairs, rules.threshold)).select(rules.threshold)
    large = buckets.select(~is_small)
    save_output(RangeLinks(links, large, _find_bands(rules, documents, distinct, large), compare.count), file)
    resources.tell("comparing", len(pairs), len(pairs))


def read_ranges(folders: Sequence[Path]) -> Iterator[RangeLinks]:
    """The outputs of ``link_range``, one open at a time."""
    return map(open_as(RangeLinks), folders)


def _find_buckets(documents: Digests, texts: DistinctTexts, hashes: HashRange) -> Buckets:
    """The buckets of a range."""
    values, rows = documents.read_bands(hashes)
    numbers = texts.numbers[rows]
    is_compared = numbers >= 0
    return Buckets.of(values[is_compared], numbers[is_compared])


def _find_pairs(rules: Rules, documents: Digests, texts: DistinctTexts, buckets: Buckets) -> _Ints:
    """The candidate pairs of small buckets."""
    members, places = np.unique(buckets.members, return_inverse=True)
    signatures = gather_signatures(rules, documents, texts.first_of(members))
    return members[list_candidates(buckets._replace(members=places), signatures)]


def _sort_by_component(pairs: _Ints, texts: DistinctTexts) -> _Ints:
    """The same pairs, those that a chain of them joins one after another."""
    labels = label_components(pairs, texts.num_texts)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0], labels[pairs[:, 0]]))]


def gather_signatures(rules: Rules, documents: Digests, rows: _Ints) -> Signatures:
    """The signatures of the documents ``rows``, in this order."""
    return Signatures(documents.gather_signatures(rows, rules.num_hashes), rules.banding, rules.least_agreeing)


def _find_bands(rules: Rules, documents: Digests, texts: DistinctTexts, buckets: Buckets) -> _Ints:
    """The band of each bucket, by the signature of its first text."""
    signatures = gather_signatures(rules, documents, texts.first_of(buckets.members[buckets.bounds[:-1]])).values
    bands = [find_band(each, rules.banding, hash) for each, hash in zip(signatures, buckets.hashes, strict=True)]
    return np.array(bands, np.int64)
