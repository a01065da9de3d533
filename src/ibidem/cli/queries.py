"""The texts that a user names on the command line: the queries of a search, and the two sides of an alignment."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from ibidem.corpus.failures import Failures
    from ibidem.text import Document, Documents

__all__ = ["Queries", "make_query", "read_queries", "read_whole_text"]


class Queries:
    """The queries of some files, which are read as they are taken.

    Attributes:
        total: how many there are; ``None`` until the last of them was read.
    """

    def __init__(self, streams: "Sequence[Iterable[Documents]]") -> None:
        self._streams = streams
        self.total: int | None = None

    def __iter__(self) -> "Iterator[Document]":
        batches = chain.from_iterable(self._streams)
        batch, count = next(batches, None), 0
        while batch is not None:
            following = next(batches, None)
            count += len(batch.ids)
            if following is None:
                self.total = count
            yield from _list_documents(batch)
            batch = following


def read_queries(files: Iterable[str], *, text: str, id: str, failures: "Failures | None" = None) -> Queries:
    """The queries in the files; ``-`` is one query of plain text on standard input.

    A file of records holds a query in each, named by its id. That all files exist is checked at once.
    """
    from ibidem.corpus import read

    options: dict[str, Any] = {"text": text, "id": id, "failures": failures}
    return Queries([_standard_input() if file == "-" else read([file], **options) for file in files])


def make_query(text: str) -> Queries:
    """A text of its own, named ``query``."""
    from ibidem.text import Document, Documents

    return Queries([[Documents.of([Document("query", text)])]])


def _list_documents(batch: "Documents") -> "Iterator[Document]":
    from ibidem.text import Document
    from ibidem.text.json_values import decode_json

    for name, text, metadata in zip(batch.ids, batch.texts, batch.metadata, strict=True):
        yield Document(name, text, decode_json(metadata))


def read_whole_text(path: str, *, text: str = "text", id: str = "id", failures: "Failures | None" = None) -> str:
    """The text of a file that holds one document; ``-`` is plain text on standard input."""
    from ibidem.corpus.sources import list_sources

    if os.path.isdir(path):
        raise CorpusError(f"{path}: this is a folder; name a file")
    found = list_sources(path, failures=failures)
    if len(found) != 1:
        raise CorpusError(f"{path}: {len(found)} files match; name one")
    from ibidem.corpus.files import read as read_prose
    from ibidem.corpus.formats import format_of
    from ibidem.corpus.rows import Columns

    read_file = read_prose if found[0].is_pipe else format_of(found[0]).read
    batches = read_file(found[0], Columns.of(text, id), 1)
    texts = list(islice((each for batch in batches for each in batch.texts), 2))
    if len(texts) != 1:
        held = "more than one document" if texts else "no document"
        raise CorpusError(
            f"{path}: it holds {held}, and two texts are aligned; to compare documents of collections, use "
            "'ibidem reuse A --against B', or 'ibidem align' with --documents and --pairs"
        )
    return texts[0]


def _standard_input() -> Iterator["Documents"]:
    from ibidem.text import Document, Documents

    yield Documents.of([Document("stdin", read_whole_text("-"))])
