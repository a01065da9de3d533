"""A folder of this machine with copies of what is in object stores, of a bounded size.

Each copy has a folder of its own. What was not used for longest goes first. A copy that a process of this machine has
open stays, so that what is mapped is also what is counted.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Self

import xxhash

from ibidem.errors import StoreError
from ibidem.resources import Closing, parse_size
from ibidem.system import disk
from ibidem.system.locks import lock as take

FOLDER_VARIABLE, SIZE_VARIABLE = "IBIDEM_CACHE", "IBIDEM_CACHE_SIZE"

_DEFAULT_SIZE = "100G"

_USED, _CHANGED, _CONTENT, _ORIGIN = "used.lock", "changed.lock", "content", "origin"


class Cache(NamedTuple):
    """Where copies are kept, and how many bytes they may take together."""

    folder: Path
    size: int

    @classmethod
    def of(cls, folder: str | os.PathLike[str] | None = None, size: str | int | None = None) -> Self:
        """A cache; what is not given is taken from the variables ``IBIDEM_CACHE`` and ``IBIDEM_CACHE_SIZE``.

        If these are not set either, it is ``~/.cache/ibidem`` and 100 GB.
        """
        place = folder or os.environ.get(FOLDER_VARIABLE) or Path.home() / ".cache" / "ibidem"
        size_or_name = size if size is not None else os.environ.get(SIZE_VARIABLE) or _DEFAULT_SIZE
        return cls(Path(place).absolute(), parse_size(size_or_name))

    def copy_of(self, origin: str) -> "CachedCopy":
        """The copy of what ``origin`` names, which is marked as in use; there may be nothing in it."""
        return CachedCopy(self.folder / xxhash.xxh3_128_hexdigest(origin.encode()), origin)

    def make_room(self, size: int, copy: "CachedCopy") -> None:
        """Remove copies until one copy of ``size`` bytes fits beside the others.

        Raises:
            StoreError: it does not fit, since it is too large or others are in use.
        """
        others = {place: _measure(place) for place in self.folder.iterdir() if place.is_dir() and place != copy.folder}
        total = sum(others.values())
        for place in sorted(others, key=_last_use):
            if total + size <= self.size:
                return
            if _remove_unused(place):
                total -= others[place]
        if total + size > self.size:
            raise StoreError(
                f"{copy.origin}: its copy has {size:,} bytes, and the cache {self.folder} has room for "
                f"{max(0, self.size - total):,} of {self.size:,}: allow more ({SIZE_VARIABLE}), or close what is open"
            )


class CachedCopy:
    """The folder of one copy, in use until it is closed.

    Attributes:
        folder: its place in the cache.
        origin: what it is a copy of.
    """

    def __init__(self, folder: Path, origin: str) -> None:
        self.folder, self.origin = folder, origin
        self._in_use = _open_lock(folder, _USED, shared=True)
        os.utime(folder / _USED)
        (folder / _ORIGIN).write_text(origin + "\n", encoding="utf-8")

    @property
    def content(self) -> Path:
        """Where the copy itself is, or will be."""
        return self.folder / _CONTENT

    @contextmanager
    def change(self) -> Iterator[None]:
        """Change the copy, while no other process does."""
        with _open_lock(self.folder, _CHANGED, shared=False):
            yield

    def close(self) -> None:
        """Let others remove the copy."""
        self._in_use.close()


class _Lock(Closing):
    """A file of a copy's folder, locked until it is closed, or until the index that holds it is collected."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


def _open_lock(folder: Path, name: str, *, shared: bool) -> _Lock:
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # whoever had it removed the folder
            lock = _try_lock(folder / name, create=True, shared=shared, wait=True)
            if lock is not None:
                return lock


def _try_lock(file: Path, *, create: bool, shared: bool, wait: bool) -> _Lock | None:
    """The lock of a file; ``None`` if it was removed before the lock could be had.

    Raises:
        BlockingIOError: another holds it, and ``wait`` is false.
    """
    descriptor = disk.open_or_create(file) if create else disk.reopen(file)
    lock = _Lock(descriptor)
    take(descriptor, shared=shared, wait=wait)
    return lock if os.path.samestat(os.fstat(descriptor), os.stat(file)) else None


def _remove_unused(place: Path) -> bool:
    """Remove a copy unless a process has it open; whether it was removed."""
    try:
        lock = _try_lock(place / _USED, create=False, shared=False, wait=False)
    except OSError:
        return False
    if lock is None:
        return False
    with lock:
        shutil.rmtree(place, ignore_errors=True)
    return not place.exists()


def _last_use(place: Path) -> float:
    try:
        return (place / _USED).stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _measure(place: Path) -> int:
    """Bytes of the files below a folder, whatever happens to them meanwhile."""
    total = 0
    for folder, _, names in os.walk(place):
        for name in names:
            try:
                total += os.stat(os.path.join(folder, name)).st_size
            except FileNotFoundError:
                continue
    return total
