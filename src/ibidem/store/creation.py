"""Making an index, and removing one that was never finished: both under the lock of the writer.

A maker of an index holds the lock from before it looks at the folder until its first commit, so two makers never
take the same place, and none removes what another has made.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from ibidem.errors import IndexExistsError, NotAnIndexError, StoreError
from ibidem.store.files.lock import WriterLock
from ibidem.store.format import ATTACHMENTS, LOCK, MANIFEST, PARTIAL, SEGMENTS, TOMBSTONES
from ibidem.store.leftovers import require_own_folders, sweep
from ibidem.store.manifest import Manifest, make_manifest, read_manifest, write_manifest
from ibidem.system import disk


def create_manifest(
    path: Path, config: dict[str, Any], lock: WriterLock, *, take_over: bool
) -> tuple[Manifest, list[str]]:
    """Write generation 0 of an index, and take the lock, which stays held.

    Args:
        take_over: an index that never had a commit makes room.

    Returns:
        The manifest, and the names of what an interrupted build had left, which was cleared away.

    Raises:
        IndexExistsError: anything else is at the path. Nothing is left behind.
        LockedError: another process is making an index there.
    """
    _require_room(path, take_over=take_over)
    manifest = make_manifest(config)
    is_new = not path.exists()
    while not lock.held:
        path.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # who failed to make an index here removed the folder meanwhile
            lock.acquire()
    try:
        # Another process may have made an index between the first look and the lock.
        unfinished = _require_room(path, take_over=take_over)
        recovered_files = sweep(path, unfinished) if unfinished else []
        manifest = write_manifest(path, manifest)
        disk.sync_folder(path.absolute().parent)
    except IndexExistsError:
        lock.release()
        raise
    except BaseException:
        _clear(path, remove_folder=is_new)
        lock.release()
        raise
    return manifest, recovered_files


def may_begin(path: Path) -> bool:
    """Whether nothing is at the path but what a maker of an index that died may have left."""
    try:
        _require_room(path, take_over=True)
    except IndexExistsError:
        return False
    return True


def require_ended(path: Path) -> None:
    """Raise a ``NotAnIndexError`` if the first build of the index at ``path``, which has no commit, has not ended."""
    if any((path / SEGMENTS).glob("*" + PARTIAL)):
        raise NotAnIndexError(f"{path}: the first build of this index has not ended: wait for it, or run it again")


def remove_unfinished(path: Path) -> None:
    """Remove an index that has had no commit; the caller holds its lock."""
    try:
        manifest = read_manifest(path)
    except StoreError:
        return
    if manifest.generation == 0:
        sweep(path, manifest)
        _clear(path, remove_folder=True)


def _clear(path: Path, *, remove_folder: bool) -> None:
    """Remove what ``create_manifest`` and an unfinished build make; the lock goes last, then the folder if empty."""
    for folder in (path / SEGMENTS, path / TOMBSTONES, path / ATTACHMENTS):
        if folder.is_dir() and not any(folder.iterdir()):
            disk.remove_folder(folder)
    for name in (MANIFEST + PARTIAL, MANIFEST, LOCK):
        disk.remove(path / name)
    if remove_folder and not any(path.iterdir()):
        disk.remove_folder(path)


def _require_room(path: Path, *, take_over: bool) -> Manifest | None:
    """Refuse to make an index where something is; what a dead maker of an index left is no obstacle.

    Returns the manifest of an index that makes room.
    """
    if not os.path.lexists(path):
        return None
    if not path.is_dir():
        raise IndexExistsError(f"{path}: this is a file; an index needs a folder of its own")
    if os.path.lexists(path / MANIFEST):
        unfinished = _read_unfinished(path) if take_over else None
        if unfinished is None:
            raise IndexExistsError(f"{path}: an index exists there already; add to it, or remove the folder first")
        return unfinished
    if {entry.name for entry in path.iterdir()} - {LOCK, MANIFEST + PARTIAL}:
        raise IndexExistsError(f"{path}: the folder is not empty; an index needs a folder of its own")
    return None


def _read_unfinished(path: Path) -> Manifest | None:
    """The manifest of an index that has had no commit."""
    try:
        manifest = read_manifest(path)
        require_own_folders(path)
    except StoreError:
        return None
    return None if manifest.generation else manifest
