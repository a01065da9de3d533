"""The base of all indexes: a collection of documents on disk, to which documents are added and removed by id."""

import os
import warnings
from abc import abstractmethod
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Generic, TypeVar, get_args

import msgspec
import numpy as np

from ibidem.errors import ConfigurationError, CorpusError, DamagedError
from ibidem.remote.storage import is_remote
from ibidem.resources import Closing, Progress, Resources
from ibidem.store.segments.columns import Checksums
from ibidem.store.segments.segment import Segment
from ibidem.store.sizing import TOKEN_BYTES, crowded_segments, segment_tokens
from ibidem.store.store import Store
from ibidem.store.writer import Writer
from ibidem.text import (
    Collection,
    Documents,
    Tokenizer,
    TokenizerSpec,
    Tokens,
    as_batches,
    keep_tokenizer,
    make_tokenizer,
    restore_tokenizer,
)

_Report = TypeVar("_Report")
_Configuration = TypeVar("_Configuration", bound=msgspec.Struct)


def _open_again(kind: Any, path: str, options: dict[str, Any]) -> Any:
    return kind.open(path, **options)


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report of what a write added to an index of passages.

    Attributes:
        documents, tokens, postings: how many were written.
        short: ids of the documents that have fewer tokens than the shortest passage, in order. They are stored, but
            no search finds them.
        recovered: what an interrupted writer had left behind, and this one cleared away.
        seconds: time taken.
    """

    documents: int
    tokens: int
    postings: int
    short: list[str]
    recovered: list[str]
    seconds: float


class CollectionIndex(Closing, Generic[_Report]):
    """A collection of documents in a folder, with one configuration for all of them.

    One writer at a time changes it, while any number of readers keep the state that they opened; each commit is
    one instant. Each kind of index decides what is written of the documents.

    Attributes:
        path: the folder, as it was given.
        last_write: what the last build, addition or merge of this object wrote; ``None`` before.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.path = store.given
        self.last_write: _Report | None = None
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
        return TOKEN_BYTES

    @abstractmethod
    def _append(self, writer: Writer, batches: Iterator[Documents], resources: Resources) -> _Report:
        """Write new documents as segments."""

    @abstractmethod
    def _rewrite(self, writer: Writer, batches: Iterator[tuple[Documents, Tokens]], resources: Resources) -> _Report:
        """Write documents that segments hold already as segments."""

    def add(
        self,
        documents: Collection,
        *,
        text: str = "text",
        id: str = "id",
        memory: str | int = "1G",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> _Report:
        """Add ``documents`` under the choices that the index was built with; return a report.

        Every addition is a segment; when many of one size have gathered they are merged. If that fails, the addition
        remains, and a warning says so.

        Raises:
            CorpusError: a document cannot be used, or has an id that another has; nothing is added.
            LockedError: another writer is active.
        """
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
        return _remove_documents(self._store, ids)

    def merge(
        self, *, memory: str | int = "1G", threads: int | None = None, progress: Progress | None = None
    ) -> _Report | None:
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
    def segments(self) -> Sequence[Segment]:
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

    def _write(self, documents: Iterator[Documents], resources: Resources) -> _Report:
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
        most = segment_tokens(resources.memory, self._token_bytes)
        while segments := crowded_segments(self._store.segments, most):
            self._merge(segments, resources)

    def _merge(self, segments: list[Segment] | None, resources: Resources) -> _Report | None:
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


def place_documents(segments: Iterable[Segment], ids: Container[str] | None = None) -> dict[str, tuple[Segment, int]]:
    """The segment and the row of each document that is not removed, by id; with ``ids``, of these alone."""
    return {
        document_id: (segment, row)
        for segment in segments
        for row, (document_id, alive) in enumerate(zip(segment.document_ids(), segment.alive, strict=True))
        if alive and (ids is None or document_id in ids)
    }


def _remove_documents(store: Store, ids: Iterable[str]) -> list[str]:
    if isinstance(ids, str):
        raise TypeError(f"ids are given as a list or another iterable, not as one string: [{ids!r}]")
    id_set = dict.fromkeys(ids)
    with store.writer() as writer:
        places = place_documents(store.segments, id_set)
        missing = [document_id for document_id in id_set if document_id not in places]
        if missing:
            raise CorpusError(f"no document has the id {', '.join(map(repr, missing[:10]))}; nothing was removed")
        rows: dict[str, list[int]] = {}
        for document_id in id_set:
            segment, row = places[document_id]
            rows.setdefault(segment.name, []).append(row)
        writer.remove({name: np.array(segment_rows, np.int64) for name, segment_rows in rows.items()})
        writer.commit()
    return list(id_set)


def read_configuration(configuration_type: type[_Configuration], config: dict[str, Any]) -> _Configuration:
    """Convert the stored configuration of an index to that of one kind of index.

    Raises:
        ConfigurationError: it is that of another kind of index, or of another version of ibidem.
    """
    defaults = {field.name: field.default for field in msgspec.structs.fields(configuration_type)}
    kind_of_type, kind = (values.get("kind", "passages") for values in (defaults, config))
    if kind != kind_of_type:
        raise ConfigurationError(
            f"an index of {kind}, not of {kind_of_type}: open it as one, or build one of {kind_of_type}"
        )
    try:
        return msgspec.convert(config, configuration_type)
    except (msgspec.ValidationError, ValueError) as error:
        raise ConfigurationError(
            "the index was built by another version of ibidem, whose configuration this one does not read: build it "
            f"again ({error})"
        ) from error


def open_tokenizer(store: Store, config: dict[str, Any], spec: TokenizerSpec | None) -> Tokenizer:
    """The tokenizer of an index, whose configuration is ``config``: restored, or made of ``spec`` if that is given.

    Raises:
        ConfigurationError: it cannot be restored, or ``spec`` is not what the index was made with.
    """
    if spec is None:
        return restore_tokenizer(config, store.attachment, str(store.given))
    tokenizer = make_tokenizer(spec)
    given_config, _ = keep_tokenizer(tokenizer)
    if given_config != config:
        raise ConfigurationError(f"{store.given}: made with the tokenizer {config}, opened with {given_config}")
    return tokenizer


def require_checksums(checksums: str) -> None:
    """Raise a ``ValueError`` unless this says when files are compared with their checksums."""
    if checksums not in get_args(Checksums):
        raise ValueError(f"checksums is one of {', '.join(get_args(Checksums))}, not {checksums!r}")


def require_functions(store: Store, functions: int) -> None:
    """Refuse an index whose segments have the postings of another number of functions than it was made with.

    Raises:
        DamagedError: names the segment; its configuration and its postings cannot both be right.
    """
    for segment in store.segments:
        if segment.num_functions != functions:
            raise DamagedError(
                f"{store.given}: the index has {functions} functions, and its segment {segment.name} has "
                f"{segment.num_functions}: a file was altered"
            )


def require_offsets(store: Store) -> None:
    """Refuse an index of passages whose segments lack the places of their tokens.

    Raises:
        DamagedError: names the segment; every build writes it.
    """
    for segment in store.segments:
        if not segment.has_offsets:
            raise DamagedError(
                f"{store.given}: segment {segment.name} does not say where its tokens are: a file was altered"
            )


def require_new(ids: list[str], known_ids: set[str]) -> None:
    """Add ``ids`` to ``known_ids``.

    Raises:
        CorpusError: one of them is known already, or occurs twice among them.
    """
    for document_id in ids:
        if document_id in known_ids:
            raise CorpusError(
                f"document id {document_id!r} occurs twice: ids name documents, so give each its own, "
                "or remove the old document first"
            )
        known_ids.add(document_id)
