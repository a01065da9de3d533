"""How many words of a document another one has: word for word, moved, changed, or only in a similar passage.

Two passages that were found are aligned word by word. Of each, a word is

- *identical*, in a run of at least three words that the other has in the same order of runs;
- *moved*, in such a run that stands in another order;
- *changed*, the same word in a shorter run, or one between two runs of equal words which are together at least as long
  as what stands between them on either side;
- *similar*, anything else in the passage: it was found as a whole, and no word of the other stands for this one.

A word that several passages hold counts once, as the first of these that it is anywhere. Words in quotation marks that
are to be left out count neither as shared nor as words of the document. Those that are identical, moved or changed are
*quoted*.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem._jit import kernel
from ibidem.comparison.correspondence import correspond
from ibidem.comparison.global_alignment import ALONE

__all__ = ["CHANGED", "IDENTICAL_RUN", "WordCounts", "count_words", "describe_counts", "label_passages"]

_Labels = NDArray[np.uint8]
_Ints = NDArray[np.int64]

IDENTICAL_RUN = 3
"""Words of the shortest run that counts as identical."""

_APART, _SIMILAR, CHANGED, _MOVED, _IDENTICAL = range(5)
"""Labels of words. From ``CHANGED`` on, a word of the other document stands for this one."""


class WordCounts(NamedTuple):
    """Words of a document, and how many of them stand in another one; each counts once.

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


def label_passages(
    a: NDArray[np.int32], b: NDArray[np.int32], evidence: NDArray[np.float64]
) -> tuple[_Labels, _Labels]:
    """What each token of two similar passages is, uint8 [n] and [m], whichever of the two comes first.

    ``evidence`` float64 [V] is that of the tokens in nats.
    """
    if np.array_equal(a, b):
        return np.full(len(a), _IDENTICAL, np.uint8), np.full(len(b), _IDENTICAL, np.uint8)
    if (len(a), a.tobytes()) > (len(b), b.tobytes()):  # of several best alignments, the same one either way
        in_b, in_a = label_passages(b, a, evidence)
        return in_a, in_b
    tokens, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    ids = places.astype(np.int32)
    found = correspond(ids[: len(a)], ids[len(a) :], evidence[tokens])
    in_a, in_b = np.empty(len(a), np.uint8), np.empty(len(b), np.uint8)
    label_tokens(found.partners, found.moved, in_a, in_b)
    return in_a, in_b


def count_words(labels: _Labels, left_out: Iterable[tuple[int, int]] = ()) -> WordCounts:
    """The counts of a document, from what each of its tokens is; tokens in the ranges ``left_out`` are quotations."""
    counted = np.ones(len(labels), np.bool_)
    for first, last in left_out:
        counted[first:last] = False
    apart, similar, changed, moved, identical = np.bincount(labels[counted], minlength=5).tolist()
    words = apart + similar + changed + moved + identical
    quoted = int(np.count_nonzero(labels[~counted] >= CHANGED))
    return WordCounts(words, identical, moved, changed, similar, quoted)


def describe_counts(counts: WordCounts, document: str, other: str) -> str:
    """The counts as a sentence.

    >>> describe_counts(WordCounts(640, 200, 12, 60, 40), "Ada.txt", "Kai.txt")
    '212 of 640 words of Ada.txt are word for word those of Kai.txt, 60 more are changed'
    """
    same = counts.identical + counts.moved
    changed = f", {counts.changed:,} more are changed" if counts.changed else ""
    quoted = f", {counts.quoted:,} more are quoted" if counts.quoted else ""
    return f"{same:,} of {counts.words:,} words of {document} are word for word those of {other}{changed}{quoted}"


@kernel
def label_tokens(partners: _Ints, moved: NDArray[np.bool_], in_a: _Labels, in_b: _Labels) -> None:
    """Set what the tokens are, uint8 [n] and [m], of which ``partners`` stand for each other."""
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
