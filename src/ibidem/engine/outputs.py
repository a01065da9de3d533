"""Outputs of tasks as files: one of JSON for all that an output holds, and one for each array in it."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

_FILE = "output.json"

_MAPPED_FROM = 1 << 15
"""Bytes from which on a file is mapped: a task may need a piece of it alone."""


def save_output(output: Any, folder: Path) -> None:
    """Write an output, such as a tuple of arrays and numbers, to the folder of its task."""
    numbers = count()

    def encode(value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value.item()
        number = next(numbers)
        np.save(folder / f"{number}.npy", value)
        return number

    (folder / _FILE).write_bytes(msgspec.json.encode(output, enc_hook=encode))


def open_as(kind: Any) -> Callable[[Path], Any]:
    """Return a function that opens the folder to which ``save_output`` wrote an output of this type."""

    def open_output(folder: Path) -> Any:
        data = (folder / _FILE).read_bytes()
        return msgspec.json.decode(data, type=kind, dec_hook=lambda _, number: open_array(folder / f"{number}.npy"))

    return open_output


def open_array(file: Path) -> Any:
    """The array in a file. It has the type of one in memory: kernels are compiled for that."""
    return np.asarray(np.load(file, mmap_mode="c" if file.stat().st_size > _MAPPED_FROM else None))


def map_zeros(file: Path, dtype: type[np.generic], count: int) -> Any:
    """Zeros in a new file, mapped; what is not written to takes no room."""
    if count:
        # A mapping of another mode would keep written data in memory.
        return np.asarray(np.lib.format.open_memmap(file, "w+", np.dtype(dtype), (count,)))
    np.save(file, np.zeros(0, dtype))
    return np.zeros(0, dtype)
