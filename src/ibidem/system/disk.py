"""The few things that are asked of the file system.

They are in one place so that what happens between any two of them can be tested, and so that no caller forgets that a
write may be short, or that a folder needs a sync of its own before a name in it can be relied on.

Windows has no reads at a position, does not sync folders, and refuses to rename or remove what is open or mapped. A
rename waits there until the file is closed, for a short time; what cannot be removed stays, and ``is_in_use`` says so.
"""

import errno
import os
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ibidem.errors import DamagedError
from ibidem.parallel import in_threads

AT_ONCE = 8
"""Files that are synced or removed at a time.

A thread that comes back from the disk waits for its turn among all threads that compute, some 50 ms among sixteen that
search. A commit asks for the disk a hundred times, so it does not ask file after file.
"""


_ONLY_HERE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_BINARY", 0)
"""Flags of every file: a process that this one starts does not get it, and its bytes are as they are."""

_IN_USE = {5, 32}
"""The error codes with which Windows refuses to rename or remove a file that is open: ``ERROR_ACCESS_DENIED`` and
``ERROR_SHARING_VIOLATION``."""

_PATIENCE = 5.0
"""Seconds until a rename gives up that a file is closed."""

_moving = threading.Lock()
"""Held while the position of a file is another, where the system cannot read at a position."""


def create(path: Path) -> int:
    """A descriptor of a file that did not exist, open for reading and writing."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _ONLY_HERE, 0o666)


def open_to_read(path: Path) -> int:
    """A descriptor of a regular file, to be read; an index has neither links nor devices nor pipes.

    Raises:
        DamagedError: something else is there.
    """
    try:
        # A pipe that nobody writes to would keep the process waiting.
        flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        descriptor = os.open(path, os.O_RDONLY | _ONLY_HERE | flags)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.ENODEV):
            raise DamagedError(f"{path}: it is no regular file, and an index has no others") from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise DamagedError(f"{path}: it is no regular file, and an index has no others")
    return descriptor


def read_file(path: Path, limit: int) -> bytes:
    """The bytes of a regular file of at most ``limit`` bytes.

    Raises:
        DamagedError: it is larger, or no regular file.
    """
    descriptor = open_to_read(path)
    with os.fdopen(descriptor, "rb") as file:
        # Room for what is read is taken at once, and files may be much smaller than the limit.
        data = file.read(min(os.fstat(descriptor).st_size, limit) + 1)
    if len(data) > limit:
        raise DamagedError(f"{path}: it has more than {limit} bytes, which no file of its kind has")
    return data


def reopen(path: Path) -> int:
    """A descriptor of a file that exists, open for reading and writing."""
    return os.open(path, os.O_RDWR | _ONLY_HERE)


def open_or_create(path: Path) -> int:
    """A descriptor of a file for reading and writing, which is made if there is none; it may be no link."""
    return os.open(path, os.O_RDWR | os.O_CREAT | _ONLY_HERE | getattr(os, "O_NOFOLLOW", 0), 0o666)


def read_at(descriptor: int, size: int, position: int) -> bytes:
    """At most ``size`` bytes of a file from a position on."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, position)
    with _moved(descriptor, position):
        return os.read(descriptor, size)


def write(descriptor: int, data: bytes | memoryview) -> None:
    """Write all of the data: one system call may take less than it was given."""
    remainder = memoryview(data)
    while remainder.nbytes:
        remainder = remainder[os.write(descriptor, remainder) :]


def write_at(descriptor: int, data: bytes, position: int) -> None:
    """Overwrite a few bytes at a position."""
    if hasattr(os, "pwrite"):
        size = os.pwrite(descriptor, data, position)
    else:
        with _moved(descriptor, position):
            size = os.write(descriptor, data)
    if size != len(data):
        raise OSError(f"only a part of {len(data)} bytes was written")


@contextmanager
def _moved(descriptor: int, position: int) -> Iterator[None]:
    """Have a file at a position during the block."""
    with _moving:
        before = os.lseek(descriptor, 0, os.SEEK_CUR)
        try:
            os.lseek(descriptor, position, os.SEEK_SET)
            yield
        finally:
            os.lseek(descriptor, before, os.SEEK_SET)


def sync(descriptor: int) -> None:
    """Return when the file's bytes have reached the disk."""
    os.fsync(descriptor)


def sync_folder(path: Path) -> None:
    """Return when the names in the folder have reached the disk; a system without such a call sees to it itself."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | _ONLY_HERE)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def rename(source: Path, target: Path) -> None:
    """Give a file or folder another name at one instant; a file of that name is replaced."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            os.replace(source, target)
            return
        except PermissionError as error:
            if not is_in_use(error) or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def link(source: Path, target: Path) -> None:
    """Give a file another name, by a link; on another file system, or one without links, by a copy on the disk."""
    try:
        os.link(source, target)
    except OSError:
        import shutil

        shutil.copyfile(source, target)
        descriptor = reopen(target)
        try:
            sync(descriptor)
        finally:
            os.close(descriptor)


def is_in_use(error: OSError) -> bool:
    """Whether a file was not renamed or removed because it is open, which some systems refuse."""
    return getattr(error, "winerror", None) in _IN_USE


def require_folder(path: Path) -> None:
    """Refuse a link or a file in the place of a folder; that nothing is there is no error.

    Raises:
        DamagedError: something other than a folder is there.
    """
    with suppress(FileNotFoundError):
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise DamagedError(f"{path}: it is no folder, and an index has neither links nor special files")


def make_folder(path: Path) -> None:
    """Make one folder; that it exists already is no error."""
    path.mkdir(exist_ok=True)


def remove(path: Path) -> None:
    """Remove a file; that it is gone already is no error."""
    path.unlink(missing_ok=True)


def remove_folder(path: Path) -> None:
    """Remove an empty folder."""
    path.rmdir()


def remove_tree(path: Path) -> None:
    """Remove a file, or a folder and all it holds."""
    if path.is_symlink() or not path.is_dir():
        remove(path)
        return
    for _ in in_threads(remove_tree, sorted(path.iterdir()), AT_ONCE):
        pass
    remove_folder(path)


def make_empty(path: Path) -> Path:
    """The folder, empty: it is made, and what was there is removed."""
    if path.exists():
        remove_tree(path)
    make_folder(path)
    return path


def sync_tree(path: Path) -> None:
    """Return when a folder, all its files and all their names have reached the disk."""
    for entry in sorted(path.iterdir()):
        sync_output(entry)
    sync_folder(path)


def sync_output(path: Path) -> None:
    """Return when a file, or a folder and all that it holds, has reached the disk."""
    if path.is_dir():
        sync_tree(path)
        return
    descriptor = reopen(path)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def write_file(path: Path, data: bytes) -> None:
    """Put a small file on the disk, over what a dead writer may have left under its name, and sync it."""
    remove(path)
    descriptor = create(path)
    try:
        write(descriptor, data)
        sync(descriptor)
    finally:
        os.close(descriptor)
