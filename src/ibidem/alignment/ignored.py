"""Text that counts as absent because it is similar to a text that everybody has: a sheet, a licence, a liturgy.

The texts to ignore are aligned with a document as two documents are with each other, but passages may be short: a
question of a sheet is quoted alone. The passages found are taken out of the document before it is compared.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.extension import Measures
from ibidem.alignment.lengths import window_lengths
from ibidem.alignment.passage_pairs import criteria_for, find_in_windows
from ibidem.alignment.weighted_pair import weigh_pair, weigh_texts
from ibidem.similarity import jaccard
from ibidem.spans import Ignored
from ibidem.text import Collection, Texts, Tokenizer, Tokens, as_batches
from ibidem.weights import Weighting

_Ids = npt.NDArray[np.uint32]

DEFAULT_THRESHOLD = 0.3
"""Least similarity of a passage to a text to ignore, where no alignment has a threshold of its own."""

_LEAST_LENGTH = 8
"""Tokens of the longer of two passages: what is shorter is hardly ever beyond chance."""

NamedTexts = tuple[tuple[str, str], ...]
"""Texts with their names."""


def list_texts(documents: Collection, text: str = "text", id: str = "id") -> NamedTexts:
    """The names and the texts of documents.

    >>> list_texts(["all rights reserved", ("sheet", "Compare the two poems.")])
    (('0', 'all rights reserved'), ('sheet', 'Compare the two poems.'))
    """
    batches = as_batches(documents, text, id)
    return tuple(pair for batch in batches for pair in zip(batch.ids, batch.texts, strict=True))


class IgnoredRange(NamedTuple):
    """Tokens of a document that count as absent, and those of a text to ignore that they are similar to.

    Attributes:
        first, last: a half-open range of tokens of the document.
        text: the number of the text to ignore.
        of_first, of_last: a half-open range of its tokens.
        similarity: that of the two.
    """

    first: int
    last: int
    text: int
    of_first: int
    of_last: int
    similarity: float


class IgnoredTexts:
    """Texts to ignore, as tokens.

    Attributes:
        names: one for each.
    """

    def __init__(self, texts: NamedTexts, tokenizer: Tokenizer) -> None:
        self.names, self._texts = [name for name, _ in texts], [text for _, text in texts]
        self._tokens = tokenizer.encode(Texts.from_strings(self._texts), offsets=True)

    def __len__(self) -> int:
        return len(self.names)

    def find(self, ids: _Ids, threshold: float) -> list[IgnoredRange]:
        """The passages of a document, given as its tokens, that are similar by ``threshold``, by their places.

        Words weigh by how rare they are in the document and the text to ignore, as in an alignment of the two: no other
        document changes what is found.
        """
        ranges = []
        for number in range(len(self.names)):
            of = self._tokens.rows(number, number + 1).ids
            if min(len(ids), len(of)):
                weighting = weigh_texts(np.concatenate([ids, of]))
                ranges += [
                    IgnoredRange(box[0], box[1], number, box[2], box[3], _similarity(ids, of, box, weighting))
                    for box in _align(ids, of, weighting, threshold)
                ]
        return sorted(ranges)

    def place(self, number: int, first: int, last: int) -> tuple[int, int]:
        """Where tokens of a text to ignore start and end, in code points."""
        return _span(self._tokens.rows(number, number + 1), first, last)

    def passage(self, number: int, start: int, end: int) -> str:
        """A passage of a text to ignore."""
        return self._texts[number][start:end]

    def take_out(self, tokens: Tokens, threshold: float, documents: Sequence[str]) -> tuple[Tokens, list[Ignored]]:
        """Tokens of a batch of ``documents``, with offsets, without those that count as absent; and these."""
        is_left = np.ones(len(tokens.ids), np.bool_)
        ignored = []
        for number, document in enumerate(documents):
            text = tokens.rows(number, number + 1)
            for ignored_range in self.find(text.ids, threshold):
                first = int(tokens.bounds[number])
                is_left[first + ignored_range.first : first + ignored_range.last] = False
                span = _span(text, ignored_range.first, ignored_range.last)
                name, place = self.names[ignored_range.text], self.place(*ignored_range[2:5])
                ignored.append(Ignored(document, *span, name, *place, similarity=ignored_range.similarity))
        return _select(tokens, is_left), ignored


def _select(tokens: Tokens, is_selected: npt.NDArray[np.bool_]) -> Tokens:
    assert tokens.starts is not None  # offsets were asked for
    assert tokens.ends is not None
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(is_selected)])[tokens.bounds]
    return Tokens(tokens.ids[is_selected], bounds, tokens.starts[is_selected], tokens.ends[is_selected])


def _span(tokens: Tokens, first: int, last: int) -> tuple[int, int]:
    """Where tokens of one text start and end, in code points."""
    assert tokens.starts is not None
    assert tokens.ends is not None
    return int(tokens.starts[first]), int(tokens.ends[first:last].max())


def _align(ids: _Ids, of: _Ids, weighting: Weighting, threshold: float) -> list[list[int]]:
    windows = window_lengths(len(ids), len(of), _LEAST_LENGTH)
    pair = weigh_pair(ids, of, weighting, windows[0])
    criteria = criteria_for(pair, threshold, min(_LEAST_LENGTH, len(ids), len(of)))
    boxes: list[list[int]] = find_in_windows(Measures(pair), windows, criteria, summaries=False).similar.tolist()
    return boxes


def _similarity(ids: _Ids, of: _Ids, box: Sequence[int], weighting: Weighting) -> float:
    return jaccard(ids[box[0] : box[1]], of[box[2] : box[3]], weighting)
