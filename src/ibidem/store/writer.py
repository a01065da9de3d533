"""The one writer of an index: it writes new files beside the old ones, then replaces the manifest.

Until the manifest is replaced, no new file belongs to the index, and no file of the last commit is changed or removed.
A writer that fails or dies at any instant therefore leaves the last commit intact, and perhaps files that nobody needs.
"""

import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem.errors import StoreError
from ibidem.store.files.columns import write_column
from ibidem.store.files.lock import WriterLock
from ibidem.store.format import (
    ATTACHMENTS,
    FREQUENCIES,
    FREQUENCY_COLUMNS,
    MAX_ATTACHMENT_BYTES,
    PARTIAL,
    SEGMENTS,
    TOMBSTONE_COLUMN,
    TOMBSTONES,
    segment_name,
    tombstone_name,
)
from ibidem.store.leftovers import sweep
from ibidem.store.manifest import (
    Attachment,
    FrequenciesEntry,
    Manifest,
    RemovedDocuments,
    SegmentEntry,
    compute_checksum,
    put_manifest,
    read_manifest,
    sign_manifest,
)
from ibidem.store.segments.copy import SegmentCopy
from ibidem.store.segments.segment import Segment, read_removed
from ibidem.store.segments.writer import SegmentWriter
from ibidem.system import disk

Send = Callable[[Manifest, Manifest], None]
"""Sends the files of a manifest (the first argument), which are on disk, and it in place of the second, to a URL."""


class Writer:
    """Writes to an index, inside a ``with`` block; obtained from ``Store.writer``.

    Nothing becomes part of the index before ``commit``, which may be called more than once. Leaving the block discards
    whatever was not committed.

    Attributes:
        recovered: the files that an earlier writer left when it died; they have been removed.
    """

    def __init__(
        self, path: Path, adopt: Callable[[Manifest], None], lock: WriterLock, send: Send | None = None
    ) -> None:
        self.path = path
        self.recovered: list[str] = []
        self._adopt = adopt
        self._send = send
        self._lock = lock
        self._holding = ExitStack()
        self._state = "not entered"
        self._segments: list[SegmentWriter | SegmentCopy] = []
        self._removals: dict[str, NDArray[np.uint32]] = {}
        self._dropped: set[str] = set()
        self._attached: dict[str, bytes] = {}
        self._frequencies: tuple[NDArray[np.uint32], NDArray[np.uint32], int] | None = None

    def __enter__(self) -> "Writer":
        if self._state != "not entered":
            raise ValueError("a writer can be used for one `with` block only: ask the store for another writer")
        self._holding.enter_context(self._lock.lend())
        try:
            self._manifest = read_manifest(self.path)
            self._next_segment = self._manifest.next_segment
            # Make the manifest durable before the files that it does not need are removed: if a crash brought back the
            # manifest before it, those files would be needed again.
            disk.sync_folder(self.path)
            self.recovered = sweep(self.path, self._manifest)
            self._adopt(self._manifest)
            self._state = "open"
        finally:
            if self._state != "open":
                self._holding.close()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if self._state == "open":
                self._abort()
        finally:
            self._state = "closed"
            self._holding.close()

    def new_segment(self) -> SegmentWriter:
        """An empty segment to write documents to. ``commit`` makes it part of the index, unless it is still empty."""
        self._require_open()
        disk.make_folder(self.path / SEGMENTS)
        name = segment_name(self._next_segment)
        self._next_segment += 1
        segment = SegmentWriter(self.path / SEGMENTS, name)
        self._segments.append(segment)
        return segment

    def copy_segment(self, segment: Segment) -> None:
        """Copy a whole segment from another index. Its files are linked where the file system can do that."""
        self._require_open()
        disk.make_folder(self.path / SEGMENTS)
        name = segment_name(self._next_segment)
        self._next_segment += 1
        self._segments.append(SegmentCopy(segment, self.path / SEGMENTS, name))

    def remove(self, documents: Mapping[str, ArrayLike]) -> None:
        """Remove documents, given as a mapping from the name of a segment to the rows of the documents in it.

        Raises:
            ValueError: the index has no segment of that name, or the segment has no such row.
        """
        self._require_open()
        for name, rows in documents.items():
            entry = self._entry(name)
            distinct_rows = np.unique(np.asarray(rows))
            if distinct_rows.size and not np.issubdtype(distinct_rows.dtype, np.integer):
                raise ValueError(f"rows of documents must be integers, not {distinct_rows.dtype}")
            if distinct_rows.size and not 0 <= int(distinct_rows[0]) <= int(distinct_rows[-1]) < entry.documents:
                raise ValueError(f"segment {name} has rows 0 to {entry.documents - 1}, not all of those given")
            before = self._removals.get(name)
            before = read_removed(self.path, entry) if before is None else before
            self._removals[name] = np.union1d(before, distinct_rows.astype(np.uint32)).astype(np.uint32)

    def drop(self, segment: str) -> None:
        """Take a whole segment out of the index, as a merge does once it has written the documents to a new one."""
        self._require_open()
        self._dropped.add(self._entry(segment).name)

    def put_frequencies(self, tokens: NDArray[np.uint32], counts: NDArray[np.uint32], num_documents: int) -> None:
        """Give the index its document frequencies. This can be done only once: the keys of postings may depend on them.

        Raises:
            ValueError: the index already has frequencies, the arrays differ in length, the tokens are not strictly
                ascending, an array is not uint32, or the number of documents is negative.
        """
        self._require_open()
        if self._manifest.frequencies is not None or self._frequencies is not None:
            raise ValueError(f"{self.path}: the document frequencies of an index cannot be replaced")
        if tokens.dtype != np.uint32 or counts.dtype != np.uint32 or tokens.shape != counts.shape or tokens.ndim != 1:
            raise ValueError("tokens and counts must be uint32 arrays of the same length")
        if (tokens[1:] <= tokens[:-1]).any():
            raise ValueError("the tokens of document frequencies must be strictly ascending")
        if num_documents < 0:
            raise ValueError(f"num_documents must not be negative, but is {num_documents}")
        self._frequencies = (tokens, counts, num_documents)

    def attach(self, data: bytes) -> str:
        """Keep the contents of a file that the configuration refers to. Returns their checksum, which names the file.

        Raises:
            ValueError: it is too large.
        """
        self._require_open()
        if len(data) > MAX_ATTACHMENT_BYTES:
            raise ValueError(f"an attached file may have at most {MAX_ATTACHMENT_BYTES:,} bytes, not {len(data):,}")
        checksum = compute_checksum(data)
        if checksum not in {attachment.checksum for attachment in self._manifest.attachments}:
            self._attached[checksum] = data
        return checksum

    def commit(self) -> None:
        """Make everything that was written part of the index at one instant. Returns when it is safely on disk.

        If a commit fails before that instant, the index is as it was. A failure after it does not undo the commit.
        Either way, an error closes the writer. If only the old files cannot be removed, there is a warning instead, and
        the next writer tries again.

        Raises:
            StoreError: the commit took effect, but this store could not be brought to the new state, or the disk did
                not confirm the write.
        """
        self._require_open()
        try:
            following = self._prepare()
            for segment in self._segments:
                segment.close()
            if following is not None:
                self._manifest = self._replace_manifest(following)
            self._clear()
            self._adopt(self._manifest)
        except BaseException:
            self._abort()
            raise
        try:
            sweep(self.path, self._manifest)
        except (OSError, StoreError) as error:
            warnings.warn(
                f"{self.path}: the commit is complete, but what it has replaced could not be removed: {error}; the "
                "next writer will try again",
                stacklevel=2,
            )

    def _replace_manifest(self, following: Manifest) -> Manifest:
        """Replace the manifest on disk. This is the commit, unless it is sent to a URL: that comes first."""
        following = sign_manifest(following)
        if self._send is not None:
            self._send(following, self._manifest)
        try:
            put_manifest(self.path, following)
            return following
        except OSError as error:
            if read_manifest(self.path).generation != following.generation:
                raise
            raise StoreError(
                f"{self.path}: the commit is complete, but the disk has not confirmed it: {error.strerror or error}; "
                "do not write the same again, and check the disk"
            ) from error

    def _clear(self) -> None:
        self._segments.clear()
        self._removals.clear()
        self._dropped.clear()
        self._attached.clear()
        self._frequencies = None

    def _prepare(self) -> Manifest | None:
        """Write all files that the next manifest needs, and return that manifest; ``None`` if nothing has changed."""
        generation = self._manifest.generation + 1
        new_entries = [segment.finish() for segment in self._segments if segment.num_documents]
        old_entries = [entry for entry in self._manifest.segments if entry.name not in self._dropped]
        frequencies = self._write_frequencies()
        segments = [self._write_tombstones(entry, generation) for entry in old_entries] + new_entries
        if segments == self._manifest.segments and frequencies == self._manifest.frequencies and not self._attached:
            return None
        attachments = self._write_attachments()
        for folder in (SEGMENTS, TOMBSTONES, ATTACHMENTS, ""):
            if (self.path / folder).is_dir():
                disk.sync_folder(self.path / folder)
        return msgspec.structs.replace(
            self._manifest,
            generation=generation,
            next_segment=self._next_segment,
            segments=segments,
            frequencies=frequencies,
            attachments=attachments,
        )

    def _write_attachments(self) -> list[Attachment]:
        if self._attached:
            disk.make_folder(self.path / ATTACHMENTS)
        attachments = list(self._manifest.attachments)
        for checksum, data in self._attached.items():
            attachments.append(Attachment(checksum, len(data)))
            disk.write_file(self.path / attachments[-1].file, data)
        return attachments

    def _write_tombstones(self, entry: SegmentEntry, generation: int) -> SegmentEntry:
        rows = self._removals.get(entry.name)
        if rows is None or len(rows) == (entry.removal.documents if entry.removal else 0):
            return entry
        disk.make_folder(self.path / TOMBSTONES)
        file = tombstone_name(entry.name, generation)
        record = write_column(self.path / TOMBSTONES, TOMBSTONE_COLUMN, rows, file)
        return msgspec.structs.replace(entry, removal=RemovedDocuments(generation, len(rows), record.checksum))

    def _write_frequencies(self) -> FrequenciesEntry | None:
        if self._frequencies is None:
            return self._manifest.frequencies
        tokens, counts, num_documents = self._frequencies
        aside = self.path / (FREQUENCIES + PARTIAL)
        disk.make_folder(aside)
        columns = zip(FREQUENCY_COLUMNS, (tokens, counts), strict=True)
        records = {column.name: write_column(aside, column, values) for column, values in columns}
        disk.sync_folder(aside)
        disk.rename(aside, self.path / FREQUENCIES)
        return FrequenciesEntry(num_documents, records)

    def _abort(self) -> None:
        """Remove what was written since the last commit, and close the writer.

        The error may have come at the very instant of the commit. So the files of two manifests are kept: those of the
        manifest that this writer knows, and those of the one on disk. A cleanup that fails raises no error, because the
        next writer cleans up, too.
        """
        self._state = "closed"
        with suppress(OSError, StoreError):
            for segment in self._segments:
                segment.close()
            sweep(self.path, self._manifest, read_manifest(self.path))

    def _require_open(self) -> None:
        if self._state == "not entered":
            raise ValueError("the writer has not been entered: use `with store.writer() as writer:`")
        if self._state != "open":
            raise ValueError("the writer is closed")

    def _entry(self, name: str) -> SegmentEntry:
        for entry in self._manifest.segments:
            if entry.name == name:
                return entry
        raise ValueError(f"{self.path}: generation {self._manifest.generation} has no segment {name!r}")
