"""An index on disk: one generation of it, as it was when it was opened."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DamagedError, IndexExistsError
from ibidem.resources import Progress
from ibidem.store.check import Report, check_index
from ibidem.store.files import disk
from ibidem.store.files.columns import open_column
from ibidem.store.files.lock import WriterLock
from ibidem.store.format import (
    FREQUENCIES,
    FREQUENCY_COLUMNS,
    HEADER_BYTES,
    LOCK,
    MANIFEST,
    PARTIAL,
    PARTS,
)
from ibidem.store.manifest import Manifest, encode, make_manifest, read_manifest, write_manifest
from ibidem.store.segment import Segment
from ibidem.store.writer import Writer

__all__ = ["Store"]

Frequencies = tuple[NDArray[np.uint32], NDArray[np.uint32], int]


class Store:
    """One generation of an index: its configuration, its segments, and the way to write the next.

    Any number of stores may be open on one index, in any number of processes. Each keeps its generation, whatever is
    written meanwhile; only the store whose writer commits moves on to what it committed.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self._manifest = manifest
        self._closed = False
        self._frequencies = _open_frequencies(path, manifest)
        self.segments: list[Segment] = [Segment(path, entry) for entry in manifest.segments]

    @classmethod
    def create(cls, path: str | os.PathLike[str], config: dict[str, Any]) -> "Store":
        """Make an index without documents, generation 0; folders above it are made too.

        Raises:
            IndexExistsError: an index stands at the path, or anything else that is not an empty folder.
            LockedError: another process is making an index there.
        """
        place = Path(path)
        _require_room(place)
        manifest = make_manifest(config)
        place.mkdir(parents=True, exist_ok=True)
        lock = WriterLock(place)
        lock.acquire()
        try:
            # Another process may have made one between the first look and the lock.
            _require_room(place)
            manifest = write_manifest(place, manifest)
            disk.sync_folder(place.absolute().parent)
        except BaseException:
            disk.remove(place / (MANIFEST + PARTIAL))
            raise
        finally:
            lock.release()
        return cls(place, manifest)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> "Store":
        """Open the last committed generation.

        Raises:
            NotAnIndexError: no index stands at the path.
            FormatVersionError: it was written by a newer ibidem, or by one too old to be read.
            DamagedError: a file is missing, or not what was written; the message names it.
        """
        place = Path(path)
        manifest = read_manifest(place)
        while True:
            try:
                return cls(place, manifest)
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
            LockedError: another writer is at work, in this process or another.
        """
        if self._closed:
            raise ValueError(f"{self.path}: the store is closed")
        return Writer(self.path, self._adopt)

    def frequencies(self) -> Frequencies | None:
        """The index's document frequencies: tokens and counts, both uint32 [V], and the number of documents."""
        return self._frequencies

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
        return sizes

    def close(self) -> None:
        """Let go of the files; arrays taken from the store stay valid."""
        self._closed = True
        for segment in self.segments:
            segment.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r}, generation {self.generation}, {len(self.segments)} segments)"

    def _adopt(self, manifest: Manifest) -> None:
        if manifest == self._manifest:
            return
        held = {segment.name: segment for segment in self.segments}
        segments = []
        for entry in manifest.segments:
            segment = held.get(entry.name)
            if segment is None or segment.entry.checksum != entry.checksum:
                segments.append(Segment(self.path, entry))
            else:
                segments.append(segment if segment.entry == entry else segment.with_removal(self.path, entry))
        self._frequencies = _open_frequencies(self.path, manifest)
        self._manifest, self.segments = manifest, segments


def _require_room(path: Path) -> None:
    """Refuse to make an index where something stands; what a dead maker of an index left is no obstacle."""
    if not path.exists():
        return
    if not path.is_dir():
        raise IndexExistsError(f"{path}: a file stands there; an index needs a folder of its own")
    if (path / MANIFEST).exists():
        raise IndexExistsError(f"{path}: an index stands there already; add to it, or remove the folder first")
    if {entry.name for entry in path.iterdir()} - {LOCK, MANIFEST + PARTIAL}:
        raise IndexExistsError(f"{path}: the folder is not empty; an index needs a folder of its own")


def _open_frequencies(path: Path, manifest: Manifest) -> Frequencies | None:
    entry = manifest.frequencies
    if entry is None:
        return None
    length = entry.columns["tokens"].shape[0]
    tokens, counts = (
        open_column(path / FREQUENCIES / column.file, column.dtype, (length,)) for column in FREQUENCY_COLUMNS
    )
    return tokens, counts, entry.num_documents
