"""Documents of indexes, and two passages of them beside each other."""

from typing import Any

from ibidem.comparison import Comparer, Comparison, Witness
from ibidem.comparison.locators import DescribedPlaces
from ibidem.locators import describe_place, without_locators
from ibidem.text import make_tokenizer
from ibidem.web.answers import DocumentText, EvalsInfo, Indexes, IndexInfo
from ibidem.web.indexes.holdings import Holdings, choose_index, choose_index_of, find_document
from ibidem.web.problems import ProblemError
from ibidem.web.requests import CompareRequest, DocumentRequest, IndexesRequest, Passage

_MOST_CHARACTERS = 1_000_000
"""Of a document that one answer gives, and of a passage that is compared."""


def describe(holdings: Holdings, request: IndexesRequest) -> Indexes:
    """The indexes and evals that are served."""
    infos = []
    for name, served in holdings.indexes.items():
        with served.reader() as reader:
            configuration = reader.index.configuration
            infos.append(
                IndexInfo(
                    name=name,
                    documents=len(reader.index),
                    generation=reader.index.generation,
                    min_length=configuration.min_length,
                    family=configuration.family,
                    tf=configuration.tf,
                    idf=configuration.idf,
                )
            )
    gate = holdings.evals
    evals = None if gate is None else EvalsInfo(items=len(gate), recognized=list(gate.recognized))
    return Indexes(indexes=infos, evals=evals)


def read_document(holdings: Holdings, request: DocumentRequest) -> DocumentText:
    """A part of a document."""
    served_index = choose_index_of(holdings, request.index, request.document)
    with served_index.reader() as reader:
        text, metadata = find_document(reader, served_index.name, request.document)
    start = min(request.start, len(text))
    end = len(text) if request.end is None else min(request.end, len(text))
    end = max(start, min(end, start + _MOST_CHARACTERS))
    return DocumentText(
        index=served_index.name,
        document=request.document,
        start=start,
        end=end,
        length=len(text),
        text=text[start:end],
        locator=describe_place(metadata, start, end),
        metadata=without_locators(metadata),
    )


def compare(holdings: Holdings, request: CompareRequest) -> Comparison:
    """Two passages, word by word; of documents of an index, words weigh by how rare they are in it."""
    names = [side.index for side in (request.a, request.b) if side.document is not None]
    comparer = Comparer(make_tokenizer("words"))
    if names:
        with choose_index(holdings, names[0]).reader() as reader:
            comparer = Comparer(reader.index.tokenizer, reader.word_frequencies)
    return comparer.compare(_witness(holdings, request.a, "a"), _witness(holdings, request.b, "b"))


def _witness(holdings: Holdings, side: Passage, name: str) -> Witness:
    text = side.text or ""
    metadata: dict[str, Any] = {}
    if side.document is not None:
        served_index = choose_index_of(holdings, side.index, side.document)
        with served_index.reader() as reader:
            text, metadata = find_document(reader, served_index.name, side.document)
    start, end = side.start, len(text) if side.end is None else side.end
    if not start <= end <= len(text):
        place = f"lies outside of the text of {name!r}, 0 to {len(text)}"
        raise ProblemError(422, f"the passage {start} to {end} {place}")
    if end - start > _MOST_CHARACTERS:
        raise ProblemError(422, f"the passage {name!r} has more than {_MOST_CHARACTERS:,} characters")
    witness = Witness(side.document or name, start, end, text, locators=DescribedPlaces.of(metadata))
    return witness._replace(metadata=without_locators(metadata))
