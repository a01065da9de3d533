"""Taking text out of a collection that counts as absent: what many documents share, phrases, and texts to ignore.

Documents are compared as if this text were not there: weights of words, windows, alignments and evidence are those of
what is left. A passage may begin before such a text and end behind it; its similarity is that of the rest. Of frequent
text, each two places are pairs without a comparison (:mod:`ibidem.reuse.shared_text`), so its words count; those of
common text do not.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.ignored import IgnoredRange, IgnoredTexts
from ibidem.parallel import in_threads
from ibidem.reuse.collection import (
    Collection,
    Rarity,
    SubtractedText,
    count_within,
    hash_contents,
    rank_contents,
    remove_ranges,
)
from ibidem.reuse.frequent import (
    NEVER,
    ShingledTexts,
    choose_common_documents,
    choose_least_documents,
    choose_shingle_width,
    find_frequent,
    find_phrases,
    join_runs,
)
from ibidem.store.files.columns import ColumnWriter
from ibidem.store.format import Column

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]

KEPT = Column("kept", "<i4", ("n",), "reuse", "")
"""The tokens of a collection without those that count as absent."""

COUNTED = Column("counted", "<i4", ("n",), "reuse", "")
"""Those whose words count, if some of what is absent is frequent text, and some is not."""

_LEAST = 3
"""Tokens of the shortest document whose copies are reported."""

_CHUNK = 1 << 20
"""Tokens that are processed at once."""


class AbsentText(NamedTuple):
    """The rules for which text counts as absent.

    Attributes:
        most: text in more documents than this is frequent in any case.
        least_length: tokens of frequent text, with fewer than a shingle of other tokens between; shorter text stays.
        phrases: the tokens of each phrase of a list.
        ignored: the texts whose similar passages count as absent, and the similarity from which they do.
        known_hashes: uint64, the hashes of the shingles that are frequent, if an earlier run counted them.
        rarity: what weights follow from, if it is not what is left of the collection.
        apart: whether the documents are of two collections that are compared with each other.
        keep_common: whether no text is so frequent that no pair is made of it; none is if they are ``apart``.
    """

    most: int
    least_length: int = 1
    phrases: Sequence[npt.NDArray[np.uint32]] = ()
    ignored: tuple[IgnoredTexts, float] | None = None
    known_hashes: npt.NDArray[np.uint64] | None = None
    rarity: Rarity | None = None
    apart: bool = False
    keep_common: bool = False


def subtract(collection: Collection, absent: AbsentText, folder: Path, threads: int | None = None) -> Collection:
    """The collection without the text that is ``absent``; its tokens are a column in ``folder``."""
    tokens, bounds, vocabulary = collection.tokens, collection.bounds, collection.vocabulary
    width = choose_shingle_width(len(tokens), int(collection.input.lengths("texts").sum()))
    frequent = absent.most + 1 if absent.apart else min(choose_least_documents(len(collection)), absent.most + 1)
    least = NEVER if absent.apart or absent.keep_common else choose_common_documents(len(collection))
    side = collection.side.astype(np.int32) if absent.apart else None
    texts = ShingledTexts(tokens, bounds, vocabulary, collection.ranks, side)
    runs, hashes = find_frequent(texts, width, frequent, common=least, known_hashes=absent.known_hashes)
    stretches = join_runs(runs, bounds, width)
    runs = runs[stretches.lengths[stretches.of] >= absent.least_length]
    equal = _EqualDocuments(max(width, absent.least_length) - 1, frequent, absent.known_hashes)
    equal_runs, equal_hashes = _find_equal(collection, equal) if side is None else (runs[:0], hashes[:0])
    runs = np.concatenate([runs, equal_runs])
    runs = runs[np.argsort(runs[:, 0], kind="stable")]
    phrases = find_phrases(texts, list(absent.phrases))
    ignored, likeness = find_ignored(collection, absent.ignored, threads)
    runs = _select_outside(runs, _unite(ignored[:, :2]))
    is_common = _find_common(runs, bounds, least)
    common = _unite(np.concatenate([runs[is_common, :2], phrases, ignored[:, :2]]))
    ranges = _unite(np.concatenate([runs[:, :2], common]))
    remainder = take_out(collection, ranges, folder)
    is_all_common = np.array_equal(common, ranges)
    subtracted = SubtractedText(
        tokens=tokens,
        bounds=bounds,
        vocabulary=vocabulary,
        idf=collection.idf,
        ranges=ranges,
        common=common,
        counted=remainder.tokens if is_all_common else take_out(collection, common, folder, COUNTED).tokens,
        runs=runs,
        is_common=is_common,
        phrases=_unite(phrases),
        ignored=ignored,
        likeness=likeness,
        frequent=frequent,
        least=least,
        hashes=np.union1d(hashes, equal_hashes),
    )
    if not len(ranges):
        return remainder.replace(subtracted=subtracted)
    counts = _count_tokens(collection.tokens, len(vocabulary)) - _count_inside(tokens, ranges, len(vocabulary))
    rarity = absent.rarity or Rarity.of(vocabulary[counts > 0], counts[counts > 0])
    ranks = rank_contents(remainder.tokens, remainder.bounds, vocabulary)
    return remainder.replace(rarity=rarity, idf=rarity.weights(vocabulary), ranks=ranks, subtracted=subtracted)


class _EqualDocuments(NamedTuple):
    """Documents of ``longest`` tokens or fewer that are frequent: so many are equal, or their hashes are known."""

    longest: int
    frequent: int
    known_hashes: npt.NDArray[np.uint64] | None


def _find_equal(collection: Collection, equal: _EqualDocuments) -> tuple[_Ints, npt.NDArray[np.uint64]]:
    """The rows of equal documents, as ``FrequentText`` has them, and their hashes: they are too short for shingles."""
    bounds, lengths = collection.bounds, np.diff(collection.bounds)
    short = np.flatnonzero((lengths > 0) & (lengths <= equal.longest))
    contents = hash_contents(collection.tokens, bounds, collection.vocabulary)[short]
    hashes, first, group, counts = np.unique(contents, return_index=True, return_inverse=True, return_counts=True)
    is_known = None if equal.known_hashes is None else np.isin(hashes, equal.known_hashes)
    is_frequent = counts >= equal.frequent if is_known is None else is_known
    rows = np.flatnonzero(is_frequent[group])
    documents, firsts = short[rows], bounds[short[first[group[rows]]]]
    firsts[lengths[documents] < _LEAST] = -1
    places = bounds[documents], bounds[documents + 1], firsts, counts[group[rows]]
    return np.stack(places, axis=1), hashes[is_frequent]


def take_out(collection: Collection, ranges: _Ints, folder: Path, column: Column = KEPT) -> Collection:
    """The collection without ``ranges`` int64 [S, 2] of its tokens, which ascend and do not overlap.

    Its tokens are a ``column`` in ``folder``, unless nothing is taken out.
    """
    if not len(ranges):
        return collection
    tokens, bounds = collection.tokens, collection.bounds
    writer = ColumnWriter(folder, column)
    for chunk, is_inside in _read_chunks(tokens, ranges):
        writer.append(chunk[~is_inside])
    writer.write_header()
    remaining_tokens = writer.view()
    subtracted = SubtractedText.make_empty(tokens, bounds, collection.vocabulary, collection.idf)._replace(
        ranges=ranges
    )
    remaining_bounds = remove_ranges(ranges, bounds)
    return collection.replace(tokens=remaining_tokens, bounds=remaining_bounds, subtracted=subtracted)


def find_ignored(
    collection: Collection, ignored: tuple[IgnoredTexts, float] | None, threads: int | None = None
) -> tuple[_Ints, npt.NDArray[np.float64]]:
    """The passages that are similar to a text to ignore, as ``SubtractedText`` has them, and how similar they are."""
    if ignored is None:
        return np.empty((0, 5), np.int64), np.zeros(0)
    texts, threshold = ignored
    bounds = collection.bounds.tolist()

    def find_inside(document: int) -> list[IgnoredRange]:
        ids = collection.vocabulary[collection.tokens[bounds[document] : bounds[document + 1]]]
        return texts.find(ids, threshold)

    passages = [
        passage._replace(first=bounds[document] + passage.first, last=bounds[document] + passage.last)
        for document, document_passages in enumerate(in_threads(find_inside, range(len(collection)), threads))
        for passage in document_passages
    ]
    likeness = np.array([passage.similarity for passage in passages], np.float64)
    return np.array([passage[:5] for passage in passages], np.int64).reshape(-1, 5), likeness


def _select_outside(runs: _Ints, ranges: _Ints) -> _Ints:
    """The runs [R, 4] that lie in none of ``ranges`` [S, 2], which ascend and do not overlap."""
    if not len(ranges):
        return runs
    last = np.searchsorted(ranges[:, 0], runs[:, 0], side="right") - 1
    outside_runs: _Ints = runs[(last < 0) | (ranges[last, 1] < runs[:, 1])]
    return outside_runs


def _find_common(runs: _Ints, bounds: _Ints, least: int) -> npt.NDArray[np.bool_]:
    """Which runs are common text: that of ``least`` documents, unless their document has little else."""
    is_common: npt.NDArray[np.bool_] = runs[:, 3] >= least
    ranges = _unite(runs[is_common, :2])
    lengths = count_within(ranges, bounds)
    is_most = 2 * lengths > np.diff(bounds)
    documents = np.searchsorted(bounds, runs[:, 0], side="right") - 1
    return is_common & ~is_most[documents]


def _unite(ranges: _Ints) -> _Ints:
    """Half-open ranges [N, 2] as ranges that do not overlap, ascending."""
    ranges = ranges[np.argsort(ranges[:, 0], kind="stable")]
    if not len(ranges):
        return ranges
    ends = np.maximum.accumulate(ranges[:, 1])
    first = np.concatenate([[True], ranges[1:, 0] >= ends[:-1]])
    last = np.append(np.flatnonzero(first)[1:] - 1, len(ranges) - 1)
    return np.stack([ranges[first, 0], ends[last]], axis=1)


def _count_tokens(tokens: _Ids, size: int) -> _Ints:
    """Return how often each of ``size`` tokens occurs, int64 [V]."""
    counts = np.zeros(size, np.int64)
    for first in range(0, len(tokens), _CHUNK):
        counts += np.bincount(tokens[first : first + _CHUNK], minlength=size)
    return counts


def _count_inside(tokens: _Ids, ranges: _Ints, size: int) -> _Ints:
    """Return how often each of ``size`` tokens occurs in ``ranges``, int64 [V]."""
    counts = np.zeros(size, np.int64)
    for chunk, is_inside in _read_chunks(tokens, ranges):
        counts += np.bincount(chunk[is_inside], minlength=size)
    return counts


def _read_chunks(tokens: _Ids, ranges: _Ints) -> Iterator[tuple[_Ids, npt.NDArray[np.bool_]]]:
    """All tokens in turn, and whether each is in one of ``ranges``."""
    for first in range(0, len(tokens), _CHUNK):
        last = min(first + _CHUNK, len(tokens))
        low, high = np.searchsorted(ranges[:, 1], first, side="right"), np.searchsorted(ranges[:, 0], last)
        change = np.zeros(last - first + 1, np.int64)
        np.add.at(change, np.maximum(ranges[low:high, 0], first) - first, 1)
        np.add.at(change, np.minimum(ranges[low:high, 1], last) - first, -1)
        yield np.asarray(tokens[first:last]), np.cumsum(change[:-1]) > 0
