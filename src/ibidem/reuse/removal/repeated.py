"""The choice of the passages that go from a collection, as ranges of its texts."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.ignored import IgnoredTexts
from ibidem.reuse.collection import Collection
from ibidem.reuse.removal.duplicates import Duplicates
from ibidem.reuse.removal.question import PassageQuestion
from ibidem.reuse.removal.removals import Removal, choose_removals
from ibidem.reuse.removal.result import PassageDeduplication, Repeated
from ibidem.reuse.subtraction import find_ignored
from ibidem.spans import Ignored
from ibidem.text import make_tokenizer


class KeptText(NamedTuple):
    """Text that always stays, since it is similar to a text to ignore.

    Attributes:
        ranges: int64 [I, 2], half-open ranges of the tokens of the collection.
        passages: the same as passages of documents.
    """

    ranges: npt.NDArray[np.int64]
    passages: tuple[Ignored, ...]


def find_kept_text(collection: Collection, question: PassageQuestion, threads: int | None) -> KeptText:
    """The passages of the collection that are similar to a text to ignore."""
    texts = IgnoredTexts(question.ignore, make_tokenizer(question.tokenizer))
    ranges, likeness = find_ignored(collection, (texts, question.threshold) if question.ignore else None, threads)
    documents = np.searchsorted(collection.bounds, ranges[:, 0], side="right") - 1
    passages = []
    for row in np.argsort(collection.input.order[documents], kind="stable").tolist():
        document, (number, *text_range) = int(documents[row]), ranges[row, 2:].tolist()
        first, last = (ranges[row, :2] - collection.bounds[document]).tolist()
        starts, ends = collection.places(document)
        span = int(starts[first]), int(ends[first:last].max())
        name, place = texts.names[number], texts.place(number, *text_range)
        passages.append(Ignored(collection.ids[document], *span, name, *place, float(likeness[row])))
    return KeptText(ranges[:, :2], tuple(passages))


def choose_repeated(
    collection: Collection, duplicates: Duplicates, question: PassageQuestion, kept_text: KeptText
) -> PassageDeduplication:
    """Return which passages of pairs of near-duplicates go."""
    by_document: dict[int, list[Removal]] = defaultdict(list)
    settings = question.threshold, question.min_length, question.boundary
    for removal in choose_removals(collection, duplicates, *settings, kept_text.ranges):
        by_document[removal.document].append(removal)
    rows = collection.input.order
    removed = [
        passage
        for document in sorted(by_document, key=lambda document: int(rows[document]))
        for passage in _place(collection, by_document[document])
    ]
    longest = int(collection.lengths.max(initial=0))
    return PassageDeduplication(removed, len(collection), len(collection.tokens), kept_text.passages, longest)


def count_emptied(deduplication: PassageDeduplication, collection: Collection) -> int:
    """Return how many documents hold nothing but passages that go."""
    tokens_removed: dict[str, int] = defaultdict(int)
    for passage in deduplication.removed:
        tokens_removed[passage.document] += passage.tokens
    document_bounds = zip(collection.ids, collection.bounds[:-1], collection.bounds[1:], strict=True)
    return sum(
        name in tokens_removed and tokens_removed[name] == int(last - first) for name, first, last in document_bounds
    )


def _place(collection: Collection, removals: list[Removal]) -> list[Repeated]:
    """The removals of one document as ranges of its text."""
    passages = []
    for removal in removals:
        of_starts, of_ends = collection.places(removal.of)
        of_span = int(of_starts[removal.of_first]), int(of_ends[removal.of_first : removal.of_last].max())
        names = collection.ids[removal.document], collection.ids[removal.of]
        tokens = removal.last - removal.first
        passages.append(Repeated(names[0], removal.start, removal.end, tokens, names[1], *of_span, removal.similarity))
    return passages
