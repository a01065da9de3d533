"""Documents: texts with names, one by one and in batches."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from ibidem.errors import CorpusError
from ibidem.text.batches import Texts
from ibidem.text.json_values import NullWarning, decode_json, encode_json, find_unreadable

DEFAULT_ID = "id"
"""The column of ids that need not be there: its rows are numbered instead."""


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

    def select(self, rows: Sequence[int]) -> "Documents":
        """Some of the documents, in order."""
        from ibidem.ragged import join_bytes

        if len(rows) == len(self.ids):
            return self
        bounds = self.texts.bounds
        texts = Texts(*join_bytes([self.texts.data[bounds[row] : bounds[row + 1]].data for row in rows]))
        return Documents([self.ids[row] for row in rows], texts, [self.metadata[row] for row in rows])

    def list_documents(self) -> Iterator[Document]:
        """The documents one by one, with their metadata."""
        for id, text, metadata in zip(self.ids, self.texts, self.metadata, strict=True):
            yield Document(id, text, decode_json(metadata))

    @classmethod
    def of(cls, documents: Sequence[Document], warning: NullWarning | None = None) -> "Documents":
        """Gather ``documents`` into a batch; the ``warning`` may be that of batches before.

        Raises:
            CorpusError: the metadata of a document cannot be written as JSON.
        """
        texts = Texts.from_strings([document.text for document in documents])
        warning = warning or NullWarning("later documents")
        metadata = [_metadata_json(document, warning) for document in documents]
        return cls([document.id for document in documents], texts, metadata)


def _metadata_json(document: Document, warning: NullWarning) -> bytes:
    try:
        metadata = encode_json(document.metadata)
    except (TypeError, ValueError, RecursionError) as error:
        raise CorpusError(f"document {document.id!r}: its metadata cannot be written as JSON: {error}") from error
    if cause := find_unreadable(metadata):
        raise CorpusError(f"document {document.id!r}: its metadata could not be read back: {cause}")
    warning.look(metadata, document.metadata, lambda column: f"document {document.id!r}, metadata {column!r}")
    return metadata
