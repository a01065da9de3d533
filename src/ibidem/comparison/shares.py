"""How many words of a document another one has: in runs of five or more, moved, changed, or only in a similar passage.

Two passages that were found are aligned word by word. Of each, a word is

- *identical*, in a run of at least five words that the other has in the same order of runs, or in a document that the
  other has whole, however short;
- *moved*, in such a run that is in another order;
- *changed*, in or between two runs of equal words that follow each other in both texts: together they have at least
  five words, and at least twice as many as lie between them on either side;
- *similar*, anything else in the passage: it was found as a whole. Here are also runs of fewer than five words by
  themselves, which texts on one subject share by chance.

A word that several passages hold counts once, as the first of these that it is anywhere. Words in quotation marks that
are to be left out do not count as shared: those that are identical, moved or changed are *quoted*. Words of a template,
of a phrase, or of what most documents have are *absent*. All shares are shares of all words of the document.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.comparison.correspondence import Correspondence, TokenEvidence, correspond_spans
from ibidem.comparison.global_alignment import ALONE
from ibidem.counts import format_count
from ibidem.kernels import kernel
from ibidem.ragged import bounds_of

_Labels = NDArray[np.uint8]
_Ids = NDArray[np.int32]
_Ints = NDArray[np.int64]

IDENTICAL_RUN = 5
"""Words of the shortest run that counts as identical."""

_APART, _SIMILAR, CHANGED, _MOVED, _IDENTICAL = range(5)
"""Labels of words. From ``CHANGED`` on, a word of the other document corresponds to this one."""


_KEPT, _EXCHANGED, _SAME = range(3)


class SharedPassages(NamedTuple):
    """Pairs of similar passages of pairs of documents.

    Attributes:
        spans: int64 [P, 4], half-open ranges of tokens, in the first document and in the second.
        of: int64 [P], the pair of documents that each lies in.
        summary: bool [P], whether one of the passages may sum up the other.
    """

    spans: _Ints
    of: _Ints
    summary: NDArray[np.bool_]


class WordCounts(NamedTuple):
    """Words of a document, and how many of them occur in another one; each counts once.

    ``words`` are all of the document, also those in quotation marks and those that count as absent.

    >>> counts = WordCounts(words=640, identical=200, moved=12, changed=60, similar=40)
    >>> counts.identical_share, round(counts.similar_share, 3)
    (0.33125, 0.425)
    """

    words: int
    identical: int
    moved: int
    changed: int
    similar: int
    quoted: int = 0
    absent: int = 0

    @property
    def identical_share(self) -> float:
        """The share of all words that the other document has in runs of five or more, in the same or another order."""
        return (self.identical + self.moved) / max(self.words, 1)

    @property
    def similar_share(self) -> float:
        """The share of all words that the other document has in such runs, or changed."""
        return (self.identical + self.moved + self.changed) / max(self.words, 1)

    def describe(self, document: str, other: str) -> str:
        """The counts as a sentence.

        >>> WordCounts(640, 200, 12, 60, 40).describe("Ada", "Kai")
        'Ada: 212 of 640 words (33 %) are in Kai, too, in runs of five or more, 60 more changed or in shorter runs'
        """
        same = self.identical + self.moved
        more = _more(self.changed, "changed or in shorter runs") + _more(self.quoted, "quoted")
        more += f", {self.absent:,} were left out" if self.absent else ""
        share = f"{100 * self.identical_share:.0f} %"
        verb = "is" if same == 1 else "are"
        runs = "in runs of five or more"
        return (
            f"{document}: {same:,} of {format_count(self.words, 'word')} ({share}) {verb} in {other}, too, {runs}{more}"
        )


def _more(words: int, kind: str) -> str:
    return f", {words:,} more {kind}" if words else ""


NO_WORDS = WordCounts(0, 0, 0, 0, 0)
"""The counts of an empty document."""

COUNTS = WordCounts._fields
"""Names of the counts of either document."""

SHARES = ("identical_share", "similar_share")
"""Names of the shares that follow from the counts."""


class Quotation(NamedTuple):
    """Words in quotation marks, in code points, and how many of them the other document has, changed ones as well."""

    start: int
    end: int
    words: int
    quoted: int


class FoundRange(NamedTuple):
    """A pair of similar passages, half-open ranges of tokens or code points; one of them may sum up the other."""

    a: tuple[int, int]
    b: tuple[int, int]
    summary: bool


def make_columns(a: WordCounts, b: WordCounts) -> dict[str, float | int]:
    """The shares and counts of two documents by the names that every table, line of JSON and answer has for them."""
    sides = (("a", a), ("b", b))
    return {
        f"{name}_{field}": getattr(side, field)
        for fields in (SHARES, COUNTS)
        for name, side in sides
        for field in fields
    }


def label_documents(
    tokens: _Ids, documents: _Ints, passages: SharedPassages, evidence: TokenEvidence
) -> tuple[_Labels, _Ints]:
    """Label each token of pairs of documents by the similar passages in them, whichever of two comes first.

    Args:
        tokens: int32, of all documents, whose ranges are absolute.
        documents: int64 [D, 4], a pair of half-open ranges of tokens each.
        evidence: that of the tokens.

    Returns:
        Labels, ragged uint8, and their bounds int64 [2 D + 1]: row ``2 d`` are those of the first document of pair
        ``d``, row ``2 d + 1`` those of the second.
    """
    order = _order_sides(tokens, passages.spans)  # of several best alignments, the same one either way
    spans = np.where(order[:, np.newaxis] == _EXCHANGED, passages.spans[:, [2, 3, 0, 1]], passages.spans)
    matches = correspond_spans(tokens, spans[order != _SAME], evidence)
    bounds = bounds_of((documents[:, 1::2] - documents[:, ::2]).ravel())
    labels = np.zeros(bounds[-1], np.uint8)
    _label_documents(documents, passages, order, matches, bounds, labels)
    return labels, bounds


def label_pair(correspondence: Correspondence, b_length: int) -> tuple[_Labels, _Labels]:
    """Label each token of two passages, the second of ``b_length`` tokens, by what corresponds to it."""
    partners, moved = correspondence
    in_a, in_b = np.empty(len(partners), np.uint8), np.empty(b_length, np.uint8)
    label_tokens(partners, moved, in_a, in_b)
    return in_a, in_b


def count_words(labels: _Labels, quotations: Iterable[tuple[int, int]] = (), absent: int = 0) -> WordCounts:
    """The counts of a document, from the labels of its tokens and how many more are ``absent``.

    Tokens in the ranges ``quotations`` count as quoted alone.
    """
    counts = _count_labels(labels, np.array(list(quotations), np.int64).reshape(-1, 2)).tolist()
    return WordCounts(*(len(labels) + absent, *counts, absent))


def list_quotations(
    labels: _Labels, ranges: Iterable[tuple[int, int]], starts: NDArray[Any], ends: NDArray[Any]
) -> list[Quotation]:
    """The quotations of a document of which the other one has any word, from the ``ranges`` of tokens in marks.

    ``starts`` and ``ends`` [n] are the code points of the tokens.
    """
    counts = ((first, last, int(np.count_nonzero(labels[first:last] >= CHANGED))) for first, last in ranges)
    return [
        Quotation(int(starts[first]), int(ends[last - 1]), last - first, quoted)
        for first, last, quoted in counts
        if quoted
    ]


@kernel
def _order_sides(tokens: _Ids, spans: _Ints) -> NDArray[np.int8]:
    """Whether the sides of each pair are the same, or in which order they are aligned: by length, then by bytes."""
    order = np.full(spans.shape[0], _SAME, np.int8)
    for row in range(spans.shape[0]):
        a, b = tokens[spans[row, 0] : spans[row, 1]], tokens[spans[row, 2] : spans[row, 3]]
        if a.shape[0] != b.shape[0]:
            order[row] = _KEPT if a.shape[0] < b.shape[0] else _EXCHANGED
            continue
        for at in range(a.shape[0]):
            differing = a[at] ^ b[at]
            if differing != 0:
                lowest = 0  # the first byte that differs decides, and the lowest byte is the first
                while (differing >> lowest) & 255 == 0:
                    lowest += 8
                order[row] = _KEPT if (a[at] >> lowest) & 255 < (b[at] >> lowest) & 255 else _EXCHANGED
                break
    return order


@kernel
def _label_documents(
    documents: _Ints,
    passages: SharedPassages,
    order: NDArray[np.int8],
    matches: Correspondence,
    bounds: _Ints,
    labels: _Labels,
) -> None:
    """Set the labels of pairs of documents to the greatest that a passage gives each token."""
    place = 0
    for row in range(passages.of.shape[0]):
        pair, span = passages.of[row], passages.spans[row]
        in_a, in_b = np.empty(span[1] - span[0], np.uint8), np.empty(span[3] - span[2], np.uint8)
        if order[row] == _SAME:
            is_all = in_a.shape[0] == min(
                documents[pair, 1] - documents[pair, 0], documents[pair, 3] - documents[pair, 2]
            )
            in_a[:] = in_b[:] = _IDENTICAL if is_all or in_a.shape[0] >= IDENTICAL_RUN else _SIMILAR
        else:
            first, second = (in_a, in_b) if order[row] == _KEPT else (in_b, in_a)
            last = place + first.shape[0]
            label_tokens(matches.partners[place:last], matches.moved[place:last], first, second)
            place = last
        if passages.summary[row]:  # of a text that is summed up, only the words that the summary has
            longer = in_b if in_b.shape[0] > in_a.shape[0] else in_a
            for at in range(longer.shape[0]):
                longer[at] = longer[at] if longer[at] >= CHANGED else _APART
        at_a, at_b = (
            bounds[2 * pair] + span[0] - documents[pair, 0],
            bounds[2 * pair + 1] + span[2] - documents[pair, 2],
        )
        for at in range(in_a.shape[0]):
            labels[at_a + at] = max(labels[at_a + at], in_a[at])
        for at in range(in_b.shape[0]):
            labels[at_b + at] = max(labels[at_b + at], in_b[at])


@kernel
def _count_labels(labels: _Labels, quotations: _Ints) -> _Ints:
    """The words that are identical, moved, changed, similar and quoted, int64 [5]."""
    counts, is_quoted = np.zeros(5, np.int64), np.zeros(labels.shape[0], np.bool_)
    for row in range(quotations.shape[0]):
        is_quoted[quotations[row, 0] : quotations[row, 1]] = True
    for at in range(labels.shape[0]):
        if is_quoted[at]:
            counts[4] += labels[at] >= CHANGED
        elif labels[at] > _APART:
            counts[_IDENTICAL - labels[at]] += 1
    return counts


@kernel
def _mark_changed(labels: _Labels, first: int, last: int) -> None:
    """Set the labels ``first`` to ``last - 1`` to ``CHANGED``, where they are no greater."""
    for at in range(first, last):
        labels[at] = max(labels[at], CHANGED)


@kernel
def label_tokens(partners: _Ints, moved: NDArray[np.bool_], in_a: _Labels, in_b: _Labels) -> None:
    """Set the labels of the tokens, uint8 [n] and [m], of which ``partners`` correspond to each other."""
    n = partners.shape[0]
    in_a[:], in_b[:] = _SIMILAR, _SIMILAR
    a_begin = a_end = b_end = 0  # of the last block in order
    i = 0
    while i < n:
        if partners[i] == ALONE:
            i += 1
            continue
        first = i
        while (
            i < n and partners[i] != ALONE and moved[i] == moved[first] and partners[i] - i == partners[first] - first
        ):
            i += 1
        length = i - first
        if length >= IDENTICAL_RUN:
            label = _MOVED if moved[first] else _IDENTICAL
            in_a[first:i] = in_b[partners[first] : partners[first] + length] = label
        if moved[first]:
            continue
        before = a_end - a_begin
        room = before + length
        a_gap, b_gap = first - a_end, partners[first] - b_end
        if before > 0 and room >= IDENTICAL_RUN and 2 * max(a_gap, b_gap) <= room:
            _mark_changed(in_a, a_begin, a_end)
            _mark_changed(in_a, first, i)
            _mark_changed(in_b, b_end - before, b_end)
            _mark_changed(in_b, partners[first], partners[first] + length)
            if a_gap > 0 and b_gap > 0:
                _mark_changed(in_a, a_end, first)
                _mark_changed(in_b, b_end, partners[first])
        a_begin, a_end, b_end = first, i, partners[i - 1] + 1
