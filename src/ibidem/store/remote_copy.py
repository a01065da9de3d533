"""An index at a URL: fetched whole into the cache of this machine when it is opened, sent whole when it is written.

In an object store an index is a folder with the same files as on a disk. A search uses the copy, and a writer writes to
the copy. Files of an index never change, so only those are fetched, or sent, that the other side does not have. Files
are sent first, and the manifest last: until then nobody sees them. One machine writes at a time. Nothing but the look
at the manifest before it is sent keeps others out.
"""

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import xxhash

from ibidem.errors import DamagedError, IndexExistsError, LockedError, NotAnIndexError, StoreError
from ibidem.remote.storage import Storage, is_remote
from ibidem.store.files.lock import WriterLock
from ibidem.store.format import ATTACHMENTS, FREQUENCIES, LOCK, MANIFEST, SEGMENTS, TOMBSTONES
from ibidem.store.frequencies import read_frequencies
from ibidem.store.leftovers import sweep
from ibidem.store.manifest import (
    Manifest,
    SegmentEntry,
    encode,
    parse_manifest,
    put_manifest,
    read_attachment,
    read_manifest,
    select_segments,
)
from ibidem.store.segments.segment import Segment
from ibidem.system import disk
from ibidem.system.locks import lock as take_lock

CACHE = "IBIDEM_CACHE"
"""The variable that names the folder of the copies, in which each has one; ``~/.cache/ibidem`` if it is not set."""

_FOLDERS = (SEGMENTS, TOMBSTONES, FREQUENCIES, ATTACHMENTS)

_CONTENT, _CHANGED, _ORIGIN = "content", "changed.lock", "origin"


class RemoteCopy(NamedTuple):
    """The copy of an index at a URL: where that is, and the path of the index on this machine."""

    storage: Storage
    path: Path

    def send(self, manifest: Manifest, before: Manifest) -> None:
        """Send the files that ``manifest`` needs and ``before`` does not, then the manifest.

        Raises:
            IndexExistsError: an index was made there meanwhile.
            LockedError: the index there is not the one that was fetched. Nothing has changed.
            StoreError: the store does not answer, or refuses to be written to.
        """
        self._require_same(before)
        self.storage.upload_all(_list_files(self.path, _find_new(manifest, before)))
        self.storage.write(MANIFEST, encode(manifest))
        names = [name for name in self.storage.list() if name.partition("/")[0] in _FOLDERS]
        self.storage.remove(set(names) - set(_select(names, manifest.files())))

    def _require_same(self, before: Manifest) -> None:
        """Refuse to replace an index that is not ``before``; of an index without a commit nothing need be there."""
        try:
            data = self.storage.read(MANIFEST)
        except FileNotFoundError:
            data = None
        if data == encode(before) or (data is None and not before.generation):
            return
        if data is not None and not before.generation:
            raise _describe_other(self.storage.url)
        raise LockedError(
            f"{self.storage.url}: another machine has written to the index since it was opened: open it again and "
            "repeat; let one machine write at a time"
        )


def fetch_copy(url: str, segments: Collection[str] | None = None) -> RemoteCopy:
    """Bring the copy of the index at ``url`` to the state there; one that is in this state is left as it is.

    While a process of this machine writes to the copy, it is left as it is, too.

    Args:
        segments: the names of those to have; all if not given. A copy of some is for reading alone.

    Raises:
        NotAnIndexError, FormatVersionError, DamagedError: what is there cannot be read.
        StoreError: the store does not answer.
    """
    storage = Storage(url)
    with _change_copy(storage.url if segments is None else f"{storage.url} {' '.join(sorted(segments))}") as place:
        place.mkdir(exist_ok=True)
        try:
            with WriterLock(place).lend():
                _update(storage, place, segments)
        except LockedError:
            if not (place / MANIFEST).exists():
                raise
    return RemoteCopy(storage, place)


def begin_copy(url: str) -> RemoteCopy:
    """An empty copy, in which an index is made that is sent to ``url``.

    Raises:
        IndexExistsError: an index is there.
        LockedError: another process of this machine is making one for this place.
    """
    storage = Storage(url)
    if MANIFEST in storage.list(MANIFEST):
        raise _describe_other(storage.url)
    with _change_copy(storage.url) as place:
        if place.is_dir():
            with WriterLock(place).lend():
                for entry in place.iterdir():
                    if entry.name != LOCK:
                        disk.remove_tree(entry)
    return RemoteCopy(storage, place)


@contextmanager
def _change_copy(origin: str) -> Iterator[Path]:
    """The place of the copy of what ``origin`` names, for a block in which no other process changes it."""
    cache = Path(os.environ.get(CACHE) or Path.home() / ".cache" / "ibidem").absolute()
    folder = cache / xxhash.xxh3_128_hexdigest(origin.encode())
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _CHANGED).open("ab") as file:
        take_lock(file)
        (folder / _ORIGIN).write_text(origin + "\n", encoding="utf-8")
        yield folder / _CONTENT


def read_entries(path: str | os.PathLike[str]) -> list[SegmentEntry]:
    """The segments of the last committed generation of the index at a path or a URL.

    Raises:
        NotAnIndexError, FormatVersionError, DamagedError: what is there cannot be read.
    """
    location = os.fspath(path)
    manifest = _read_remote_manifest(Storage(location)) if is_remote(location) else read_manifest(Path(location))
    return manifest.segments


def _update(storage: Storage, place: Path, segments: Collection[str] | None) -> None:
    while True:
        manifest = _read_remote_manifest(storage)
        selected = manifest if segments is None else select_segments(manifest, segments, storage.url)
        fetched = _read_fetched(place)
        if selected == fetched:
            return
        try:
            _fetch(storage, place, selected, fetched)
            break
        except (FileNotFoundError, DamagedError) as error:
            # Another machine may have written meanwhile, and removed what its generation does not need.
            if _read_remote_manifest(storage) == manifest:
                raise DamagedError(f"{storage.url}: not what was written: {error}") from None
    put_manifest(place, selected)
    sweep(place, selected)


def _fetch(storage: Storage, place: Path, manifest: Manifest, fetched: Manifest | None) -> None:
    """Download the files of a manifest that are not here, and compare them with their checksums."""
    new_files = _find_new(manifest, fetched)
    for name in new_files:
        disk.remove_tree(place / name)  # a process that reads it keeps it
    names = _select(storage.list(), new_files)
    for folder in {(place / name).parent for name in names}:
        folder.mkdir(parents=True, exist_ok=True)
    storage.download_all({name: place / name for name in names})
    for entry in manifest.segments:
        Segment(place, entry, "full" if f"{SEGMENTS}/{entry.name}" in new_files else "none").close()
    read_frequencies(place, manifest)
    for attachment in manifest.attachments:
        read_attachment(place, attachment)


def _read_fetched(place: Path) -> Manifest | None:
    """The manifest of the copy; it is written when all files are there and sound."""
    with suppress(StoreError):
        return read_manifest(place)
    return None


def _read_remote_manifest(storage: Storage) -> Manifest:
    try:
        return parse_manifest(storage.read(MANIFEST), storage.url)
    except FileNotFoundError:
        raise NotAnIndexError(f"{storage.url}: no index there: there is no {MANIFEST}") from None


def _find_new(manifest: Manifest, before: Manifest | None) -> set[str]:
    """The files and folders that a manifest needs, and that are not those of the one ``before``."""
    known = {} if before is None else before.files()
    return {name for name, checksum in manifest.files().items() if known.get(name) != checksum}


def _select(names: Iterable[str], needed: Collection[str]) -> list[str]:
    """The names that are among the files and folders ``needed``, or below them."""
    return [name for name in names if name in needed or name.rpartition("/")[0] in needed]


def _list_files(index: Path, names: Iterable[str]) -> dict[str, Path]:
    """The files of an index on this machine that are, or are below, some files and folders, by their names."""
    places = [index / name for name in sorted(names)]
    files = [file for place in places for file in (sorted(place.iterdir()) if place.is_dir() else [place])]
    return {file.relative_to(index).as_posix(): file for file in files}


def _describe_other(url: str) -> IndexExistsError:
    return IndexExistsError(f"{url}: an index exists there already; add to it, or remove it first")
