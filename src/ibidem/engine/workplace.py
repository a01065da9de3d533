"""The folder beside an output in which it is made, and which stays if the work is interrupted.

A file in it says that it is ours: a folder of this name that someone else made is neither used nor removed.
"""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ibidem.corpus.writing.output_folder import require_absent
from ibidem.errors import CorpusError, LockedError
from ibidem.store.files.lock import WriterLock
from ibidem.system import disk

_PARTIAL, _MARK = ".partial", ".unfinished"


@contextmanager
def hold_workplace(
    folder: Path, output: str, stays: Callable[[Path, Exception], bool] = lambda folder, error: False
) -> Iterator[Path]:
    """A folder for the work on ``output``, for this process alone, removed when the work is done or has failed.

    It stays if the work is interrupted, or if it fails and ``stays`` holds of the folder and the error.

    Raises:
        LockedError: another process writes to this output.
        CorpusError: someone else's folder has the name.
    """
    _require_ours(folder)
    _mark(folder)
    lock = WriterLock(folder)
    try:
        lock.acquire()
    except LockedError:
        raise LockedError(f"{output}: another process is writing to it; wait until it has ended") from None
    try:
        yield folder
        _leave(folder, lock)
    except Exception as error:
        if not stays(folder, error):
            _leave(folder, lock)
        raise
    finally:
        lock.release()


def make_aside(output: Path) -> Path:
    """An empty folder beside ``output``; what an interrupted call left there is removed.

    Raises:
        CorpusError: someone else's folder has the name.
    """
    folder = name_aside(output)
    _require_ours(folder)
    _mark(folder)
    _clear(folder)
    return folder


def finish_aside(folder: Path, output: Path) -> None:
    """Give the folder the name of the output.

    The mark goes last: without it, what an interruption leaves would be somebody else's.
    """
    disk.rename(folder, output)
    disk.remove(output / _MARK)


@contextmanager
def open_new_folder(output: Path) -> Iterator[Path]:
    """A folder to write to, which is named ``output`` once all is written, and is gone if that fails.

    Raises:
        CorpusError: ``output`` exists, or the folder that should hold it does not.
    """
    require_absent(output)
    folder = make_aside(output)
    try:
        yield folder
        require_absent(output)
        finish_aside(folder, output)
    except BaseException:
        disk.remove_tree(folder)
        raise


def name_aside(output: Path) -> Path:
    """The folder beside an output in which it is made."""
    return output.with_name(output.name + _PARTIAL)


def _mark(folder: Path) -> None:
    """Make the folder and its mark, which is on the disk before anything else in it."""
    disk.make_folder(folder)
    with suppress(FileExistsError):  # another process may make it at the same instant; the lock decides between them
        os.close(disk.create(folder / _MARK))
        disk.sync_folder(folder)


def _clear(folder: Path) -> None:
    """Remove all but the mark."""
    for entry in sorted(folder.iterdir()):
        if entry.name != _MARK:
            disk.remove_tree(entry)


def _leave(folder: Path, lock: WriterLock) -> None:
    """Remove the folder while nobody else has it, or, where no file is removed that is open, after that."""
    try:
        _remove(folder)
    except PermissionError as error:
        if not disk.is_in_use(error):
            raise
        gc.collect()  # closes what an exception has left open
        lock.release()
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove the folder, its mark when all else is gone from the disk."""
    _clear(folder)
    disk.sync_folder(folder)
    disk.remove_tree(folder)


def _require_ours(folder: Path) -> None:
    """Refuse a folder that is not empty and has no mark, and what is no folder."""
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir() or (any(folder.iterdir()) and not (folder / _MARK).exists()):
        raise CorpusError(f"{folder}: ibidem makes the output in this folder, which holds something else; move it away")
