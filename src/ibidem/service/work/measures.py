"""The similarity of matches by another measure than that by which they were found."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ibidem.service.answers import Similarities
from ibidem.service.problems import ProblemError
from ibidem.service.requests import MeasureRequest, Unit
from ibidem.service.served_index import Reader, ServedIndex
from ibidem.service.work.holdings import Holdings, choose_index, find_document
from ibidem.service.work.units import Positions
from ibidem.similarity import jaccard
from ibidem.text import Texts, Tokenizer

__all__ = ["measure"]

_MOST_CHARACTERS = 10_000_000
"""Of all passages that one request measures."""


def measure(holdings: Holdings, request: MeasureRequest) -> Similarities:
    """How similar matches are by a measure; tokens and document frequencies are those of the index."""
    chosen = choose_index(holdings, request.index)
    with chosen.reader() as reader:
        generation = reader.index.generation
        if request.generation not in (None, generation):
            raise ProblemError(409, "the index was changed since the matches were found: search again")
        weighting = reader.index.weighting(family=request.family, tf=request.tf, idf=request.idf)
        pairs = _read_passages(chosen, reader, request)
        tokens = _tokenize({text for pair in pairs for text in pair}, reader.index.tokenizer)
        similarities = [jaccard(tokens[a], tokens[b], weighting) for a, b in pairs]
    return Similarities(index=chosen.name, generation=generation, similarities=similarities)


def _read_passages(chosen: ServedIndex, reader: Reader, request: MeasureRequest) -> list[tuple[str, str]]:
    """The texts of both passages of each match."""
    own = _Text("the text", request.text, request.unit)
    texts: dict[str, _Text] = {}
    pairs, size = [], 0
    for match in request.matches:
        if match.document not in texts:
            found, _ = find_document(reader, chosen.name, match.document)
            texts[match.document] = _Text(f"the document {match.document!r}", found, request.unit)
        pairs.append((own.cut(match.query_start, match.query_end), texts[match.document].cut(match.start, match.end)))
        size += sum(map(len, pairs[-1]))
        if size > _MOST_CHARACTERS:
            raise ProblemError(422, f"the passages have more than {_MOST_CHARACTERS:,} characters: ask for fewer")
    return pairs


class _Text:
    """A text of which passages are cut, their places counted in a unit."""

    def __init__(self, name: str, text: str, unit: Unit) -> None:
        self._name, self._text, self._places = name, text, Positions(text, unit)
        self._length = self._places.give(len(text))

    def cut(self, start: int, end: int) -> str:
        """A passage.

        Raises:
            ProblemError: it lies outside of the text.
        """
        if not start <= end <= self._length:
            detail = f"the passage {start} to {end} lies outside of {self._name}, 0 to {self._length}"
            raise ProblemError(422, detail)
        return self._text[self._places.take(start) : self._places.take(end)]


def _tokenize(texts: Iterable[str], tokenizer: Tokenizer) -> dict[str, npt.NDArray[np.uint32]]:
    """The tokens of each text."""
    ordered = list(texts)
    tokens = tokenizer.encode(Texts.from_strings(ordered))
    return dict(zip(ordered, np.split(tokens.ids, tokens.bounds[1:-1]), strict=True))
