"""An index as an input: its documents are those of its segments, without the removed ones."""

from collections.abc import Iterator

from ibidem.corpus.sources import Source
from ibidem.store import Store
from ibidem.text import Documents


def read_index(source: Source) -> Iterator[Documents]:
    """The documents of an index, in batches.

    Raises:
        StoreError: the index is damaged.
    """
    with Store.open(source.path) as store:
        for segment in store.segments:
            for documents, _ in segment.batches():
                yield documents
