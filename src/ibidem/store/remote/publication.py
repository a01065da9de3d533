"""Bringing an index to an object store: its files first, then the manifest by one conditional write.

Until the manifest is written, nobody sees what was uploaded. Of two writers that began with the same generation one
commits, and the other gets an error.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ibidem.errors import IndexExistsError, LockedError
from ibidem.remote.storage import ChangedError, Storage, StoredFile
from ibidem.store.format import ATTACHMENTS, FREQUENCIES, MANIFEST, SEGMENTS, TOMBSTONES
from ibidem.store.manifest import Manifest, encode

TRANSFERS = 8
"""Files that are uploaded or downloaded at a time."""

# Seconds after which an uploaded file that no manifest names was left by a writer that died.
_LEFT_FOR = 24 * 3600.0


class Publication:
    """The way of an index to the folder of an object store."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def require_room(self) -> None:
        """Refuse to make an index where there is one.

        Raises:
            IndexExistsError: there is one.
        """
        if MANIFEST in self.storage.list(MANIFEST):
            raise self._describe_standing()

    def upload(self, files: Mapping[str, Path]) -> None:
        """Upload files by their names in the store; files that are there already are not uploaded again."""
        stored_files = self.storage.list()
        now = max((file.modified or 0.0 for file in stored_files.values()), default=0.0)

        def upload_one(name: str) -> None:
            # Another writer may be removing old files at this instant.
            if not _is_fresh(stored_files.get(name), files[name].stat().st_size, now):
                self.storage.upload(files[name], name)

        with ThreadPoolExecutor(TRANSFERS) as pool:
            list(pool.map(upload_one, files))

    def commit(self, files: Mapping[str, Path], manifest: Manifest, before: Manifest | None) -> None:
        """Upload the files of a signed manifest, and put it in the place of the one ``before``, or where none is.

        Raises:
            IndexExistsError: none should be there, and one is. Nothing has changed.
            LockedError: another writer has committed since. Nothing has changed.
        """
        self.upload(files)
        try:
            self._replace(encode(manifest), before)
        except ChangedError:
            if before is None:
                raise self._describe_standing() from None
            raise LockedError(
                f"{self.storage.url}: another writer has committed since this was opened: open it again and repeat"
            ) from None
        self._sweep(set(files))

    def _replace(self, data: bytes, before: Manifest | None) -> None:
        if before is None:
            self.storage.create(MANIFEST, data)
            return
        try:
            current = self.storage.read_version(MANIFEST)
        except FileNotFoundError:
            raise ChangedError from None
        if current.data != encode(before):
            raise ChangedError
        self.storage.replace(MANIFEST, data, current)

    def _describe_standing(self) -> IndexExistsError:
        return IndexExistsError(f"{self.storage.url}: an index exists there already; add to it, or remove it first")

    def _sweep(self, needed_files: set[str]) -> None:
        """Remove what writers that died have left, and what was replaced long ago."""
        stored_files = self.storage.list()
        now = stored_files[MANIFEST].modified if MANIFEST in stored_files else None
        prefixes = tuple(f"{folder}/" for folder in (SEGMENTS, TOMBSTONES, FREQUENCIES, ATTACHMENTS))
        self.storage.remove(
            name
            for name, file in stored_files.items()
            if name.startswith(prefixes)
            and name not in needed_files
            and now is not None
            and file.modified is not None
            and now - file.modified > _LEFT_FOR
        )


def _is_fresh(file: StoredFile | None, size: int, now: float) -> bool:
    """Whether a file is in the store and will stay there for hours."""
    if file is None or file.size != size or file.modified is None:
        return False
    return now - file.modified < _LEFT_FOR / 2
