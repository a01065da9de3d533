"""DocumentIndex: a collection on disk in which the documents that resemble a text are found."""

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.documents.bands import Bander, DocumentConfiguration, write_segments
from ibidem.documents.lookup import Resembling, lookup
from ibidem.documents.signatures import Shingler
from ibidem.errors import ConfigurationError, LockedError
from ibidem.parallel import in_order
from ibidem.resources import Progress, memory_bytes
from ibidem.store import Segment, Store
from ibidem.store.collection import begun, living_ids, remove_documents
from ibidem.store.sizing import crowded_segments, segment_tokens
from ibidem.text import Documents, Texts, as_batches

__all__ = ["DocumentIndex", "DocumentMatch", "Nearest"]


class DocumentMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A document that resembles a query.

    Attributes:
        document: its id.
        similarity: exact resemblance of the sets of shingles.
        metadata: the other columns of the document's record.
    """

    document: str
    similarity: float
    metadata: dict[str, Any] = msgspec.field(default_factory=dict)


class Nearest(NamedTuple):
    """The document that resembles another most: its id, the resemblance, and whether the texts are the same."""

    document: str
    similarity: float
    exact: bool


class DocumentReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was added to an index.

    Attributes:
        documents: how many were written.
        seconds: time taken.
        short: ids of those with fewer tokens than a shingle; each is one shingle.
        empty: ids of those without a token; they are stored, but no query finds them.
        recovered: what a writer that died had left behind; it has been cleared away.
    """

    documents: int
    seconds: float
    short: list[str]
    empty: list[str]
    recovered: list[str]


class DocumentIndex:
    """A collection of documents, to be found again by resemblance.

    An index is a folder, with the same guarantees as a ``PassageIndex``: one writer at a time, any number of readers,
    and each commit is one instant.

    >>> import tempfile
    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    >>> index = DocumentIndex.build(tempfile.mkdtemp() + "/index", [("blake", verse)])
    >>> [(match.document, round(match.similarity, 2)) for match in index.query("Tyger, " + verse)]
    [('blake', 0.92)]
    """

    def __init__(self, store: Store, shingler: Shingler) -> None:
        self._store = store
        self.path = Path(store.path)
        self.configuration = DocumentConfiguration.read(store.config)
        self.report: DocumentReport | None = None
        self._workers = os.cpu_count() or 1
        self._bander = Bander.of(shingler, self.configuration)

    @classmethod
    def build(
        cls,
        path: str | os.PathLike[str],
        documents: Iterable[Any] = (),
        *,
        threshold: float = 0.8,
        shingle: Any = "words:5",
        recall: float = 0.99,
        functions: int = 128,
        seed: int = 0,
        memory: str | int = "1G",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> "DocumentIndex":
        """Index ``documents`` into a new folder ``path``.

        Args:
            documents: as ``deduplicate`` takes them.
            threshold: the least resemblance at which a document is found with probability ``recall`` or more.
            shingle, functions, seed: as for ``deduplicate``.
            memory: what building may take, such as ``"1G"``.

        Raises:
            IndexExistsError: something stands at ``path``.
            CorpusError: a document cannot be used, or two have one id; nothing is left behind.
            ValueError: an argument that makes no sense.
        """
        shingler = Shingler(shingle)
        configuration = DocumentConfiguration(
            shingles=shingler.config, threshold=threshold, recall=recall, functions=functions, seed=seed
        )
        Bander.of(shingler, configuration)  # refuses what cannot be before anything is written
        budget = memory_bytes(memory)
        store, recovered = begun(Path(path), msgspec.to_builtins(configuration))
        try:
            index = cls(store, shingler)
            index._write(documents, budget, threads, progress, recovered)
        except LockedError:  # another process took the path as soon as it was made; what stands there is its own
            store.close()
            raise
        except BaseException:
            store.close()
            shutil.rmtree(path, ignore_errors=True)
            raise
        return index

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, shingle: Any = None) -> "DocumentIndex":
        """Open the index at ``path``; ``shingle`` only if it was built with a function.

        Raises:
            NotAnIndexError, FormatVersionError, DamagedError: what stands there cannot be read.
            ConfigurationError: it is no index of documents, or the shingles are not those that it was made with.
        """
        store = Store.open(path)
        try:
            expected = DocumentConfiguration.read(store.config).shingles
        except ConfigurationError as error:
            raise ConfigurationError(f"{path}: {error}") from error
        shingler = Shingler(expected if shingle is None else shingle)
        if shingler.config != expected:
            raise ConfigurationError(f"{path}: made with the shingles {expected}, opened with {shingler.config}")
        return cls(store, shingler)

    def add(
        self,
        documents: Iterable[Any],
        *,
        memory: str | int = "1G",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> DocumentReport:
        """Add ``documents``; an id that the index has already is an error, and nothing is added then."""
        budget = memory_bytes(memory)
        report = self._write(documents, budget, threads, progress)
        while crowded := crowded_segments(self._store.segments, segment_tokens(budget)):
            self._merge(crowded, budget, threads, progress)
        return report

    def remove(self, ids: Iterable[str]) -> list[str]:
        """Remove documents by id; they are no longer found, and merging frees their space.

        Raises:
            CorpusError: no document has one of the ids; nothing is removed.
        """
        return remove_documents(self._store, ids)

    def merge(
        self, *, memory: str | int = "1G", threads: int | None = None, progress: Progress | None = None
    ) -> DocumentReport | None:
        """Write all segments as one, without the removed documents; ``None`` if there is nothing to gain."""
        return self._merge(None, memory_bytes(memory), threads, progress)

    def check(self) -> list[str]:
        """Read every byte of the index and compare it with its checksum: the problems, none if all is well."""
        return [str(problem) for problem in self._store.check().problems]

    def query(self, text: str, *, threshold: float | None = None) -> list[DocumentMatch]:
        """The documents whose resemblance to ``text`` is ``threshold`` or more, most similar first.

        Each was compared exactly; each that reaches the index's own threshold is found with its ``recall`` at least.

        Raises:
            ValueError: a threshold below the index's own, at which it was not made to find documents.
        """
        (matches,) = self.query_all([text], threshold=threshold)
        return matches

    def query_all(self, texts: Sequence[str], *, threshold: float | None = None) -> list[list[DocumentMatch]]:
        """What ``query`` gives for each of ``texts``, faster than one by one."""
        found: list[list[DocumentMatch]] = [[] for _ in texts]
        if isinstance(texts, str):
            raise TypeError("texts are given as a list, not as one string")
        for segment, near in self._resembling(Texts.from_strings(texts), self._checked(threshold)):
            for query, row, similarity in zip(*(each.tolist() for each in near), strict=True):
                match = DocumentMatch(
                    document=segment.document_id(row), similarity=similarity, metadata=segment.metadata(row)
                )
                found[query].append(match)
        return [sorted(each, key=lambda match: (-match.similarity, match.document)) for each in found]

    def nearest(self, documents: Documents, *, threshold: float | None = None) -> list[Nearest | None]:
        """For each of a batch, the most similar document of the index, if there is one that reaches the threshold."""
        best: list[Nearest | None] = [None] * len(documents.ids)
        for segment, near in self._resembling(documents.texts, self._checked(threshold)):
            for query, row, similarity in zip(*(each.tolist() for each in near), strict=True):
                held = best[query]
                if held is None or similarity >= held.similarity:
                    document = segment.document_id(row)
                    if held is None or similarity > held.similarity or document < held.document:
                        exact = similarity == 1 and segment.text(row) == documents.texts[query]
                        best[query] = Nearest(document, similarity, exact)
        return best

    @property
    def generation(self) -> int:
        """How many commits led to this."""
        return self._store.generation

    def ids(self) -> set[str]:
        """The ids of all documents."""
        return living_ids(self._store)

    def info(self) -> dict[str, Any]:
        """What the index holds, how it was made, and the bytes that each part takes."""
        return {
            "path": str(self.path),
            "configuration": self._store.config,
            "fingerprint": self._store.fingerprint,
            "format": self._store.format_version,
            "generation": self._store.generation,
            "segments": len(self._store.segments),
            "documents": len(self),
            "removed": sum(int((~segment.alive).sum()) for segment in self._store.segments),
            "tokens": sum(segment.num_tokens for segment in self._store.segments),
            "postings": sum(segment.num_postings for segment in self._store.segments),
            "bytes": self._store.sizes(),
        }

    def __len__(self) -> int:
        return sum(int(segment.alive.sum()) for segment in self._store.segments)

    def close(self) -> None:
        """Let go of the files."""
        self._store.close()

    def __enter__(self) -> "DocumentIndex":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _checked(self, threshold: float | None) -> float:
        least = self.configuration.threshold
        if threshold is not None and not least <= threshold <= 1:
            raise ValueError(f"this index finds documents from a resemblance of {least} on, not from {threshold}")
        return least if threshold is None else threshold

    def _resembling(self, texts: Texts, threshold: float) -> Iterator[tuple[Segment, Resembling]]:
        tokens, bands = self._bander(texts)
        for segment in self._store.segments:
            yield segment, lookup(segment, tokens, bands, self._bander.width, threshold)

    def _write(
        self,
        documents: Iterable[Any],
        memory: int,
        threads: int | None,
        progress: Progress | None,
        recovered: Iterable[str] = (),
    ) -> DocumentReport:
        workers, started = threads or self._workers, time.perf_counter()
        with self._store.writer() as writer, ThreadPoolExecutor(workers) as pool:
            writer.recovered.extend(recovered)
            banded = in_order(pool, self._bander.banded, as_batches(documents), workers + 1)
            written = write_segments(writer, banded, living_ids(self._store), segment_tokens(memory), progress)
            writer.commit()
            self.report = self._reported(*written, list(writer.recovered), started)
        return self.report

    def _merge(
        self, chosen: list[Segment] | None, memory: int, threads: int | None, progress: Progress | None
    ) -> DocumentReport | None:
        """Write the living documents of the ``chosen`` segments, of all if ``None``, as one segment in their place."""
        workers, started = threads or self._workers, time.perf_counter()
        with self._store.writer() as writer, ThreadPoolExecutor(workers) as pool:
            names = {segment.name for segment in (self._store.segments if chosen is None else chosen)}
            old = [segment for segment in self._store.segments if segment.name in names]
            if len(old) <= 1 and all(segment.alive.all() for segment in old):
                return None
            batches = (batch for segment in old for batch in segment.batches())
            banded = in_order(pool, self._bander.again, batches, workers + 1)
            written = write_segments(writer, banded, set(), segment_tokens(memory), progress)
            for segment in old:
                writer.drop(segment.name)
            writer.commit()
        return self._reported(*written, [], started)

    def _reported(
        self, ids: list[str], lengths: NDArray[np.int64], recovered: list[str], started: float
    ) -> DocumentReport:
        short = np.flatnonzero((lengths > 0) & (lengths < self._bander.width))
        return DocumentReport(
            documents=len(ids),
            seconds=time.perf_counter() - started,
            short=[ids[row] for row in short],
            empty=[ids[row] for row in np.flatnonzero(lengths == 0)],
            recovered=recovered,
        )
