"""Inputs named on the command line: files of documents, and indexes, which hold documents, too."""

import os
from collections.abc import Iterable, Iterator
from typing import Any

from ibidem.corpus import ReadingProgress, read
from ibidem.corpus.failures import Failures
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.store import Store
from ibidem.store.manifest import is_index
from ibidem.text import Documents


def read_inputs(
    paths: Iterable[str],
    *,
    text: str,
    id: str,
    max_line: str | int = LARGEST_LINE,
    encoding: str | None = None,
    progress: ReadingProgress | None = None,
    failures: Failures | None = None,
) -> Iterator[Documents]:
    """Read the documents of files as :func:`ibidem.read` does, and those of indexes, path by path.

    Whether every path exists is checked at once. The removed documents of an index are left out. ``progress`` receives
    the number of bytes of files in all and of those read, and no total if there is an index. ``failures`` collects what
    is left out of files, as by ``read``.

    Raises:
        CorpusError: an input cannot be used.
        StoreError: an index is damaged.
    """
    parts = []
    for path in map(os.fspath, paths):
        if not is_index(path):
            columns: dict[str, Any] = {"text": text, "id": id, "max_line": max_line, "encoding": encoding}
            parts.append(read(path, **columns, progress=progress, failures=failures))
            continue
        parts.append(_read_index(path))
        if progress is not None:
            progress.expect([None])
    return (batch for part in parts for batch in part)


def _read_index(path: str) -> Iterator[Documents]:
    with Store.open(path) as store:
        for segment in store.segments:
            for documents, _ in segment.batches():
                yield documents
