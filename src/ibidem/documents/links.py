"""Links: pairs of similar texts, found by ranges of the hashes of bands.

The task of a range reads the hashes from all parts, and of signatures and tokens those of the texts that share one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
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
from ibidem.engine.outputs import append_output, open_all_as
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.rounding import reaches

_TOGETHER = 1 << 18
"""Hashes of bands of which buckets are made at a time."""

_PAIR_BYTES = 256
"""Memory of a task for each candidate pair that is compared together with others."""

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
        is_link = reaches(self.similarities, threshold)
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
    """The links from a range of hashes, or a part of it.

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


def link_range(
    rules: Rules, digest_folders: Sequence[Path], texts_file: Path, hashes: HashRange, file: Path, resources: Resources
) -> None:
    """Leave the links among the texts that share a bucket of a range."""
    documents, distinct = Digests(digest_folders), open_texts(texts_file)
    pieces = hashes.cut(1 + documents.rows * rules.banding.bands // (len(digest_folders) * _TOGETHER))
    with resources.pool() as pool:
        compare = TextComparer(documents, distinct, Shingler(rules.shingle).width, pool, resources.workers)
        find = partial(_find_candidates, rules, documents, distinct)
        found = in_order(pool, find, pieces, resources.workers + 1)
        for candidates in _gather(found, resources.memory // _PAIR_BYTES):
            pairs = _sort_by_component(candidates.pairs, distinct)
            links = Links(pairs, compare(pairs, rules.threshold)).select(rules.threshold)
            bands = _find_bands(rules, documents, distinct, candidates.large)
            append_output(RangeLinks(links, candidates.large, bands, len(pairs)), file)
    resources.tell("comparing", compare.count, compare.count)


def read_ranges(files: Sequence[Path]) -> Iterator[RangeLinks]:
    """The outputs of ``link_range``, one open at a time."""
    return chain.from_iterable(map(open_all_as(RangeLinks), files))


class _Candidates(NamedTuple):
    """The pairs [P, 2] of texts that share a small bucket and may be similar, and the large buckets."""

    pairs: _Ints
    large: Buckets

    @classmethod
    def concatenate(cls, parts: "Sequence[_Candidates]") -> "_Candidates":
        """Those of several, of which there is one at least."""
        pairs = np.concatenate([part.pairs for part in parts])
        return cls(pairs, Buckets.concatenate([part.large for part in parts]))


def _gather(found: Iterable[_Candidates], most: int) -> Iterator[_Candidates]:
    """The same candidates, about so many pairs at a time."""
    waiting: list[_Candidates] = []
    for each in found:
        waiting.append(each)
        if sum(len(candidates.pairs) for candidates in waiting) >= most:
            yield _Candidates.concatenate(waiting)
            waiting = []
    if waiting:
        yield _Candidates.concatenate(waiting)


def _find_candidates(rules: Rules, documents: Digests, texts: DistinctTexts, hashes: HashRange) -> _Candidates:
    """The candidates of a part of a range."""
    values, rows = documents.read_bands(hashes)
    numbers = texts.numbers[rows]
    is_compared = numbers >= 0
    buckets = Buckets.of(values[is_compared], numbers[is_compared])
    is_small = buckets.are_small()
    small = buckets.select(is_small).cut()
    pairs = [np.zeros((0, 2), np.int64), *(_list_pairs(rules, documents, texts, each) for each in small)]
    return _Candidates(np.concatenate(pairs), buckets.select(~is_small))


def _list_pairs(rules: Rules, documents: Digests, texts: DistinctTexts, buckets: Buckets) -> _Ints:
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
