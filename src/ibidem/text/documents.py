"""Documents: texts with names, and batches made of whatever a caller calls documents."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ibidem.errors import CorpusError
from ibidem.text.batches import Texts
from ibidem.text.metadata import find_unreadable

__all__ = ["Document", "Documents", "as_batches"]

BATCH_SIZE = 8 << 20
"""Code points of a batch, more or less."""


class Document(msgspec.Struct, frozen=True):
    """A text with a name, and what else its record says.

    >>> Document("MS 12", "In the same place.", {"year": 1903}).metadata["year"]
    1903
    """

    id: str
    text: str
    metadata: dict[str, Any] = {}

    def __hash__(self) -> int:
        return hash((self.id, self.text))  # metadata may hold what has no hash


class Documents(NamedTuple):
    """A batch of documents.

    Attributes:
        ids: one for each text.
        texts: their texts.
        metadata: for each text a JSON object as UTF-8 bytes, ``b"{}"`` if there is none.
    """

    ids: list[str]
    texts: Texts
    metadata: list[bytes]

    def rows(self, first: int, end: int) -> "Documents":
        """The documents ``first`` to ``end``, half open."""
        return Documents(self.ids[first:end], self.texts.rows(first, end), self.metadata[first:end])

    @classmethod
    def of(cls, documents: Sequence[Document]) -> "Documents":
        """Gather ``documents`` into a batch.

        Raises:
            CorpusError: the metadata of a document cannot be written as JSON.
        """
        texts = Texts.from_strings([document.text for document in documents])
        return cls([document.id for document in documents], texts, [_metadata_json(each) for each in documents])


def _metadata_json(document: Document) -> bytes:
    try:
        metadata = msgspec.json.encode(document.metadata)
    except (TypeError, ValueError, RecursionError) as error:
        raise CorpusError(f"document {document.id!r}: its metadata cannot be written as JSON: {error}") from error
    if cause := find_unreadable(metadata):
        raise CorpusError(f"document {document.id!r}: its metadata could not be read back: {cause}")
    return metadata


def as_batches(documents: Iterable[Any]) -> Iterator[Documents]:
    """Batches of whatever a caller calls documents: batches, ``Document``s, strings, (id, text) pairs or mappings.

    A string, or a mapping without an id, gets its number, from 0, as id.
    """
    if isinstance(documents, (str, bytes, Mapping, Documents)):
        raise TypeError(f"documents are given as a list or another iterable, not as one {type(documents).__name__}")
    waiting: list[Document] = []
    size = 0
    for number, item in enumerate(documents):
        if isinstance(item, Documents):
            if waiting:
                yield Documents.of(waiting)
                waiting, size = [], 0
            yield item
            continue
        document = _as_document(item, number)
        waiting.append(document)
        size += len(document.text)
        if size >= BATCH_SIZE or len(waiting) >= 65536:
            yield Documents.of(waiting)
            waiting, size = [], 0
    if waiting:
        yield Documents.of(waiting)


def _as_document(item: Any, number: int) -> Document:
    if isinstance(item, Document):
        if not (isinstance(item.id, str) and isinstance(item.text, str)):
            raise CorpusError(
                f"document {number}: id and text must be strings, not {item.id!r:.80} and {item.text!r:.80}"
            )
        return item
    if isinstance(item, str):
        return Document(str(number), item)
    if isinstance(item, dict):
        if not isinstance(item.get("text"), str):
            raise CorpusError(
                f"document {number}: a mapping needs a string under 'text'; it has {sorted(map(str, item))}"
            )
        rest = {name: value for name, value in item.items() if name not in ("id", "text")}
        document_id = item.get("id")
        return Document(str(number if document_id is None else document_id), item["text"], rest)
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], str):
        return Document(str(item[0]), item[1])
    raise CorpusError(
        f"document {number}: expected a Document, a string, an (id, text) pair or a mapping, not {item!r:.80}"
    )
