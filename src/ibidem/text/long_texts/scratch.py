"""Long texts and their tokens lie in files while they are worked on: memory is bounded, and documents are not.

A file is read through a mapping, whose pages the system takes back when it needs room. It has no name, and is gone with
the process or with the arrays that show it.
"""

import mmap
import tempfile
from typing import Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import StoreError

_Scalar = TypeVar("_Scalar", bound=np.generic)


class Scratch(Generic[_Scalar]):
    """An array that is written to a file of its own, part by part, inside a ``with`` block."""

    def __init__(self, dtype: type[_Scalar]) -> None:
        self._dtype = np.dtype(dtype)
        self._length = 0
        try:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        except OSError as error:
            raise _explain(error) from error

    def append(self, values: NDArray[_Scalar] | bytes) -> None:
        """Write values behind those before.

        Raises:
            StoreError: there is no room for them.
        """
        data = memoryview(values if isinstance(values, bytes) else values.view(np.uint8).data)
        self._length += data.nbytes
        try:
            while data.nbytes:
                data = data[self._file.write(data) :]
        except OSError as error:
            raise _explain(error) from error

    def finish(self) -> NDArray[_Scalar]:
        """All values, read-only; they stay when the block ends."""
        if not self._length:
            return np.empty(0, self._dtype)
        return np.frombuffer(mmap.mmap(self._file.fileno(), self._length, access=mmap.ACCESS_READ), self._dtype)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _explain(error: OSError) -> StoreError:
    return StoreError(
        f"{tempfile.gettempdir()}: a long document needs a temporary file, which cannot be written: "
        f"{error.strerror or error}; make room, or name another folder (TMPDIR)"
    )
