"""DocumentIndex: a collection on disk in which the documents that resemble a text are found."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from ibidem import options
from ibidem.collection_index import CollectionIndex
from ibidem.counts import format_count
from ibidem.documents.index_builder import BandedBatch, Bander, DocumentConfiguration, write_segments
from ibidem.documents.index_search import SimilarPairs, find_identical, find_similar
from ibidem.documents.signatures import Shingler, normalize_shingle
from ibidem.errors import ConfigurationError
from ibidem.parallel import in_order, in_threads
from ibidem.resources import Progress, Resources
from ibidem.results import DocumentMatch, DocumentMatches
from ibidem.store import Checksums, Segment, Store, Writer
from ibidem.stored_index import require_checksums, require_functions
from ibidem.text import Collection, Documents, Normalize, Texts, TokenizerSpec, Tokens, as_batches, as_documents

_Batch = TypeVar("_Batch")

_TOGETHER = 256
"""Queries that a thread takes at a time."""


class Nearest(NamedTuple):
    """The document that resembles another most: its id, the resemblance, and whether the texts are the same."""

    document: str
    similarity: float
    exact: bool


class DocumentReport(msgspec.Struct, frozen=True, kw_only=True):
    """A report on the documents added to an index.

    Attributes:
        documents: how many were written.
        seconds: time taken.
        short: ids of those with fewer tokens than a shingle; each is one shingle.
        empty: ids of those without a token; only a query of the same text finds them.
        recovered: what a writer that died had left behind; it has been cleared away.
    """

    documents: int
    seconds: float
    short: list[str]
    empty: list[str]
    recovered: list[str]


class DocumentIndex(CollectionIndex[DocumentReport]):
    """A collection of documents, to be found again by resemblance.

    An index is a folder. ``build`` makes one and ``open`` opens it; ``add`` and ``remove`` change it, one writer at a
    time, while any number of readers keep the state that they opened.

    Attributes:
        path: the folder.
        configuration: what the index was made with.
        last_write: what the last ``build``, ``add`` or ``merge`` of this object wrote.

    >>> import tempfile
    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    >>> index = DocumentIndex.build(tempfile.mkdtemp() + "/index", [("blake", verse)])
    >>> [(match.document, round(match.similarity, 2)) for match in index.search("Tyger, " + verse)]
    [('blake', 0.92)]
    """

    def __init__(self, store: Store, shingler: Shingler) -> None:
        super().__init__(store)
        self.configuration = DocumentConfiguration.read(store.config)
        self._bander = Bander.of(shingler, self.configuration)
        self._files = shingler.keep()[1]
        require_functions(store, self.configuration.banding.bands)

    @classmethod
    def build(
        cls,
        path: str | os.PathLike[str],
        documents: Collection = (),
        *,
        text: str = "text",
        id: str = "id",
        threshold: options.Threshold = 0.8,
        shingle: options.Shingle = "words:5",
        recall: options.PairRecall = 0.99,
        num_hashes: options.SignatureSize = 128,
        seed: options.Seed = 0,
        normalize: Normalize = (),
        memory: str | int = "1G",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> "DocumentIndex":
        """Index ``documents`` into a new folder ``path``, or to a URL.

        Args:
            documents, text, id: as ``deduplicate`` takes them.
            threshold: the least resemblance at which a document is found with probability ``recall`` or more.
            shingle, normalize, num_hashes, seed: as for ``deduplicate``.
            memory: what building may take, such as ``"1G"``.

        Raises:
            IndexExistsError: something is at ``path`` already.
            CorpusError: a document cannot be used, or two have one id; nothing is left behind.
            ValueError: an argument is out of its range.
        """
        resources = Resources.of(memory, threads, progress)
        choices: dict[str, Any] = {"threshold": threshold, "recall": recall, "num_hashes": num_hashes, "seed": seed}
        with cls.begin(path, normalize_shingle(shingle, normalize), **choices) as index:
            index._write(as_batches(documents, text, id), resources)
        return index

    @classmethod
    @contextmanager
    def begin(cls, path: str | os.PathLike[str], shingle: TokenizerSpec, **choices: float) -> Iterator["DocumentIndex"]:
        """Make an empty index, for a block in which nobody else can write to it; a block that fails leaves nothing.

        The ``choices`` and errors are those of ``build``.
        """
        shingler = Shingler(shingle)
        configuration = DocumentConfiguration(shingles=shingler.keep()[0], **choices)  # type: ignore[arg-type] # some are whole numbers
        Bander.of(shingler, configuration)  # refuses what cannot be before anything is written
        with Store.begin(path, msgspec.to_builtins(configuration)) as (store, recovered_files):
            index = cls(store, shingler)
            index._options = {} if isinstance(shingle, str | Mapping) else {"shingle": shingle}
            index._recovered = recovered_files
            yield index

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, shingle: TokenizerSpec | None = None, checksums: Checksums = "lazy"
    ) -> "DocumentIndex":
        """Open the index at ``path``; ``shingle`` only if it was built with a function.

        Args:
            checksums: when files are compared with their checksums; see :meth:`PassageIndex.open`.

        Raises:
            NotAnIndexError, FormatVersionError, DamagedError: the index cannot be read.
            ConfigurationError: it is no index of documents, or the shingles are not those that it was made with.
        """
        require_checksums(checksums)
        store = Store.open(path, checksums)
        try:
            kept_config = DocumentConfiguration.read(store.config).shingles
        except ConfigurationError as error:
            raise ConfigurationError(f"{path}: {error}") from error
        open_options: dict[str, Any] = {} if checksums == "lazy" else {"checksums": checksums}
        if shingle is None:
            index = cls(store, Shingler.restore(kept_config, store.attachment, str(path)))
            index._options = open_options
            return index
        shingler = Shingler(shingle)
        given_config, _ = shingler.keep()
        if given_config != kept_config:
            raise ConfigurationError(f"{path}: made with the shingles {kept_config}, opened with {given_config}")
        index = cls(store, shingler)
        index._options = {**open_options, "shingle": shingle}
        return index

    def __repr__(self) -> str:
        configuration = self.configuration
        kind = f"{format_count(len(self), 'document')}, found from a resemblance of {configuration.threshold} on"
        return f"DocumentIndex({str(self.path)!r}): {kind}"

    def search(self, text: str, *, threshold: float | None = None) -> DocumentMatches:
        """The documents whose resemblance to ``text`` is ``threshold`` or more, most similar first.

        Every similarity is exact. A document that reaches the index's threshold is found with at least its ``recall``.
        A text without a token resembles only the same text, byte for byte.

        Raises:
            ValueError: the threshold is below the index's own.
        """
        (matches,) = self._search_together([text], self._choose_threshold(threshold))
        return matches

    def search_many(
        self,
        texts: Collection,
        *,
        text: str = "text",
        id: str = "id",
        threads: int | None = None,
        threshold: float | None = None,
    ) -> list[DocumentMatches]:
        """The matches that ``search`` returns for each of ``texts``, faster than one by one.

        Args:
            texts: the queries, in any form in which ``build`` takes documents.
            text, id: the columns of a table, or the keys of mappings, that hold the text and the id of a query.
            threads: as many as the machine has cores if not given. The results do not depend on it.
            threshold: that of ``search``.
        """
        queries = [query.text for query in as_documents(texts, text, id)]
        parts = (queries[first : first + _TOGETHER] for first in range(0, len(queries), _TOGETHER))
        work = partial(self._search_together, threshold=self._choose_threshold(threshold))
        return [matches for part in in_threads(work, parts, threads) for matches in part]

    def _search_together(self, texts: Sequence[str], threshold: float) -> list[DocumentMatches]:
        matches: list[list[DocumentMatch]] = [[] for _ in texts]
        for segment, near in self._find_resembling(Texts.from_strings(texts), threshold):
            for query, row, similarity in zip(*(column.tolist() for column in near), strict=True):
                match = DocumentMatch(
                    document=segment.document_id(row), similarity=similarity, metadata=segment.metadata_if_readable(row)
                )
                matches[query].append(match)
        return [
            DocumentMatches(sorted(column, key=lambda match: (-match.similarity, match.document))) for column in matches
        ]

    def nearest(self, documents: Documents, *, threshold: float | None = None) -> list[Nearest | None]:
        """For each of a batch, the most similar document of the index, if there is one that reaches the threshold."""
        best: list[Nearest | None] = [None] * len(documents.ids)
        for segment, near in self._find_resembling(documents.texts, self._choose_threshold(threshold)):
            for query, row, similarity in zip(*(column.tolist() for column in near), strict=True):
                best_match = best[query]
                if best_match is None or similarity >= best_match.similarity:
                    document = segment.document_id(row)
                    if best_match is None or similarity > best_match.similarity or document < best_match.document:
                        exact = similarity == 1 and segment.text(row) == documents.texts[query]
                        best[query] = Nearest(document, similarity, exact)
        return best

    def _choose_threshold(self, threshold: float | None) -> float:
        least = self.configuration.threshold
        if threshold is not None and not least <= threshold <= 1:
            raise ValueError(f"this index finds documents from a resemblance of {least} on, not from {threshold}")
        return least if threshold is None else threshold

    def _find_resembling(self, texts: Texts, threshold: float) -> Iterator[tuple[Segment, SimilarPairs]]:
        self._store.require_whole()
        tokens, bands = self._bander(texts)
        for segment in self._store.segments:
            similar = find_similar(segment, tokens, bands, self._bander.shingles, threshold)
            yield segment, similar.join(find_identical(segment, texts, tokens))

    def _append(self, writer: Writer, batches: Iterator[Documents], resources: Resources) -> DocumentReport:
        return self._write_batches(writer, batches, self._bander.band, self.ids(), resources)

    def _rewrite(
        self, writer: Writer, batches: Iterator[tuple[Documents, Tokens]], resources: Resources
    ) -> DocumentReport:
        return self._write_batches(writer, batches, self._bander.band_again, set(), resources)

    def _write_batches(
        self,
        writer: Writer,
        batches: Iterator[_Batch],
        band: Callable[[_Batch], BandedBatch],
        known_ids: set[str],
        resources: Resources,
    ) -> DocumentReport:
        """Write ``batches`` with their bands, and report on them."""
        start = time.perf_counter()
        with resources.pool() as pool:
            banded_batches = in_order(pool, band, batches, resources.workers + 1)
            ids, lengths = write_segments(writer, banded_batches, known_ids, resources)
        short_rows = np.flatnonzero((lengths > 0) & (lengths < self._bander.shingles.width))
        return DocumentReport(
            documents=len(ids),
            seconds=time.perf_counter() - start,
            short=[ids[row] for row in short_rows],
            empty=[ids[row] for row in np.flatnonzero(lengths == 0)],
            recovered=list(writer.recovered),
        )
