"""The folder beside an output in which it is made, and which stays if the work is interrupted."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ibidem.corpus.sources import Source
from ibidem.errors import LockedError
from ibidem.remote.storage import is_remote
from ibidem.store.files import disk

__all__ = ["hold_workplace", "make_empty", "read_state"]

PARTIAL = ".partial"


@contextmanager
def hold_workplace(output: Path, stays: Callable[[Path], bool] = lambda _: False) -> Iterator[Path]:
    """A folder beside ``output`` for this process alone, removed when the work is done or has failed.

    It stays if the work is interrupted, or if it fails and ``stays`` holds of the folder.

    Raises:
        LockedError: another process writes to this output.
    """
    from ibidem.store.files.lock import WriterLock

    folder = output.with_name(output.name + PARTIAL)
    disk.make_folder(folder)
    lock = WriterLock(folder)
    try:
        lock.acquire()
    except LockedError:
        raise LockedError(f"{output}: another process is writing to it; wait until it has ended") from None
    try:
        yield folder
        disk.remove_tree(folder)
    except Exception:
        if not stays(folder):
            disk.remove_tree(folder)
        raise
    finally:
        lock.release()


def make_empty(folder: Path) -> Path:
    """The folder, empty."""
    if folder.exists():
        disk.remove_tree(folder)
    disk.make_folder(folder)
    return folder


def read_state(file: Source) -> tuple[int, int]:
    """The size of a file and when it was changed; what stands behind a URL may always have changed."""
    if is_remote(file.path):
        return (0, time.time_ns())
    status = os.stat(file.path)
    return status.st_size, status.st_mtime_ns
