"""One writer at a time.

The lock belongs to the open file, not to its name: the kernel drops it when the process ends, however it ends, so a
killed writer never leaves an index locked. The file holds the process id of the writer, for the message alone.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ibidem.errors import LockedError
from ibidem.store.format import LOCK
from ibidem.system import disk
from ibidem.system.locks import lock, unlock


class WriterLock:
    """The right to write to the index at a path, from ``acquire`` to ``release``."""

    def __init__(self, index: Path) -> None:
        self._index = index
        self._descriptor: int | None = None
        self._lent = False

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._descriptor is not None

    def acquire(self) -> None:
        """Take the lock.

        Raises:
            LockedError: another writer holds it, in this process or another.
        """
        while self._descriptor is None:
            descriptor = self._try()
            # Whoever removes an index removes the file while holding the lock: the lock of a file that has lost its
            # name keeps nobody out.
            if _is_named(descriptor, self._index / LOCK):
                self._descriptor = descriptor
            else:
                os.close(descriptor)
        self._sign(f"{os.getpid()}\n".encode("ascii"))

    @contextmanager
    def lend(self) -> Iterator[None]:
        """Let one writer at a time write under this lock, which is taken for the block if it is not held.

        Raises:
            LockedError: another writer is active.
        """
        if self._lent:
            raise LockedError(self._describe_refusal(str(os.getpid())))
        was_held = self.held
        try:
            if not was_held:
                self.acquire()
            self._lent = True
            yield
        finally:
            self._lent = False
            if not was_held:
                self.release()

    def _try(self) -> int:
        descriptor = disk.open_or_create(self._index / LOCK)
        try:
            lock(descriptor, wait=False)
        except BlockingIOError:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise LockedError(self._describe_refusal(holder)) from None
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def release(self) -> None:
        """Give the lock back; without effect if it is not held."""
        if self._descriptor is not None:
            try:
                self._sign(b"")
            finally:  # an interrupt while it is signed leaves no lock
                descriptor, self._descriptor = self._descriptor, None
                # A forked child holds a copy of the descriptor: closing this one alone would leave the lock with it.
                unlock(descriptor)
                os.close(descriptor)

    def __del__(self) -> None:
        # An interrupt on the way into a `with` block leaves nobody to release the lock.
        self.release()

    def _sign(self, name: bytes) -> None:
        # A full disk must not keep anyone from taking or leaving the lock.
        if self._descriptor is not None:
            with suppress(OSError):
                os.ftruncate(self._descriptor, 0)
                os.lseek(self._descriptor, 0, os.SEEK_SET)
                os.write(self._descriptor, name)

    def _describe_refusal(self, holder: str) -> str:
        if holder == str(os.getpid()):
            return f"{self._index}: this process is already writing to the index"
        who = f"process {holder}" if holder else "another process"
        return f"{self._index}: {who} is writing to the index; wait until it has ended"


def _is_named(descriptor: int, path: Path) -> bool:
    """Whether the open file is the one that is at ``path``."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False
