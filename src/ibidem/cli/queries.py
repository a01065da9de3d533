"""The texts that a user names on the command line: the queries of a search, and the two sides of an alignment."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from ibidem.corpus.failures import Failures
    from ibidem.text import Document, Documents


class Queries:
    """The queries of some files, which are read as they are taken.

    Attributes:
        total: how many there are; ``None`` until the last of them was read.
    """

    def __init__(self, streams: "Sequence[Iterable[Documents]]", within: str | None = None) -> None:
        self._streams, self._within = streams, within
        self.total: int | None = None

    def __iter__(self) -> "Iterator[Document]":
        batches = chain.from_iterable(self._streams)
        batch, count = next(batches, None), 0
        while batch is not None:
            following = next(batches, None)
            count += len(batch.ids)
            if following is None:
                self.total = count
            yield from (keep_place(document, self._within) for document in batch.list_documents())
            batch = following


def read_queries(
    files: Iterable[str],
    *,
    text: str,
    id: str,
    failures: "Failures | None" = None,
    within: str | None = None,
    **reading: Any,
) -> Queries:
    """The queries in the files; ``-`` is one query of plain text on standard input.

    A file of records holds a query in each, named by its id. That all files exist is checked at once. Of each, only
    the place ``within`` it is kept, if one is named.
    """
    from ibidem.corpus import read

    options: dict[str, Any] = {"text": text, "id": id, "failures": failures, **reading}
    streams = [_standard_input() if file == "-" else read([file], **options) for file in files]
    return Queries(streams, within)


def make_query(text: str) -> Queries:
    """One query, named ``query``, of a text."""
    from ibidem.text import Document, Documents

    return Queries([[Documents.of([Document("query", text)])]])


def keep_place(document: "Document", place: str | None) -> "Document":
    """Replace everything outside of a place of a document by spaces, so that offsets stay the same.

    Raises:
        CorpusError: there is no such place, or several.
    """
    if place is None:
        return document
    from msgspec import structs

    from ibidem.locators import Places

    places = Places(document.metadata).with_lines(document.text)
    try:
        start, end = places.find(place)
    except ValueError as error:
        kinds = ", ".join(f"{kind}s" for kind in places.kinds)
        raise CorpusError(
            f"{document.id}: --within: {error} in it; it knows {kinds}; name one, such as 'page 3, line 12'"
        ) from error
    text = document.text
    return structs.replace(document, text=" " * start + text[start:end] + " " * (len(text) - end))


def read_whole_document(
    path: str,
    *,
    text: str = "text",
    id: str = "id",
    failures: "Failures | None" = None,
    **reading: Any,
) -> "Document":
    """The one document of a file, under the name of the file; ``-`` is plain text on standard input."""
    from msgspec import structs

    from ibidem.corpus.listing import list_sources

    if os.path.isdir(path):
        raise CorpusError(f"{path}: this is a folder; name a file, or compare folders by ibidem reuse")
    sources = list_sources(path, failures=failures)
    if len(sources) != 1:
        raise CorpusError(f"{path}: {len(sources)} files match; name one")
    from ibidem.corpus.files import read as read_prose
    from ibidem.corpus.formats import format_of
    from ibidem.corpus.rows import Columns

    read_file = read_prose if sources[0].is_pipe else format_of(sources[0]).read
    batches = read_file(sources[0], Columns.of(text, id, **reading), 1)
    documents = list(islice((document for batch in batches for document in batch.list_documents()), 2))
    if len(documents) != 1:
        number = "more than one document" if documents else "no document"
        raise CorpusError(
            f"{path}: it holds {number}, and two texts are aligned; to compare documents of collections, use "
            "'ibidem reuse A --against B', or 'ibidem align' with --documents and --pairs"
        )
    return structs.replace(documents[0], id=path)


def _standard_input() -> Iterator["Documents"]:
    from msgspec import structs

    from ibidem.text import Documents

    yield Documents.of([structs.replace(read_whole_document("-"), id="stdin")])
