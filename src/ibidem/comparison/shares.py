"""How many words of a document another one has: word for word, moved, changed, or only in a similar passage.

Two passages that were found are aligned word by word. Of each, a word is

- *identical*, in a run of at least three words that the other has in the same order of runs;
- *moved*, in such a run that is in another order;
- *changed*, the same word in a shorter run, or one between two runs of equal words which are together at least as long
  as the words between them on either side;
- *similar*, anything else in the passage: it was found as a whole, and no word of the other corresponds to this one.

A word that several passages hold counts once, as the first of these that it is anywhere. Words in quotation marks that
are to be left out count neither as shared nor as words of the document. Those that are identical, moved or changed are
*quoted*.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem._jit import kernel
from ibidem.comparison.correspondence import correspond
from ibidem.comparison.global_alignment import ALONE
from ibidem.counts import format_count
from ibidem.text.token_stream import number_tokens

_Labels = NDArray[np.uint8]
_Ints = NDArray[np.int64]

IDENTICAL_RUN = 3
"""Words of the shortest run that counts as identical."""

_APART, _SIMILAR, CHANGED, _MOVED, _IDENTICAL = range(5)
"""Labels of words. From ``CHANGED`` on, a word of the other document corresponds to this one."""


class WordCounts(NamedTuple):
    """Words of a document, and how many of them occur in another one; each counts once.

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

    @property
    def identical_share(self) -> float:
        """The share of the words that the other document has word for word, in the same or in another order."""
        return (self.identical + self.moved) / max(self.words, 1)

    @property
    def similar_share(self) -> float:
        """The share of the words that the other document has word for word, or changed."""
        return (self.identical + self.moved + self.changed) / max(self.words, 1)

    def describe(self, document: str, other: str) -> str:
        """The counts as a sentence.

        >>> WordCounts(640, 200, 12, 60, 40).describe("Ada.txt", "Kai.txt")
        '212 of 640 words of Ada.txt are word for word those of Kai.txt, 60 more are changed'
        >>> WordCounts(640, 1, 0, 1, 40).describe("Ada.txt", "Kai.txt")
        '1 of 640 words of Ada.txt is word for word one of Kai.txt, 1 more is changed'
        """
        same = self.identical + self.moved
        whole = format_count(self.words, "word")
        match = "is word for word one" if same == 1 else "are word for word those"
        more = _more(self.changed, "changed") + _more(self.quoted, "quoted")
        return f"{same:,} of {whole} of {document} {match} of {other}{more}"


def _more(words: int, what: str) -> str:
    return f", {words:,} more {'is' if words == 1 else 'are'} {what}" if words else ""


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
    a: NDArray[np.int32], b: NDArray[np.int32], found: Iterable[FoundRange], evidence: NDArray[np.float64]
) -> tuple[_Labels, _Labels]:
    """Label each token of two documents, uint8 [n] and [m], by the passages ``found`` in them."""
    labels = np.zeros(len(a), np.uint8), np.zeros(len(b), np.uint8)
    for each in found:
        in_a, in_b = slice(*each.a), slice(*each.b)
        own = label_passages(a[in_a], b[in_b], evidence)
        if each.summary:  # of a text that is summed up, only the words that the summary has
            longer = own[int(len(own[1]) > len(own[0]))]
            longer[longer < CHANGED] = _APART
        for all_labels, place, some in zip(labels, (in_a, in_b), own, strict=True):
            np.maximum(all_labels[place], some, out=all_labels[place])
    return labels


def label_passages(
    a: NDArray[np.int32], b: NDArray[np.int32], evidence: NDArray[np.float64]
) -> tuple[_Labels, _Labels]:
    """Label each token of two similar passages, uint8 [n] and [m], whichever of the two comes first.

    ``evidence`` float64 [V] is that of the tokens in nats.
    """
    if np.array_equal(a, b):
        label = _IDENTICAL if len(a) >= IDENTICAL_RUN else CHANGED
        return np.full(len(a), label, np.uint8), np.full(len(b), label, np.uint8)
    if (len(a), a.tobytes()) > (len(b), b.tobytes()):  # of several best alignments, the same one either way
        in_b, in_a = label_passages(b, a, evidence)
        return in_a, in_b
    ids, tokens = number_tokens(np.concatenate([a, b]).view(np.uint32))
    found = correspond(ids[: len(a)], ids[len(a) :], evidence[tokens])
    in_a, in_b = np.empty(len(a), np.uint8), np.empty(len(b), np.uint8)
    label_tokens(found.partners, found.moved, in_a, in_b)
    return in_a, in_b


def count_words(labels: _Labels, left_out: Iterable[tuple[int, int]] = ()) -> WordCounts:
    """The counts of a document, from the labels of its tokens; tokens in the ranges ``left_out`` are quotations."""
    counted = np.ones(len(labels), np.bool_)
    for first, last in left_out:
        counted[first:last] = False
    apart, similar, changed, moved, identical = np.bincount(labels[counted], minlength=5).tolist()
    words = apart + similar + changed + moved + identical
    quoted = int(np.count_nonzero(labels[~counted] >= CHANGED))
    return WordCounts(words, identical, moved, changed, similar, quoted)


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
def label_tokens(partners: _Ints, moved: NDArray[np.bool_], in_a: _Labels, in_b: _Labels) -> None:
    """Set the labels of the tokens, uint8 [n] and [m], of which ``partners`` correspond to each other."""
    n = partners.shape[0]
    in_a[:], in_b[:] = _SIMILAR, _SIMILAR
    a_end = b_end = before = 0  # of the last block in order, and its length
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
        label = CHANGED if length < IDENTICAL_RUN else _MOVED if moved[first] else _IDENTICAL
        for at in range(first, i):
            in_a[at] = in_b[partners[at]] = label
        if moved[first]:
            continue
        a_gap, b_gap, room = first - a_end, partners[first] - b_end, before + length
        if before > 0 and 0 < a_gap <= room and 0 < b_gap <= room:
            for at in range(a_end, first):
                in_a[at] = max(in_a[at], CHANGED)
            for at in range(b_end, partners[first]):
                in_b[at] = max(in_b[at], CHANGED)
        a_end, b_end, before = i, partners[i - 1] + 1, length
