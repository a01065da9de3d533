"""Collections: documents in any form that a caller may have them become batches."""

import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from io import IOBase
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from ibidem.errors import CorpusError
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.text.batches import Tokenizer, Tokens
from ibidem.text.documents import DEFAULT_ID, Document, Documents
from ibidem.text.json_values import NullWarning
from ibidem.text.tables import is_table, read_table

BATCH_SIZE = 8 << 20
"""Code points of a batch, more or less."""


_LONGEST_PATH = 1024
"""Characters of a text that may be the name of a file."""


_FILE_NAME = re.compile(
    r"\S+\.(?:jsonl?|ndjson|parquet|pq|arrow|feather|csv|tsv|txt|pdf|docx|epub|html?|xml|warc)(?:\.(?:gz|zst|bz2|xz))?",
    re.IGNORECASE,
)
"""A name that files of documents have, and hardly any text."""


class ArrowStream(Protocol):
    """A table that speaks Arrow: a DataFrame of polars or pandas, a table of pyarrow, a relation of DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The stream of its rows."""


Collection = ArrowStream | Iterable[Document | Documents | str | tuple[str, str] | Mapping[str, Any]]
"""The values that a caller may give as documents."""


def as_batches(documents: Collection, text: str = "text", id: str = DEFAULT_ID) -> Iterator[Documents]:
    """Batches of a collection; its type is checked at once, and its documents as they come.

    A collection is a table, or an iterable of batches, ``Document``s, strings, (id, text) pairs or mappings. ``text``
    and ``id`` name the columns of a table, or the keys of mappings; all others are metadata. A document without an id
    gets its number, from 0.

    Raises:
        TypeError: this is no collection.
    """
    if is_table(documents):
        return read_table(documents, text, id)
    return _gather(_require_iterable(documents), text, id)


def as_documents(documents: Collection, text: str = "text", id: str = DEFAULT_ID) -> Iterator[Document]:
    """The documents of a collection one by one, each before the next is asked for; see ``as_batches``."""
    batches: Any = read_table(documents, text, id) if is_table(documents) else _require_iterable(documents)
    return _take_apart(batches, text, id)


def _take_apart(documents: Iterable[Any], text: str, id: str) -> Iterator[Document]:
    for number, item in enumerate(documents):
        yield from item.list_documents() if isinstance(item, Documents) else (_as_document(item, number, text, id),)


def _require_iterable(documents: Any) -> Iterable[Any]:
    if isinstance(documents, (str, bytes, Mapping, Documents, IOBase)) or not isinstance(documents, Iterable):
        raise TypeError(
            f"documents are a table (polars, pandas, pyarrow, DuckDB, Hugging Face) or an iterable of Documents, "
            f"strings, (id, text) pairs or mappings, not one {type(documents).__name__}; for files use ibidem.read"
        )
    return documents


def cut_batches(batches: Iterable[Documents], most: int) -> Iterator[Documents]:
    """``batches`` in parts of about ``most`` bytes of text; a document is never cut."""
    for batch in batches:
        if batch.texts.nbytes <= most:
            yield batch
            continue
        part = batch.texts.bounds[:-1] // most
        cuts = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(batch.ids)]
        for first, end in pairwise(cuts):
            yield batch.rows(first, end)


def tokenize_batches(
    batches: Iterable[Documents], tokenizer: Tokenizer, resources: Resources, *, offsets: bool = True
) -> Iterator[tuple[Documents, Tokens]]:
    """``batches`` in parts that the memory allows, each with its tokens."""

    def encode(documents: Documents) -> tuple[Documents, Tokens]:
        return documents, tokenizer.encode(documents.texts, offsets=offsets)

    with resources.pool() as pool:
        yield from in_order(pool, encode, cut_batches(batches, resources.batch_bytes), resources.workers + 1)


def _gather(documents: Iterable[Any], text: str, id: str) -> Iterator[Documents]:
    warning = NullWarning("later documents")
    batch: list[Document] = []
    size = 0
    for number, item in enumerate(documents):
        if isinstance(item, Documents):
            if batch:
                yield Documents.of(batch, warning)
                batch, size = [], 0
            yield item
            continue
        document = _as_document(item, number, text, id)
        batch.append(document)
        size += len(document.text)
        if size >= BATCH_SIZE or len(batch) >= 65536:
            yield Documents.of(batch, warning)
            batch, size = [], 0
    if batch:
        yield Documents.of(batch, warning)


def _require_no_path(text: str) -> None:
    """Refuse the name of a file or folder that is there, in the place of the first text; warn of one that is not.

    Raises:
        CorpusError: it is there.
    """
    if len(text) <= _LONGEST_PATH and "\0" not in text and text.strip() not in ("", ".", "..") and os.path.exists(text):
        raise CorpusError(
            f"document 0: {text!r} is a file or folder here, and no text; give the documents that ibidem.read reads of "
            "it, or use a function for files"
        )
    if len(text) <= _LONGEST_PATH and _FILE_NAME.fullmatch(text):
        warnings.warn(
            f"document 0: {text!r} looks like the name of a file that is not here, and is taken for a text; files are "
            "read by ibidem.read and the functions for files",
            stacklevel=2,
        )


def _as_document(item: Any, number: int, text: str, id: str) -> Document:
    if isinstance(item, Document):
        if not (isinstance(item.id, str) and isinstance(item.text, str)):
            raise CorpusError(
                f"document {number}: id and text must be strings, not {item.id!r:.80} and {item.text!r:.80}"
            )
        return item
    if isinstance(item, str):
        if number == 0:
            _require_no_path(item)
        return Document(str(number), item)
    if isinstance(item, Mapping):
        if not isinstance(item.get(text), str):
            raise CorpusError(
                f"document {number}: a mapping needs a string under {text!r}; it has {sorted(map(str, item))}"
            )
        metadata = {name: value for name, value in item.items() if name not in (id, text)}
        document_id = item.get(id)
        return Document(str(number if document_id is None else document_id), item[text], metadata)
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], str):
        return Document(str(item[0]), item[1])
    if hasattr(item, "as_py"):  # from a column of pyarrow
        return _as_document(item.as_py(), number, text, id)
    excerpt = " ".join(repr(item).split())
    raise CorpusError(
        f"document {number}: expected a Document, a string, an (id, text) pair or a mapping, not {excerpt:.80}"
    )
