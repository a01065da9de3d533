"""Outputs of tasks as files: one for all that an output holds, a line of JSON and the arrays behind it."""

import mmap
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np

_FILE = "output"

_ALIGNED = 64
"""Arrays begin at multiples of so many bytes behind the line."""

_MAPPED_FROM = 1 << 15
"""Bytes from which on a file is mapped: a task may need a piece of it alone."""


def save_output(output: Any, path: Path) -> None:
    """Write an output, such as a tuple of arrays and numbers, to a new file, or into the folder of its task."""
    with _find_file(path).open("xb") as file:
        _write(output, file)


def append_output(output: Any, path: Path) -> None:
    """Write an output behind those that a file has: what one task gives piece by piece, since memory holds no more."""
    with path.open("ab") as file:
        _write(output, file)


def _write(output: Any, file: IO[bytes]) -> None:
    arrays: list[np.ndarray[Any, Any]] = []
    end = 0

    def encode(value: Any) -> Any:
        nonlocal end
        if not isinstance(value, np.ndarray):
            return value.item()
        start = -(-end // _ALIGNED) * _ALIGNED
        arrays.append(value)
        end = start + value.nbytes
        return start, value.dtype.str, value.shape

    line = msgspec.json.encode(output, enc_hook=encode) + b"\n"
    file.write(line.rjust(-(-len(line) // _ALIGNED) * _ALIGNED))
    for array in arrays:
        file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        file.write(bytes(-file.tell() % _ALIGNED))


def open_as(kind: Any) -> Callable[[Path], Any]:
    """Return a function that opens the file, or the folder, to which ``save_output`` wrote an output of this type."""
    return lambda path: _decode(kind, _open_file(_find_file(path)), 0)[0]


def open_all_as(kind: Any) -> Callable[[Path], list[Any]]:
    """Return a function that opens the file to which ``append_output`` wrote outputs of this type: all of them."""

    def open_outputs(file: Path) -> list[Any]:
        outputs: list[Any] = []
        data, begin = _open_file(file), 0
        while begin < len(data):
            output, begin = _decode(kind, data, begin)
            outputs.append(output)
        return outputs

    return open_outputs


def _decode(kind: Any, data: bytearray | mmap.mmap, begin: int) -> tuple[Any, int]:
    """The output that begins at a byte, and where the next one begins."""
    line_end = data.find(b"\n", begin) + 1
    end = line_end

    def open_array(_: Any, place: tuple[int, str, list[int]]) -> Any:
        nonlocal end
        start, dtype, shape = place
        array: np.ndarray[Any, Any] = np.ndarray(shape, dtype, data, line_end + start)
        end = max(end, line_end + start + array.nbytes)
        return array

    output = msgspec.json.decode(memoryview(data)[begin:line_end], type=kind, dec_hook=open_array)
    return output, -(-end // _ALIGNED) * _ALIGNED


def _find_file(path: Path) -> Path:
    return path / _FILE if path.is_dir() else path


def _open_file(path: Path) -> bytearray | mmap.mmap:
    """The bytes of a file, in memory or mapped. Arrays in it can be written to: kernels are compiled for such."""
    with path.open("rb") as file:
        if path.stat().st_size > _MAPPED_FROM:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        return bytearray(file.read())
