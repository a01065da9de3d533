"""The texts that a user names on the command line: the queries of a search, and the two sides of an alignment."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from ibidem.text import Document, Documents

__all__ = ["queries", "whole_text"]


def queries(files: Iterable[str], *, text: str, id: str) -> "Iterator[Document]":
    """The queries in the files; ``-`` is one query of plain text on standard input.

    A file of records holds a query in each, named by its id. That all files exist is checked at once.
    """
    import msgspec

    from ibidem.corpus import read
    from ibidem.text import Document

    streams = [_standard_input() if file == "-" else read([file], text=text, id=id) for file in files]
    decode = msgspec.json.decode
    return (
        Document(name, text, decode(metadata))
        for stream in streams
        for batch in stream
        for name, text, metadata in zip(batch.ids, batch.texts, batch.metadata, strict=True)
    )


def whole_text(path: str) -> str:
    """The text of one file, whatever its name says it holds; ``-`` is standard input."""
    from ibidem.corpus.sources import list_sources

    if os.path.isdir(path):
        raise CorpusError(f"{path}: this is a folder; name a file")
    found = list_sources(path)
    if len(found) != 1:
        raise CorpusError(f"{path}: {len(found)} files match; name one")
    from ibidem.corpus import plain
    from ibidem.corpus.rows import Columns

    (batch,) = plain.read(found[0], Columns("text", "id"), 1)
    return batch.texts[0]


def _standard_input() -> Iterator["Documents"]:
    from ibidem.text import Document, Documents

    yield Documents.of([Document("stdin", whole_text("-"))])
