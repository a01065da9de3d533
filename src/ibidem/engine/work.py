"""The folder in which a result is made, until all of it is there and gets its name at one instant.

It lies beside the output, and stays there when the work is interrupted: the same command finds in it the outputs of the
steps that were done. The work for an output at a URL lies in the current folder, under the last name of the URL; at the
end the files are sent, ``summary.json`` last, which says that all are there.

Before the output gets its name, a record in the folder of the work says what will have it. So a call that was ended
after that, before it could remove the folder, is told from one that finds somebody else's output in its place. A mark
in the folder says that it is ours: one of this name that someone else made is neither used nor removed.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from ibidem.corpus.writing.output_folder import require_absent
from ibidem.corpus.writing.tables import SUMMARY
from ibidem.errors import ClusterError, CorpusError, LockedError
from ibidem.remote.storage import Storage, is_remote
from ibidem.store.files.lock import WriterLock
from ibidem.system import disk

_PARTIAL, _MARK = ".partial", ".unfinished"

_ORIGIN, _STEPS, _RESULT = "origin.json", "steps", "result"

_NAMED = "named"
"""The record, among the outputs of the steps, of the folder that gets the name of the output."""


class WrittenResult(NamedTuple):
    """The result of a function that writes a folder.

    Attributes:
        summary: the values of ``summary.json``.
        resumed: whether an interrupted call had done some of the steps.
    """

    summary: dict[str, Any]
    resumed: bool


class Work(NamedTuple):
    """The folder of a work that this process alone has.

    Attributes:
        output: the place of the result: a path, or a URL.
        folder: for what must outlast a change of origin, such as a note.
        resumed: whether steps were done by a call that was interrupted.
    """

    output: str
    folder: Path
    resumed: bool

    def __truediv__(self, name: str) -> Path:
        """The place of the outputs of a step, for ``Engine.map``."""
        return self.folder / _STEPS / name

    def commit(self, fill: Callable[[Path], object], prepare: Callable[[], object] = lambda: None) -> WrittenResult:
        """Make the result of what ``fill`` writes into the folder that it is given, its ``summary.json`` included.

        Args:
            prepare: called when all is written, before the output is there.

        Raises:
            StoreError: an object store does not answer.
        """
        result = disk.make_empty(self.folder / _RESULT)
        fill(result)
        disk.sync_tree(result)
        prepare()
        summary = json.loads((result / SUMMARY).read_bytes())
        disk.write_file(self.folder / _STEPS / _NAMED, _identify(result))
        if is_remote(self.output):
            _send(result, Storage(self.output))
        else:
            disk.rename(result, Path(self.output))
            disk.sync_folder(Path(self.output).absolute().parent)
        return WrittenResult(summary, self.resumed)

    def find_summary(self) -> dict[str, Any] | None:
        """The summary of the output, if an interrupted call of this work gave it its name: nothing is left to do.

        Raises:
            CorpusError: something else has the name.
        """
        if not _has_named(self.folder / _STEPS, self.output):
            require_absent(self.output)
            return None
        if is_remote(self.output):  # some of its files may not have been sent
            return None
        return dict(json.loads(Path(self.output, SUMMARY).read_bytes()))


def require_unmade(output: str | os.PathLike[str], place: str | os.PathLike[str] | None = None) -> None:
    """Refuse a place where no output can be made; one that an interrupted call of a work has named is no obstacle.

    Raises:
        CorpusError: something else is there, or there is no folder to be in.
        StoreError: an object store does not answer.
    """
    if not _has_named(name_work(output, place) / _STEPS, os.fspath(output)):
        require_absent(output)


@contextmanager
def open_work(
    output: str | os.PathLike[str],
    origin: bytes,
    *,
    place: str | os.PathLike[str] | None = None,
    stays: Callable[[Path], bool] = lambda _: False,
) -> Iterator[Work]:
    """The folder of a work, removed when the work is done or has failed.

    It stays if the work is interrupted, if a cluster failed, or if the work fails and ``stays`` holds of the folder.

    Args:
        origin: all that the outputs of the steps depend on. Those that were made of another origin are removed.
        place: the folder, where it is not beside the output.

    Raises:
        LockedError: another process writes to this output.
        CorpusError: someone else's folder has the name.
    """
    folder, name = name_work(output, place), os.fspath(output)
    _require_ours(folder)
    _mark(folder)
    lock = WriterLock(folder)
    try:
        lock.acquire()
    except LockedError:
        raise LockedError(f"{name}: another process is writing to it; wait until it has ended") from None
    try:
        yield _begin(folder, name, os.fsencode(name) + b"\n" + origin)
        _remove(folder)
    except Exception as error:
        if not (isinstance(error, ClusterError) or stays(folder)):
            _remove(folder)
        raise
    finally:
        lock.release()


def _begin(folder: Path, output: str, origin: bytes) -> Work:
    """The work in a folder, with what steps of the same origin have left there."""
    steps = folder / _STEPS
    record = steps / _ORIGIN
    if not record.exists() or record.read_bytes() != origin:
        disk.write_file(disk.make_empty(steps) / _ORIGIN, origin)
    return Work(output, folder, resumed=any(steps.glob("*-" + 5 * "[0-9]")))


def name_work(output: str | os.PathLike[str], place: str | os.PathLike[str] | None = None) -> Path:
    """The folder of the work for an output."""
    if place is not None:
        return Path(place)
    if not is_remote(os.fspath(output)):
        return Path(output).with_name(Path(output).name + _PARTIAL)
    return Path(PurePosixPath(os.fspath(output)).name + _PARTIAL)


def _mark(folder: Path) -> None:
    """Make the folder and its mark, which is on the disk before anything else in it."""
    disk.make_folder(folder)
    with suppress(FileExistsError):  # another process may make it at the same instant; the lock decides between them
        os.close(disk.create(folder / _MARK))
        disk.sync_folder(folder)


def _remove(folder: Path) -> None:
    """Remove the folder, its mark when all else is gone from the disk."""
    for entry in sorted(folder.iterdir()):
        if entry.name != _MARK:
            disk.remove_tree(entry)
    disk.sync_folder(folder)
    disk.remove_tree(folder)


def _require_ours(folder: Path) -> None:
    """Refuse a folder that is not empty and has no mark, and what is no folder."""
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir() or (any(folder.iterdir()) and not (folder / _MARK).exists()):
        raise CorpusError(f"{folder}: ibidem makes the output in this folder, which holds something else; move it away")


def _has_named(steps: Path, name: str) -> bool:
    """Whether an interrupted call of a work with these outputs of steps has given its result the name of the output."""
    record = steps / _NAMED
    if is_remote(name):
        return record.exists()
    return record.exists() and os.path.lexists(name) and record.read_bytes() == _identify(Path(name))


def _identify(folder: Path) -> bytes:
    """What a folder keeps when it is renamed, and shares with no other one."""
    status = folder.lstat()
    return f"{status.st_dev} {status.st_ino}\n".encode()


def _send(folder: Path, storage: Storage) -> None:
    """Send the files of a folder, the summary last."""
    paths = sorted(Path(place) / name for place, _, names in os.walk(folder) for name in names)
    for path in sorted(paths, key=lambda path: path == folder / SUMMARY):
        storage.upload(path, path.relative_to(folder).as_posix())
