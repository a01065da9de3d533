"""The document frequencies behind the weights of an index: those that it was given, holds, or counts when asked."""

from ibidem.passages.configuration import Configuration
from ibidem.store import Store
from ibidem.text.token_counts import merge_counts
from ibidem.weights import DocumentFrequencies


class IndexFrequencies:
    """In how many documents of an index each token occurs.

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
        frequencies = self.known
        if frequencies is not None:
            return frequencies
        # Of weights that the index was built with, they are wanting only while it has not had a document.
        return self._count() if configuration.needs_frequencies else None

    @property
    def known(self) -> DocumentFrequencies | None:
        """Those that the index holds, or was given to hold."""
        counts = self._store.frequencies()
        if counts is None:
            return self.given
        if self._held is None or self._held.tokens is not counts[0]:
            self._held = DocumentFrequencies(*counts)
        return self._held

    def _count(self) -> DocumentFrequencies:
        """Count them over the documents of the index; removed ones do not count."""
        if self._counted is None or self._counted[0] != self._store.generation:
            vocabulary, in_documents, _ = merge_counts([segment.alive_vocabulary() for segment in self._store.segments])
            documents = sum(int(segment.alive.sum()) for segment in self._store.segments)
            self._counted = self._store.generation, DocumentFrequencies(vocabulary, in_documents, documents)
        return self._counted[1]
