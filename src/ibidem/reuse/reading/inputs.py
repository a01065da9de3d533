"""What is named on the command line: files of documents, and indexes, which hold documents, too."""

import os
from collections.abc import Iterable, Iterator

from ibidem.corpus import read
from ibidem.store import Store
from ibidem.store.manifest import is_index
from ibidem.text import Documents

__all__ = ["read_inputs"]


def read_inputs(paths: Iterable[str], *, text: str, id: str) -> Iterator[Documents]:
    """The documents of files as :func:`ibidem.read` gives them, and those that stand in indexes, path by path.

    That every path exists is checked at once. The removed documents of an index are left out.

    Raises:
        CorpusError: an input cannot be used.
        StoreError: an index is damaged.
    """
    parts = [_read_index(path) if is_index(path) else read(path, text=text, id=id) for path in map(os.fspath, paths)]
    return (batch for part in parts for batch in part)


def _read_index(path: str) -> Iterator[Documents]:
    with Store.open(path) as store:
        for segment in store.segments:
            for documents, _ in segment.batches():
                yield documents
