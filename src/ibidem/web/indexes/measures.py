"""The similarity of matches by another measure than that by which they were found."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ibidem.similarity import jaccard
from ibidem.text import Texts, Tokenizer
from ibidem.web.answers import Similarities
from ibidem.web.indexes.holdings import Holdings, choose_index, find_document
from ibidem.web.indexes.served_index import Reader, ServedIndex
from ibidem.web.indexes.units import Positions
from ibidem.web.problems import ProblemError
from ibidem.web.requests import MeasureRequest

_MOST_CHARACTERS = 10_000_000
"""Of all passages that one request measures."""


def measure(holdings: Holdings, request: MeasureRequest) -> Similarities:
    """How similar matches are by a measure; tokens and document frequencies are those of the index."""
    served_index = choose_index(holdings, request.index)
    with served_index.reader() as reader:
        generation = reader.index.generation
        if request.generation not in (None, generation):
            raise ProblemError(409, "the index was changed since the matches were found: search again")
        weighting = reader.index.weighting(family=request.family, tf=request.tf, idf=request.idf)
        pairs = _read_passages(served_index, reader, request)
        tokens = _tokenize({text for pair in pairs for text in pair}, reader.index.tokenizer)
        similarities = [jaccard(tokens[a], tokens[b], weighting) for a, b in pairs]
    return Similarities(index=served_index.name, generation=generation, similarities=similarities)


def _read_passages(served_index: ServedIndex, reader: Reader, request: MeasureRequest) -> list[tuple[str, str]]:
    """The texts of both passages of each match."""
    query_places = Positions(request.text, request.unit)
    documents: dict[str, tuple[str, Positions]] = {}
    pairs, size = [], 0
    for match in request.matches:
        if match.document not in documents:
            text, _ = find_document(reader, served_index.name, match.document)
            documents[match.document] = text, Positions(text, request.unit)
        text, places = documents[match.document]
        first, last = query_places.take_range(match.query_start, match.query_end, "the text")
        start, end = places.take_range(match.start, match.end, f"the document {match.document!r}")
        pairs.append((request.text[first:last], text[start:end]))
        size += sum(map(len, pairs[-1]))
        if size > _MOST_CHARACTERS:
            raise ProblemError(422, f"the passages have more than {_MOST_CHARACTERS:,} characters: ask for fewer")
    return pairs


def _tokenize(texts: Iterable[str], tokenizer: Tokenizer) -> dict[str, npt.NDArray[np.uint32]]:
    """The tokens of each text."""
    distinct_texts = list(texts)
    tokens = tokenizer.encode(Texts.from_strings(distinct_texts))
    return dict(zip(distinct_texts, np.split(tokens.ids, tokens.bounds[1:-1]), strict=True))
