"""The memory and threads that long work may take, and the callback that receives its progress."""

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Self

from ibidem.arguments import count_threads

Tell = Callable[[str, int, int | None], None]
"""Called with a phase, the amount done, and the total, or ``None`` where that is not known."""

Progress = Tell | Literal[True]
"""Receives the progress of long work; ``True`` has it shown on standard error."""

_LARGEST_BATCH = 8 << 20
_BATCHES = 64
"""A batch has one part in so many of the memory: tokens take three times the text, and a thread has two batches."""


class Closing(ABC):
    """A value that a ``with`` block closes at its end."""

    @abstractmethod
    def close(self) -> None:
        """Release the resources that the value holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Resources(NamedTuple):
    """The limits of long work, and the callback for its progress.

    Attributes:
        memory: bytes to stay within, more or less.
        workers: threads.
        tell: called with the progress of the work.
    """

    memory: int
    workers: int
    tell: Tell

    @classmethod
    def of(cls, memory: str | int, threads: int | None, progress: Progress | None) -> "Resources":
        """Read the arguments of a call: memory such as ``"1G"``, threads as many as the machine has cores if not given.

        Raises:
            ValueError: that is no size of memory, or less than 64 MiB; or no number of threads.
        """
        return cls(memory_bytes(memory), count_threads(threads), as_tell(progress))

    def silence(self) -> "Resources":
        """The same without a callback."""
        return self._replace(tell=lambda phase, done, total: None)

    @property
    def batch_bytes(self) -> int:
        """Bytes of text of a batch of documents: several batches are in memory at a time, each with its tokens."""
        return max(1, min(_LARGEST_BATCH, self.memory // _BATCHES))

    def pool(self) -> AbstractContextManager[ThreadPoolExecutor]:
        """Threads; an exception cancels the tasks that they have not begun."""
        from ibidem.parallel import pool_of  # which needs numpy, and naming a collection does not

        return pool_of(self.workers)


def as_tell(progress: Progress | None) -> Tell:
    """The function that receives progress, as a caller asks for it."""
    if progress is True:
        from ibidem.progress import show_progress

        return show_progress()
    return progress or (lambda phase, done, total: None)


def give_back_memory() -> None:
    """Give memory that was freed back to the system, where the C library can do that (glibc).

    It keeps freed memory for each thread, and this adds up over many steps of long work.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def memory_bytes(memory: str | int) -> int:
    """Bytes of a size such as ``"512M"`` or ``"1.5G"``.

    Raises:
        ValueError: that is no size, or less than 64 MiB.
    """
    size = parse_size(memory)
    if size < 64 << 20:
        raise ValueError(f"building needs a memory size of 64M or more, not {memory!r}")
    return size


def parse_size(size: str | int) -> int:
    """Bytes of a size such as ``"512M"`` or ``"1.5G"``.

    Raises:
        ValueError: that is no size.
    """
    units = {"K": 10, "M": 20, "G": 30, "T": 40}
    try:
        text = str(size).strip().upper().removesuffix("IB").removesuffix("B")
        shift = units.get(text[-1:], 0)
        return int(float(text[:-1] if shift else text) * (1 << shift))
    except (ValueError, OverflowError):
        raise ValueError(f"a memory size is a number of bytes or reads like 512M or 1.5G, not {size!r}") from None
