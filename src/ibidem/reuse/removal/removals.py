"""The choice of the passages that go, and of the one that stays in place of each.

Documents are numbered in the order of the keep policy. They are taken in this order, and in a document the passages
that it shares with those before it, the longest first. A passage goes if its near-duplicate is in a document before,
or before it in its own. Where a part of this near-duplicate is gone already, the passage that this part duplicates
takes its place: the two are compared, so that a passage never goes because of one that it does not resemble itself.

A text is cut between words or lines, so a cut may be less than the passage. The cut is judged, not the passage: its
tokens are compared with their counterpart, and if they are not similar enough, only their similar parts go.

Invariants of the result, which are tested: every cut is similar, by the threshold, to a passage that is still there,
whole; both have the least length; no two share a token.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.corpus.writing.cutting import find_words
from ibidem.reuse.collection import Collection
from ibidem.reuse.removal.cutting import find_cut
from ibidem.reuse.removal.duplicates import Duplicates
from ibidem.reuse.removal.parts import Weights, find_counterpart, find_parts, measure_similarity
from ibidem.rounding import reaches

_Ints = npt.NDArray[np.int64]
_Range = tuple[int, int]

_NONE = np.empty((0, 2), np.int64)


class Removal(NamedTuple):
    """A passage that goes, and the one that it duplicates: documents, and half-open ranges of their tokens.

    ``start`` and ``end`` are the code points that are cut, with the punctuation and white space of the passage.
    """

    document: int
    first: int
    last: int
    of: int
    of_first: int
    of_last: int
    similarity: float
    start: int
    end: int


def choose_removals(
    collection: Collection,
    duplicates: Duplicates,
    threshold: float,
    min_length: int,
    boundary: str = "words",
    ignored: _Ints = _NONE,
) -> list[Removal]:
    """Choose which passages of ``duplicates`` go, by document and place; of two documents, that of the greater number.

    Each passage is cut at a ``boundary``, one of ``BOUNDARIES``. Nothing goes of the ranges of the collection's tokens
    that are ``ignored`` [I, 2].
    """
    choice = _Choice(collection, threshold, min_length, boundary)
    choice.keep(ignored)
    for pair in _order_pairs(duplicates):
        choice.remove(*pair)
    return sorted(choice.removals)


def _order_pairs(duplicates: Duplicates) -> Iterator[tuple[int, _Range, int, _Range]]:
    """A later document and its passage, an earlier one and its passage.

    They come document by document, the longest passages first. Passages that occur twice in the document itself come
    last, in the order of their places: everything before a passage is settled then.
    """
    earlier, later = duplicates.documents.T
    a_first, a_last, b_first, b_last = duplicates.ranges.T
    is_within = earlier == later
    first = np.where(is_within, b_first, b_first - b_last)
    for row in np.lexsort((a_last, a_first, earlier, -b_last, b_first, first, is_within, later)).tolist():
        passage, place = duplicates.ranges[row, 2:].tolist(), duplicates.ranges[row, :2].tolist()
        yield int(later[row]), (passage[0], passage[1]), int(earlier[row]), (place[0], place[1])


class _Cut(NamedTuple):
    """The cut for a passage: half-open ranges of tokens and of code points."""

    tokens: _Range
    places: _Range


class _Cutter:
    """Cuts passages of one document after the other, whose text and words it keeps."""

    def __init__(self, collection: Collection, boundary: str) -> None:
        self._collection, self._boundary = collection, boundary
        self._document = -1

    def cut(self, document: int, passage: _Range) -> _Cut:
        """Return the cut for a ``passage``, with every token of which the cut takes a part."""
        if document != self._document:
            self._document, self._text = document, self._collection.text(document)
            self._words = find_words(self._text)
            self._starts, self._ends = self._collection.places(document)
        span = int(self._starts[passage[0]]), int(self._ends[passage[0] : passage[1]].max())
        start, end = find_cut(self._text, self._words, span, self._boundary)
        first, last = (int(np.searchsorted(self._starts, place)) for place in (start, end))
        while first and self._ends[first - 1] > start:
            first -= 1
        return _Cut((first, max(first, last)), (start, end))


class _Choice:
    """The passages that go so far."""

    def __init__(self, collection: Collection, threshold: float, min_length: int, boundary: str) -> None:
        self.removals: list[Removal] = []
        self._cutter = _Cutter(collection, boundary)
        self._collection, self._threshold, self._min_length = collection, threshold, min_length
        self._weights = Weights.of(collection.idf)
        self._removed_ranges: dict[int, _Ranges] = defaultdict(_Ranges)
        self._kept_ranges: dict[int, _Ranges] = defaultdict(_Ranges)
        self._removal_at: dict[tuple[int, int], Removal] = {}

    def keep(self, ranges: _Ints) -> None:
        """Let nothing go of ranges of the collection's tokens [I, 2]."""
        bounds = self._collection.bounds
        documents = np.searchsorted(bounds, ranges[:, 0], side="right") - 1
        for document, span in zip(documents.tolist(), (ranges - bounds[documents, None]).tolist(), strict=True):
            self._kept_ranges[document].add((span[0], span[1]))

    def remove(self, document: int, passage: _Range, source: int, place: _Range) -> None:
        """Let a ``passage`` of ``document`` go, or those of its parts that occur at ``place`` in ``source``."""
        pieces = self._find_free(document, passage)
        if (
            pieces == [passage]
            and self._find_free(source, place) == [place]
            and self._try_removal(document, passage, source, place)
        ):
            return
        targets = self._find_replacements(source, place)
        while pieces:
            piece = pieces.pop()
            if any(self._take_parts(document, piece, *target) for target in targets):
                pieces += self._find_free(document, piece)

    def _take_parts(self, document: int, piece: _Range, source: int, place: _Range) -> bool:
        """Remove those parts of a passage that occur in a ``place``; return whether any was removed."""
        a, b = self._read_tokens(source, place), self._read_tokens(document, piece)
        parts = find_parts(a, b, self._weights, self._threshold, self._min_length)
        count = 0
        for part in parts:
            shifted_part = part.shift(place[0], piece[0])
            count += self._take(document, shifted_part[2:], source, shifted_part[:2])
        return count > 0

    def _take(self, document: int, passage: _Range, source: int, place: _Range) -> bool:
        """Remove a passage, or parts of what a cut leaves of it; return whether any was removed."""
        if self._try_removal(document, passage, source, place):
            return True
        cut = self._cutter.cut(document, passage).tokens
        is_less = passage[0] <= cut[0] < cut[1] <= passage[1] and cut != passage
        return is_less and self._take_parts(document, cut, source, place)

    def _try_removal(self, document: int, passage: _Range, source: int, place: _Range) -> bool:
        """Remove a passage as far as it can be cut, if it may go; return whether it was removed."""
        cut = self._cutter.cut(document, passage)
        if cut.tokens != passage:
            passage, place = cut.tokens, self._find_counterpart(document, cut.tokens, source, place)
        if document == source and passage[0] < place[1] and place[0] < passage[1]:
            return False
        if (
            self._removed_ranges[source].meets(place)
            or self._removed_ranges[document].meets(passage)
            or self._kept_ranges[document].meets(passage)
        ):
            return False
        if min(passage[1] - passage[0], place[1] - place[0]) < self._min_length:
            return False
        similarity = measure_similarity(
            self._read_tokens(document, passage), self._read_tokens(source, place), self._collection.idf
        )
        if not reaches(similarity, self._threshold):
            return False
        removal = Removal(document, *passage, source, *place, similarity, *cut.places)
        self.removals.append(removal)
        self._removal_at[document, passage[0]] = removal
        self._removed_ranges[document].add(passage)
        self._kept_ranges[source].add(place)
        return True

    def _find_counterpart(self, document: int, passage: _Range, source: int, place: _Range) -> _Range:
        """Return the part of ``place`` that corresponds to the ``passage``; an empty range if none does."""
        first, last = find_counterpart(
            self._read_tokens(document, passage), self._read_tokens(source, place), self._weights
        )
        return place[0] + first, place[0] + last

    def _find_free(self, document: int, span: _Range) -> list[_Range]:
        """Return the stretches of a passage, of the least length, that are neither gone nor have to stay."""
        ranges = sorted(self._removed_ranges[document].find(span) + self._kept_ranges[document].find(span))
        stretches, first = [], span[0]
        for start, end in ranges:
            if start - first >= self._min_length:
                stretches.append((first, start))
            first = max(first, end)
        return [*stretches, (first, span[1])] if span[1] - first >= self._min_length else stretches

    def _find_replacements(self, document: int, span: _Range) -> list[tuple[int, _Range]]:
        """Return the places of a passage that remain: its stretches not gone, and those that the others duplicate."""
        removed_ranges = self._removed_ranges[document].find(span)
        places: list[tuple[int, _Range]] = []
        first = span[0]
        for start, end in removed_ranges:
            if start - first >= self._min_length:
                places.append((document, (first, start)))
            first = end
            removal = self._removal_at[document, start]
            places.append((removal.of, (removal.of_first, removal.of_last)))
        if span[1] - first >= self._min_length:
            places.append((document, (first, span[1])))
        return places

    def _read_tokens(self, document: int, span: _Range) -> npt.NDArray[np.int32]:
        first = int(self._collection.bounds[document])
        return self._collection.tokens[first + span[0] : first + span[1]]


class _Ranges:
    """Half-open ranges, merged where they overlap."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, span: _Range) -> None:
        """Add a range."""
        low, high = self._find_bounds(span)
        if low < high:
            span = min(span[0], self._starts[low]), max(span[1], self._ends[high - 1])
        self._starts[low:high], self._ends[low:high] = [span[0]], [span[1]]

    def meets(self, span: _Range) -> bool:
        """Return whether a range shares a place with another one."""
        low, high = self._find_bounds(span)
        return low < high

    def find(self, span: _Range) -> list[_Range]:
        """The ranges that share a place with another one, in order."""
        low, high = self._find_bounds(span)
        return list(zip(self._starts[low:high], self._ends[low:high], strict=True))

    def _find_bounds(self, span: _Range) -> tuple[int, int]:
        return bisect_right(self._ends, span[0]), bisect_left(self._starts, span[1])
