"""Document frequencies: how many documents, and how many sources, share what was found of a part.

A *source* is a training file, or what a column of the training data names, such as a site. Documents of the same words
count once: a page that was fetched twelve times is one page.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ibidem.contamination.detector import Occurrence

__all__ = ["MANY", "Frequencies", "count_frequencies"]

MANY = 10
"""Documents that share a phrase of many documents."""

_Phrase = tuple[int, int, int]


class Frequencies(NamedTuple):
    """The frequencies of what was found.

    Attributes:
        phrases: for each stretch of a part, how many documents of each source have it.
        templates: the parts whose words occur with two other sets of numbers, or more.
    """

    phrases: Mapping[_Phrase, Mapping[str, int]]
    templates: frozenset[int]

    def describe_spread(self, found: Occurrence, source: str) -> str:
        """Where the stretch is a phrase of many documents: within this source, or across sources; empty if it is none.

        A source that repeats a phrase in many documents counts once elsewhere: the foot of all pages of one site says
        nothing about the page of another.
        """
        counts = self.phrases[_phrase(found)]
        if counts[source] >= MANY:
            return "within a source"
        others = sum(1 if count >= MANY else count for count in counts.values())
        return "across sources" if others >= MANY else ""


def count_frequencies(
    found: Sequence[tuple[int, Occurrence]], sources: Mapping[int, str], threshold: float
) -> Frequencies:
    """Count the documents that share what was found; ``sources`` has that of each document, empty if unknown."""
    phrases: dict[_Phrase, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    fillings: dict[int, set[str]] = defaultdict(set)
    for document, each in found:
        phrases[_phrase(each)][sources.get(document, "")].add(each.copy)
        if each.other_numbers > each.same_numbers and each.containment >= threshold and not each.rival:
            fillings[each.part].add(each.filling)
    return Frequencies(
        {phrase: {source: len(copies) for source, copies in of.items()} for phrase, of in phrases.items()},
        frozenset(part for part, numbers in fillings.items() if len(numbers) > 1),
    )


def _phrase(each: Occurrence) -> _Phrase:
    """About which stretch of a part was found."""
    return each.part, each.eval_start // 16, each.eval_end // 16
