"""A copy of an index in an object store, in the cache folder of this machine: an index like any other.

The copy is mapped and searched. It is brought to the last commit when the index is opened; files that it has already
are not downloaded again, and each is compared with its checksum once.
"""

import os
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ibidem.errors import DamagedError, LockedError, NotAnIndexError, StoreError
from ibidem.remote.cache import Cache, CachedCopy
from ibidem.remote.storage import Storage, is_remote
from ibidem.store.files.columns import ColumnRecord, column_bytes, compute_file_checksum, open_column
from ibidem.store.files.lock import WriterLock
from ibidem.store.format import (
    ATTACHMENTS,
    COLUMNS,
    FREQUENCIES,
    FREQUENCY_COLUMNS,
    LOCK,
    MANIFEST,
    PARTIAL,
    SEGMENT_RECORD,
    SEGMENTS,
    TOMBSTONE_COLUMN,
    TOMBSTONES,
    Column,
)
from ibidem.store.leftovers import sweep
from ibidem.store.manifest import (
    Attachment,
    FrequenciesEntry,
    Manifest,
    SegmentEntry,
    compute_checksum,
    encode,
    parse_manifest,
    put_manifest,
    read_attachment,
    read_manifest,
    select_segments,
)
from ibidem.store.remote.layout import frequency_folder, index_files, segment_folder, tombstone_file
from ibidem.store.remote.publication import TRANSFERS, Publication
from ibidem.store.segments.record import SegmentRecord, parse_record
from ibidem.system import disk


class Replica(NamedTuple):
    """A copy that is in use until it is closed.

    Attributes:
        copy: its place in the cache.
        publication: brings commits to the store; ``None`` if the copy has some of the segments alone.
        is_new: whether the store was empty when the copy was begun.
    """

    copy: CachedCopy
    publication: Publication | None
    is_new: bool = False

    @property
    def path(self) -> Path:
        """The index on this machine."""
        return self.copy.content

    def publish(self, manifest: Manifest, before: Manifest | None) -> None:
        """Bring what the copy holds to the store, as the generation after the one ``before``.

        Raises:
            IndexExistsError: an index was made there meanwhile.
            LockedError: another writer has committed meanwhile.
            StoreError: the copy has some of the segments alone.
        """
        if self.publication is None:
            raise StoreError(f"{self.path}: a copy of some segments of {self.copy.origin}: it cannot be written to")
        base = None if before is None or (self.is_new and not before.generation) else before
        self.publication.commit(index_files(self.path, manifest), manifest, base)


class _File(NamedTuple):
    """A column to be downloaded: its name in the store, its place here, and what is known of it."""

    name: str
    place: Path
    column: Column
    record: ColumnRecord


def open_replica(url: str, cache: Cache | None = None, segments: Collection[str] | None = None) -> Replica:
    """Bring the copy of the index at ``url`` to its last commit.

    While a writer of this machine writes to the copy, the copy is left as it is.

    Args:
        segments: the names of those to have; all if not given. A copy of some is for reading alone.

    Raises:
        NotAnIndexError, FormatVersionError, DamagedError: what is there cannot be read.
        StoreError: the store does not answer, or the cache has no room.
    """
    storage, cache = Storage(url), cache or Cache.of()
    origin = storage.url if segments is None else f"{storage.url} {' '.join(sorted(segments))}"
    copy = cache.copy_of(origin)
    try:
        with copy.change():
            _update(storage, cache, copy, segments)
    except BaseException:
        copy.close()
        raise
    return Replica(copy, Publication(storage) if segments is None else None)


def begin_replica(url: str) -> Replica:
    """An empty copy, in which an index is made that goes to ``url``.

    Raises:
        IndexExistsError: an index is there.
        LockedError: another process of this machine is making one for this place.
    """
    storage = Storage(url)
    publication = Publication(storage)
    publication.require_room()
    copy = Cache.of().copy_of(storage.url)
    try:
        with copy.change():
            _clear(copy.content)
    except BaseException:
        copy.close()
        raise
    return Replica(copy, publication, is_new=True)


def read_remote_manifest(storage: Storage) -> Manifest:
    """The manifest of the last commit.

    Raises:
        NotAnIndexError: there is none.
        FormatVersionError, DamagedError: it cannot be read.
    """
    try:
        return parse_manifest(storage.read(MANIFEST), storage.url)
    except FileNotFoundError:
        raise NotAnIndexError(f"{storage.url}: no index there: there is no {MANIFEST}") from None


def _update(storage: Storage, cache: Cache, copy: CachedCopy, segments: Collection[str] | None) -> None:
    copy.content.mkdir(exist_ok=True)
    lock = WriterLock(copy.content)
    try:
        lock.acquire()
    except LockedError:
        if (copy.content / MANIFEST).exists():
            return
        raise
    try:
        while True:
            manifest = read_remote_manifest(storage)
            selected = manifest if segments is None else select_segments(manifest, segments, storage.url)
            try:
                _download(storage, cache, copy, selected)
                break
            except FileNotFoundError as error:
                # A writer may have committed meanwhile, and cleared away what its generation does not need.
                if read_remote_manifest(storage) == manifest:
                    raise DamagedError(f"{storage.url}: a file is missing: {error}") from None
        if not _has_manifest(copy.content, selected):  # a reader that follows commits looks at the state of the file
            put_manifest(copy.content, selected)
        sweep(copy.content, selected)
    finally:
        lock.release()


def _has_manifest(folder: Path, manifest: Manifest) -> bool:
    """Whether a folder has this manifest already."""
    try:
        return (folder / MANIFEST).read_bytes() == encode(manifest)
    except FileNotFoundError:
        return False


def _download(storage: Storage, cache: Cache, copy: CachedCopy, manifest: Manifest) -> None:
    """Bring all files of a manifest here, those of each segment at one instant."""
    place = copy.content
    for folder in (SEGMENTS, TOMBSTONES):
        disk.make_folder(place / folder)
    records = {entry.name: _read_record(storage, place, entry) for entry in manifest.segments}
    cache.make_room(sum(map(_record_bytes, records.values())), copy)
    for entry in manifest.segments:
        final = place / SEGMENTS / entry.name
        if _holds(final, entry):
            continue
        aside = final.with_name(entry.name + PARTIAL)
        disk.remove_tree(aside)
        disk.make_folder(aside)
        _fetch(storage, _segment_columns(entry, records[entry.name], aside))
        storage.download(f"{segment_folder(entry)}/{SEGMENT_RECORD}", aside / SEGMENT_RECORD)
        disk.sync_tree(aside)
        disk.remove_tree(final)
        disk.rename(aside, final)
    _fetch(storage, _tombstones(manifest.segments, place))
    if manifest.frequencies is not None:
        disk.make_folder(place / FREQUENCIES)
        _fetch(storage, _frequency_columns(manifest.frequencies, place / FREQUENCIES))
    for attachment in manifest.attachments:
        _fetch_attachment(storage, place, attachment)


def _fetch_attachment(storage: Storage, place: Path, attachment: Attachment) -> None:
    try:
        read_attachment(place, attachment)
    except DamagedError:
        disk.make_folder(place / ATTACHMENTS)
        disk.write_file(place / attachment.file, storage.read(attachment.file))
        read_attachment(place, attachment)


def _holds(folder: Path, entry: SegmentEntry) -> bool:
    """Whether a folder holds this segment: it got its name once it was whole."""
    with suppress(FileNotFoundError):
        return compute_checksum((folder / SEGMENT_RECORD).read_bytes()) == entry.checksum
    return False


def _read_record(storage: Storage, place: Path, entry: SegmentEntry) -> SegmentRecord:
    file, name = place / SEGMENTS / entry.name / SEGMENT_RECORD, f"{segment_folder(entry)}/{SEGMENT_RECORD}"
    is_copied = _holds(file.parent, entry)
    return parse_record(file.read_bytes() if is_copied else storage.read(name), f"{storage.url}/{name}", entry.checksum)


def _record_bytes(record: SegmentRecord) -> int:
    return sum(
        column_bytes(column, record.columns[column.name].shape) for column in COLUMNS if column.name in record.columns
    )


def _segment_columns(entry: SegmentEntry, record: SegmentRecord, folder: Path) -> Iterable[_File]:
    for column in COLUMNS:
        if column.name in record.columns:
            name = f"{segment_folder(entry)}/{column.file}"
            yield _File(name, folder / column.file, column, record.columns[column.name])


def _tombstones(entries: Iterable[SegmentEntry], place: Path) -> Iterable[_File]:
    for entry in entries:
        name = tombstone_file(entry)
        if name is not None and entry.removal is not None and entry.tombstones is not None:
            yield _File(name, place / entry.tombstones, TOMBSTONE_COLUMN, entry.removal.record)


def _frequency_columns(entry: FrequenciesEntry, folder: Path) -> Iterable[_File]:
    for column in FREQUENCY_COLUMNS:
        name = f"{frequency_folder(entry)}/{column.file}"
        yield _File(name, folder / column.file, column, entry.columns[column.name])


def _fetch(storage: Storage, files: Iterable[_File]) -> None:
    """Download columns, and compare each with what is known of it."""

    def fetch_one(file: _File) -> None:
        if file.place.exists() and compute_file_checksum(file.place) == file.record.checksum:
            return
        aside = file.place.with_name(file.place.name + PARTIAL)
        storage.download(file.name, aside)
        try:
            open_column(aside, file.column.dtype, tuple(file.record.shape))
            if compute_file_checksum(aside) != file.record.checksum:
                raise DamagedError("the checksum does not match")
        except DamagedError as error:
            disk.remove(aside)
            raise DamagedError(f"{storage.url}/{file.name}: not what was written: {error}") from None
        disk.rename(aside, file.place)

    with ThreadPoolExecutor(TRANSFERS) as pool:
        list(pool.map(fetch_one, files))


def _clear(place: Path) -> None:
    """Remove a copy of an index that is gone, unless a process of this machine is writing it."""
    if not place.is_dir():
        return
    lock = WriterLock(place)
    lock.acquire()
    try:
        for entry in place.iterdir():
            if entry.name != LOCK:
                disk.remove_tree(entry)
    finally:
        lock.release()


def read_entries(path: str | os.PathLike[str]) -> list[SegmentEntry]:
    """The segments of the last committed generation of the index at a path or a URL.

    Raises:
        NotAnIndexError, FormatVersionError, DamagedError: what is there cannot be read.
    """
    location = os.fspath(path)
    manifest = read_remote_manifest(Storage(location)) if is_remote(location) else read_manifest(Path(location))
    return manifest.segments
