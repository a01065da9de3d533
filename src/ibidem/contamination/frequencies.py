"""Document frequencies: how many documents, and how many sources, share what was found of a part.

A *source* is a training file, or what a column of the training data names, such as a site. Documents of the same words
count once: a page that was fetched twelve times is one page.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.contamination.detector import Occurrence
from ibidem.rounding import reaches

MANY = 10
"""The least number of documents that share a phrase of many documents."""

_WHOLE = 0.8
"""The share of a part, from the first word that was found to the last, from which on the part counts as whole, whatever
words changed between. A whole part is a leak in however many documents it occurs."""


class Frequencies(NamedTuple):
    """The frequencies of what was found.

    Attributes:
        pieces: for each part and each source, how many documents have a piece of the part at each of its code points.
        templates: the parts whose words occur with two other sets of numbers, or more.
    """

    pieces: Mapping[int, Mapping[str, npt.NDArray[np.int64]]]
    templates: frozenset[int]

    def describe_spread(self, occurrence: Occurrence) -> str:
        """Describe where a piece is a phrase of many documents: within this source or across sources; empty if nowhere.

        A source that repeats a phrase in many documents counts once elsewhere: the footer of all pages of one site is
        no evidence about the page of another.
        """
        middle = (occurrence.eval_start + occurrence.eval_end) // 2
        counts = {
            source_name: int(documents[middle])
            for source_name, documents in self.pieces[occurrence.part].items()
            if middle < len(documents)
        }
        if counts[occurrence.document.source] >= MANY:
            return "within a source"
        total = sum(1 if count >= MANY else count for count in counts.values())
        return "across sources" if total >= MANY else ""


def is_piece(occurrence: Occurrence, length: int) -> bool:
    """Return whether an occurrence spans less than a whole part of this length."""
    return occurrence.eval_end - occurrence.eval_start < _WHOLE * length


def count_frequencies(occurrences: Sequence[Occurrence], texts: Sequence[str], threshold: float) -> Frequencies:
    """Count the documents that share what was found of parts with these ``texts``."""
    pieces: dict[int, dict[str, dict[int, tuple[int, int]]]] = defaultdict(lambda: defaultdict(dict))
    fillings: dict[int, set[str]] = defaultdict(set)
    for occurrence in occurrences:
        if not reaches(occurrence.containment, threshold):
            continue
        if is_piece(occurrence, len(texts[occurrence.part])):
            pieces[occurrence.part][occurrence.document.source][occurrence.copy] = (
                occurrence.eval_start,
                occurrence.eval_end,
            )
        if occurrence.other_numbers > occurrence.same_numbers and not occurrence.rival:
            fillings[occurrence.part].add(occurrence.filling)
    return Frequencies(
        {
            part: {
                source: _cover(np.array(list(spans.values())), len(texts[part]))
                for source, spans in spans_by_source.items()
            }
            for part, spans_by_source in pieces.items()
        },
        frozenset(part for part, numbers in fillings.items() if len(numbers) > 1),
    )


def _cover(spans: npt.NDArray[np.int64], length: int) -> npt.NDArray[np.int64]:
    """Return how many of some spans [N, 2], half open, cover each of ``length`` places."""
    steps = np.bincount(spans[:, 0], minlength=length + 1) - np.bincount(spans[:, 1], minlength=length + 1)
    return np.cumsum(steps)[:length]
