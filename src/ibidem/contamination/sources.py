"""The source of a document: its training file, or what a column names, such as the site that it is from."""

import json
from urllib.parse import urlsplit

from ibidem.corpus.faults import missing_column
from ibidem.text import Documents


def find_source(documents: Documents, number: int, column: str | None, file: str | None) -> str:
    """Find the source of a document of a batch: its file if no ``column`` is named, the host of a URL.

    >>> from ibidem.text import Document, Documents
    >>> pages = Documents.of([Document("1", "Good bread.", {"url": "https://baker.example/bread"})])
    >>> find_source(pages, 0, "url", None)
    'baker.example'
    """
    if column is None:
        return file or ""
    value = json.loads(documents.metadata[number]).get(column)
    name = "" if value is None else str(value)
    return (urlsplit(name).hostname or name) if "://" in name else name


def require_column(documents: Documents, column: str | None, path: str) -> None:
    """Raise a ``CorpusError`` if no document of a batch has the column that names sources."""
    if column is None or any(column in json.loads(fields) for fields in documents.metadata):
        return
    names = dict.fromkeys(name for fields in documents.metadata for name in json.loads(fields))
    raise missing_column(path, "source", column, names)
