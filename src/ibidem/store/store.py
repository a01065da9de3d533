"""An index on disk: one generation of it, as it was when it was opened."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ibidem.arguments import require_choice
from ibidem.errors import DamagedError, StoreError
from ibidem.remote.storage import is_remote
from ibidem.resources import Closing, Progress
from ibidem.store.check import Report, check_index
from ibidem.store.creation import create_manifest, remove_unfinished, require_ended
from ibidem.store.files.lock import WriterLock
from ibidem.store.format import HEADER_BYTES, PARTS
from ibidem.store.frequencies import Frequencies, read_frequencies
from ibidem.store.manifest import Manifest, encode, read_attachment, read_manifest, select_segments
from ibidem.store.remote_copy import RemoteCopy, begin_copy, fetch_copy
from ibidem.store.segments.columns import Checksums
from ibidem.store.segments.segment import Segment
from ibidem.store.writer import Writer


class Store(Closing):
    """One generation of an index: its configuration, its segments, and the way to write the next.

    Any number of stores may be open on one index, in any number of processes. Each keeps its generation, whatever is
    written meanwhile; only the store whose writer commits moves on to what it committed.

    Attributes:
        origin: the path or URL at which it was opened.
        given: the path as it was given; of an index at a URL, that of its copy on this machine.
        path: the absolute path, the same place whatever the process does to its current folder.
    """

    def __init__(
        self,
        path: Path,
        manifest: Manifest,
        lock: WriterLock | None = None,
        checksums: Checksums = "lazy",
        remote_copy: RemoteCopy | None = None,
    ) -> None:
        self.origin = str(path) if remote_copy is None else remote_copy.storage.url
        self.given = path
        self.path = Path(os.path.abspath(path))
        self._manifest = manifest
        self._lock = lock or WriterLock(self.path)
        self._closed = self._read_only = False
        self._remote_copy = remote_copy
        self._checksums = checksums
        self._frequencies = read_frequencies(path, manifest)
        self._attachments = _read_attachments(path, manifest)
        self.segments: list[Segment] = [Segment(path, entry, checksums) for entry in manifest.segments]

    @classmethod
    def create(cls, path: str | os.PathLike[str], config: dict[str, Any]) -> "Store":
        """Make an index without documents, generation 0; folders above it are made too.

        Raises:
            IndexExistsError: an index is at the path, or anything else that is not an empty folder.
            LockedError: another process is making an index there.
        """
        place = Path(path)
        lock = WriterLock(Path(os.path.abspath(path)))
        manifest, _ = create_manifest(place, config, lock, take_over=False)
        lock.release()
        return cls(place, manifest, lock)

    @classmethod
    @contextmanager
    def begin(cls, path: str | os.PathLike[str], config: dict[str, Any]) -> Iterator[tuple["Store", list[str]]]:
        """Make an index that nobody else can write to until the block ends; nothing is left of a block that fails.

        An index that never had a commit, such as an interrupted build leaves, makes room. Gives the store, and the
        names of what was cleared away.

        Raises:
            IndexExistsError: anything else is at the path.
            LockedError: another process is making an index there.
        """
        remote_copy = begin_copy(os.fspath(path)) if is_remote(os.fspath(path)) else None
        place = Path(path) if remote_copy is None else remote_copy.path
        lock = WriterLock(Path(os.path.abspath(place)))
        manifest, recovered_files = create_manifest(place, config, lock, take_over=True)
        try:
            store = cls(place, manifest, lock, remote_copy=remote_copy)
            try:
                yield store, recovered_files
                if remote_copy is not None and not store.generation:
                    remote_copy.send(manifest, manifest)  # an index without documents is one, too
            except BaseException:
                store.close()
                remove_unfinished(place)
                raise
        finally:
            lock.release()

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], checksums: Checksums = "lazy", *, segments: Collection[str] | None = None
    ) -> "Store":
        """Open the last committed generation.

        Args:
            path: a folder, or the URL of one in an object store, which is fetched into the cache of this machine first.
            segments: the names of those to open, for reading alone; all, and for writing, if not given.
            checksums: ``"lazy"`` compares a column with its checksum when it is first used, ``"full"`` all of them now,
                and ``"none"`` none, for an index whose storage has checksums of its own. A merge compares what it
                reads in any case.

        Raises:
            NotAnIndexError: no index is at the path, or one whose first build has not ended.
            FormatVersionError: it was written by a newer ibidem, or by one too old to be read.
            DamagedError: a file is missing, or not what was written; the message names it.
        """
        require_choice("checksums", checksums, Checksums)
        remote_copy = fetch_copy(os.fspath(path), segments) if is_remote(os.fspath(path)) else None
        place = Path(path) if remote_copy is None else remote_copy.path
        manifest = read_manifest(place)
        if not manifest.generation:
            require_ended(place)
        while True:
            try:
                selected = manifest if segments is None else select_segments(manifest, segments, place)
                store = cls(place, selected, checksums=checksums, remote_copy=remote_copy)
                store._read_only = segments is not None
                return store
            except DamagedError:
                # A writer may have committed in the meantime and removed what its generation no longer needs.
                current = read_manifest(place)
                if current.generation == manifest.generation:
                    raise
                manifest = current

    @property
    def config(self) -> dict[str, Any]:
        """The configuration under which the index was made."""
        return self._manifest.config

    @property
    def fingerprint(self) -> str:
        """A name for the configuration: equal for equal configurations, and for no others."""
        return self._manifest.fingerprint

    @property
    def generation(self) -> int:
        """How many commits led to this."""
        return self._manifest.generation

    @property
    def format_version(self) -> int:
        """Version of the format in which the index was written."""
        return self._manifest.format_version

    def writer(self) -> Writer:
        """The right to write, for one ``with`` block.

        Entering the block takes the lock, cleans up after a writer that died, and brings this store to the last
        committed generation; each commit brings it to its own.

        Raises (on entering):
            LockedError: another writer is active, in this process or another.
        """
        if self._closed:
            raise ValueError(f"{self.path}: the store is closed")
        self._require_writable()
        return Writer(self.path, self._adopt, self._lock, None if self._remote_copy is None else self._remote_copy.send)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keep all other writers out for a block, and bring this store to the last committed generation.

        Raises:
            LockedError: another writer is active.
        """
        self._require_writable()
        self._lock.acquire()
        try:
            self._adopt(read_manifest(self.path))
            yield
        finally:
            self._lock.release()

    def frequencies(self) -> Frequencies | None:
        """The index's document frequencies: tokens and counts, both uint32 [V], and the number of documents."""
        return self._frequencies

    @property
    def attachments(self) -> list[str]:
        """Checksums of the files that are kept in the index, since the configuration refers to them."""
        return list(self._attachments)

    def attachment(self, checksum: str) -> bytes:
        """The contents of a file that the configuration refers to by its checksum.

        Raises:
            DamagedError: the index holds no such file.
        """
        if checksum not in self._attachments:
            raise DamagedError(
                f"{self.given}: the file {checksum!r}, to which the configuration refers, is not in the index: its "
                "build was not finished, or it was altered"
            )
        return self._attachments[checksum]

    def require_whole(self) -> None:
        """Refuse files that were cut since they were opened, as far as that can be seen. Every search calls this.

        Raises:
            DamagedError: names one.
        """
        for segment in self.segments:
            segment.require_whole()

    def check(self, progress: Progress | None = None) -> Report:
        """Read every byte of the last committed generation and compare; see ``check_index``."""
        return check_index(self.path, progress)

    def sizes(self) -> dict[str, int]:
        """Bytes on disk of each part of the index; the parts are ``format.PARTS``."""
        sizes = dict.fromkeys(PARTS, 0)
        sizes["records"] = len(encode(self._manifest))
        for segment in self.segments:
            for part, size in segment.sizes().items():
                sizes[part] += size
        if self._frequencies is not None:
            sizes["frequencies"] = sum(HEADER_BYTES + column.nbytes for column in self._frequencies[:2])
        sizes["attachments"] = sum(map(len, self._attachments.values()))
        return sizes

    def close(self) -> None:
        """Let go of the files; arrays taken from the store stay valid."""
        self._closed = True
        for segment in self.segments:
            segment.close()

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r}, generation {self.generation}, {len(self.segments)} segments)"

    def _require_writable(self) -> None:
        if self._read_only:
            raise StoreError(f"{self.path}: opened with some of its segments, or by searchers, for reading alone")

    def _adopt(self, manifest: Manifest) -> None:
        if manifest == self._manifest:
            return
        if manifest.fingerprint != self._manifest.fingerprint or manifest.generation < self._manifest.generation:
            raise StoreError(f"{self.path}: another index has taken its place since it was opened: open it again")
        open_segments = {segment.name: segment for segment in self.segments}
        segments = []
        for entry in manifest.segments:
            segment = open_segments.get(entry.name)
            if segment is None or segment.entry.checksum != entry.checksum:
                segments.append(Segment(self.path, entry, self._checksums))
            else:
                segments.append(segment if segment.entry == entry else segment.with_removal(self.path, entry))
        self._frequencies = read_frequencies(self.path, manifest)
        self._attachments = _read_attachments(self.path, manifest)
        self._manifest, self.segments = manifest, segments


def _read_attachments(path: Path, manifest: Manifest) -> dict[str, bytes]:
    return {attachment.checksum: read_attachment(path, attachment) for attachment in manifest.attachments}
