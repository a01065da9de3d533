"""The base of all indexes: a collection of documents on disk, to which documents are added and removed by id.

The help of a command reads this file, so what is costly to load is loaded where it is used.
"""

import os
import warnings
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from ibidem.remote.storage import is_remote
from ibidem.resources import Closing, Progress, Resources

if TYPE_CHECKING:
    from ibidem.store import Segment, Store, Writer
    from ibidem.stored_index import BuildReport
    from ibidem.text import Collection, Documents, Tokens


def _open_again(kind: Any, path: str, options: dict[str, Any]) -> Any:
    return kind.open(path, **options)


class CollectionIndex(Closing):
    """A collection of documents in a folder, with one configuration for all of them.

    One writer at a time changes it, while any number of readers keep the state that they opened; each commit is
    one instant. Each kind of index decides what is written of the documents.

    Attributes:
        path: the folder, as it was given.
        last_write: what the last build, addition or merge of this object wrote; ``None`` before.
    """

    def __init__(self, store: "Store") -> None:
        self._store = store
        self.path = store.given
        self.last_write: BuildReport | None = None
        self._recovered: list[str] = []  # what was cleared away where the index was made
        self._options: dict[str, Any] = {}  # those of ``open``, where they are not the defaults
        self._files: tuple[bytes, ...] = ()  # those of the tokenizer, which the index keeps

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the path or URL and the options of ``open``: a copy is opened anew, at the last commit."""
        origin = self._store.origin
        place = origin if is_remote(origin) else os.path.abspath(origin)
        return _open_again, (type(self), place, self._options)

    @property
    def _token_bytes(self) -> int:
        """Memory that a token of a segment takes while the segment is built."""
        from ibidem.store.sizing import TOKEN_BYTES

        return TOKEN_BYTES

    @abstractmethod
    def _append(self, writer: "Writer", batches: "Iterator[Documents]", resources: Resources) -> "BuildReport":
        """Write new documents as segments."""

    @abstractmethod
    def _rewrite(
        self, writer: "Writer", batches: "Iterator[tuple[Documents, Tokens]]", resources: Resources
    ) -> "BuildReport":
        """Write documents that segments hold already as segments."""

    def add(
        self,
        documents: "Collection",
        *,
        text: str = "text",
        id: str = "id",
        memory: str | int = "1G",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> "BuildReport":
        """Add ``documents`` under the choices that the index was built with; return a report.

        Every addition is a segment; when many of one size have gathered they are merged. If that fails, the addition
        remains, and a warning says so.

        Raises:
            CorpusError: a document cannot be used, or has an id that another has; nothing is added.
            LockedError: another writer is active.
        """
        from ibidem.text import as_batches

        resources = Resources.of(memory, threads, progress)
        report = self._write(as_batches(documents, text, id), resources)
        try:
            self._merge_crowded(resources)
        except BaseException as error:
            warnings.warn(
                f"{self.path}: the documents were added, but merging small segments failed: {error or repr(error)}; "
                "do not add them again",
                stacklevel=2,
            )
            if not isinstance(error, Exception):
                raise
        return report

    def hold(self) -> AbstractContextManager[None]:
        """Lock out all other writers for a block, and update this index to its last committed state.

        Raises (on entering):
            LockedError: another writer is active.
        """
        return self._store.hold()

    def remove(self, ids: Iterable[str]) -> list[str]:
        """Remove documents by id; those that are named are no longer found, and merging frees their space.

        Gives the ids, each once.

        Raises:
            CorpusError: no document has one of the ids; nothing is removed.
            LockedError: another writer is active.
        """
        from ibidem.stored_index import remove_documents

        return remove_documents(self._store, ids)

    def merge(
        self, *, memory: str | int = "1G", threads: int | None = None, progress: Progress | None = None
    ) -> "BuildReport | None":
        """Write all segments as one, or as few as ``memory`` allows, without the removed documents.

        Gives ``None`` if there is nothing to gain.

        Raises:
            LockedError: another writer is active.
        """
        report = self._merge(None, Resources.of(memory, threads, progress))
        self.last_write = report or self.last_write
        return report

    def check(self) -> list[str]:
        """Read every byte of the index and compare it with its checksum: the problems, none if all is well."""
        return [str(problem) for problem in self._store.check().problems]

    def ids(self) -> set[str]:
        """The ids of all documents."""
        return {
            document_id
            for segment in self._store.segments
            for document_id, alive in zip(segment.document_ids(), segment.alive, strict=True)
            if alive
        }

    @property
    def segments(self) -> "Sequence[Segment]":
        """The parts of the index in its current state, to read."""
        return self._store.segments

    @property
    def generation(self) -> int:
        """The number of commits up to this state."""
        return self._store.generation

    def info(self) -> dict[str, Any]:
        """The contents of the index, how it was made, and the bytes that each part takes."""
        segments = self._store.segments
        return {
            "path": str(self.path),
            "configuration": self._store.config,
            "fingerprint": self._store.fingerprint,
            "format": self._store.format_version,
            "generation": self.generation,
            "segments": len(segments),
            "documents": len(self),
            "removed": sum(int((~segment.alive).sum()) for segment in segments),
            "tokens": sum(segment.num_tokens for segment in segments),
            "postings": sum(segment.num_postings for segment in segments),
            "bytes": self._store.sizes(),
        }

    def __len__(self) -> int:
        return sum(int(segment.alive.sum()) for segment in self._store.segments)

    def close(self) -> None:
        """Close the files."""
        self._store.close()

    def _write(self, documents: "Iterator[Documents]", resources: Resources) -> "BuildReport":
        """Add ``documents`` in one commit."""
        with self._store.writer() as writer:
            writer.recovered.extend(self._recovered)
            self._recovered = []
            for data in self._files:
                writer.attach(data)
            self.last_write = self._append(writer, documents, resources)
            writer.commit()
        return self.last_write

    def _merge_crowded(self, resources: Resources) -> None:
        from ibidem.store.sizing import crowded_segments, segment_tokens

        most = segment_tokens(resources.memory, self._token_bytes)
        while segments := crowded_segments(self._store.segments, most):
            self._merge(segments, resources)

    def _merge(self, segments: "list[Segment] | None", resources: Resources) -> "BuildReport | None":
        """Write the living documents of ``segments``, of all if ``None``, as one segment in their place."""
        with self._store.writer() as writer:
            names = {segment.name for segment in (self._store.segments if segments is None else segments)}
            old = [segment for segment in self._store.segments if segment.name in names]
            if len(old) <= 1 and all(segment.alive.all() for segment in old):
                return None
            for segment in old:
                segment.require_sound()  # damage would get a checksum of its own
            report = self._rewrite(writer, (batch for segment in old for batch in segment.batches()), resources)
            for segment in old:
                writer.drop(segment.name)
            writer.commit()
        return report
