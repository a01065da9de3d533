"""The few things that are asked of the file system.

They are in one place so that what happens between any two of them can be tested, and so that no caller forgets that a
write may be short, or that a folder needs a sync of its own before a name in it can be relied on.
"""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from ibidem.errors import DamagedError
from ibidem.parallel import in_threads

AT_ONCE = 8
"""Files that are synced or removed at a time.

A thread that comes back from the disk waits for its turn among all threads that compute, some 50 ms among sixteen that
search. A commit asks for the disk a hundred times, so it does not ask file after file.
"""


def create(path: Path) -> int:
    """A descriptor of a file that did not exist, open for reading and writing."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)


def open_to_read(path: Path) -> int:
    """A descriptor of a regular file, to be read; an index has neither links nor devices nor pipes.

    Raises:
        DamagedError: something else is there.
    """
    try:
        # A pipe that nobody writes to would keep the process waiting.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
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
    return os.open(path, os.O_RDWR)


def open_or_create(path: Path) -> int:
    """A descriptor of a file for reading and writing, which is made if there is none; it may be no link."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)


def write(descriptor: int, data: bytes | memoryview) -> None:
    """Write all of the data: one system call may take less than it was given."""
    remainder = memoryview(data)
    while remainder.nbytes:
        remainder = remainder[os.write(descriptor, remainder) :]


def write_at(descriptor: int, data: bytes, position: int) -> None:
    """Overwrite a few bytes at a position."""
    if os.pwrite(descriptor, data, position) != len(data):
        raise OSError(f"only a part of {len(data)} bytes was written")


def sync(descriptor: int) -> None:
    """Return when the file's bytes have reached the disk."""
    os.fsync(descriptor)


def sync_folder(path: Path) -> None:
    """Return when the names in the folder have reached the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def rename(source: Path, target: Path) -> None:
    """Give a file or folder another name at one instant; a file of that name is replaced."""
    os.replace(source, target)


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
