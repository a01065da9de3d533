"""The document frequencies behind the weights of an index: those that it was given, holds, or counts when asked."""

import numpy as np

from ibidem.passages.configuration import Configuration
from ibidem.store import Segment, Store
from ibidem.text.token_counts import Counts, count_tokens, merge_counts
from ibidem.weights import DocumentFrequencies

__all__ = ["IndexFrequencies", "count_alive"]


class IndexFrequencies:
    """In how many documents of an index each token stands.

    Attributes:
        given: what weighs the first documents, before the index holds it.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.given: DocumentFrequencies | None = None
        self._held: DocumentFrequencies | None = None
        self._counted: tuple[int, DocumentFrequencies] | None = None  # of a generation

    def of(self, configuration: Configuration) -> DocumentFrequencies | None:
        """Those behind the weights of ``configuration``, that of the index or of a search, if there are any."""
        known = self.known
        if known is not None:
            return known
        # Of weights that the index was built with, they are wanting only while it has not had a document.
        return self._count() if configuration.needs_frequencies else None

    @property
    def known(self) -> DocumentFrequencies | None:
        """Those that the index holds, or was given to hold."""
        held = self._store.frequencies()
        if held is None:
            return self.given
        if self._held is None or self._held.tokens is not held[0]:
            self._held = DocumentFrequencies(*held)
        return self._held

    def _count(self) -> DocumentFrequencies:
        """Count them over the documents of the index; removed ones do not count."""
        if self._counted is None or self._counted[0] != self._store.generation:
            vocabulary, in_documents, _ = merge_counts([count_alive(segment) for segment in self._store.segments])
            documents = sum(int(segment.alive.sum()) for segment in self._store.segments)
            self._counted = self._store.generation, DocumentFrequencies(vocabulary, in_documents, documents)
        return self._counted[1]


def count_alive(segment: Segment) -> Counts:
    """How often each token occurs in the documents of a segment that are not removed."""
    if segment.alive.all():
        return segment.vocabulary()
    bounds = segment.token_bounds
    rows = np.flatnonzero(segment.alive)
    parts = [segment.tokens[bounds[row] : bounds[row + 1]] for row in rows.tolist()]
    lengths = np.diff(bounds)[rows]
    return count_tokens(np.concatenate([np.empty(0, np.uint32), *parts]), np.concatenate(([0], np.cumsum(lengths))))
