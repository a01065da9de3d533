"""Batches of texts and of tokens, as the arrays that kernels read, and the protocol of what makes tokens of texts.

A batch is a few arrays, however many texts it holds: the UTF-8 bytes of all texts back to back, and where each begins.
A column of an Arrow table becomes a batch without a Python string being made.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem.ragged import join_bytes

if TYPE_CHECKING:
    import pyarrow as pa


class Texts:
    """The UTF-8 bytes of several texts, back to back; immutable.

    Attributes:
        data: uint8 [B], the bytes. A lone surrogate has the three bytes that Python's ``surrogatepass`` gives it.
        bounds: int64 [n + 1]; text ``i`` is ``data[bounds[i] : bounds[i + 1]]``.

    >>> texts = Texts.from_strings(["né", ""])
    >>> len(texts), texts.nbytes, texts[0]
    (2, 3, 'né')
    """

    __slots__ = ("bounds", "data")

    data: NDArray[np.uint8]
    bounds: NDArray[np.int64]

    def __init__(self, data: ArrayLike, bounds: ArrayLike) -> None:
        self.data = _read_only(np.ascontiguousarray(data, dtype=np.uint8))
        self.bounds = _read_only(np.ascontiguousarray(bounds, dtype=np.int64))
        if self.data.ndim != 1 or self.bounds.ndim != 1 or not len(self.bounds):
            raise ValueError("data and bounds are arrays of one dimension, and bounds has one number more than texts")
        # Kernels trust the bounds.
        if self.bounds[0] != 0 or self.bounds[-1] != len(self.data) or (self.bounds[1:] < self.bounds[:-1]).any():
            raise ValueError(f"bounds must rise from 0 to the number of bytes, {len(self.data)}")

    @classmethod
    def from_strings(cls, strings: Sequence[str]) -> "Texts":
        """Encode ``strings``."""
        if isinstance(strings, str):
            raise TypeError("a batch is made of a sequence of strings, not of one string")
        rows = [string.encode("utf-8", "surrogatepass") for string in strings]
        return cls(*join_bytes(rows))

    @classmethod
    def from_arrow(cls, array: "pa.Array | pa.ChunkedArray") -> "Texts":
        """Read an Arrow column of strings; a single chunk of ``string`` or ``large_string`` is not copied.

        Raises:
            TypeError: the column holds something else than strings.
            ValueError: a row is null; the message gives the row, counted from 0.
        """
        return cls(*_arrow_columns(array))

    def rows(self, first: int, end: int) -> "Texts":
        """The texts ``first`` to ``end``, half open."""
        bounds = self.bounds[first : end + 1]
        return Texts(self.data[bounds[0] : bounds[-1]], bounds - bounds[0])

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def __getitem__(self, index: int) -> str:
        index = range(len(self))[index]
        return str(self.data[self.bounds[index] : self.bounds[index + 1]].tobytes(), "utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"Texts({len(self)} texts, {self.nbytes} bytes)"

    @property
    def nbytes(self) -> int:
        """Bytes of UTF-8 in all texts together."""
        return len(self.data)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    # Numba compiles a kernel anew for writable arrays: one kind of array is one compilation.
    view = array.view()
    view.flags.writeable = False
    return view


def _arrow_columns(array: "pa.Array | pa.ChunkedArray") -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Bytes [B] and bounds [n + 1] of an Arrow column of strings."""
    import pyarrow as pa

    if array.null_count:
        row = array.is_valid().index(False).as_py()
        raise ValueError(f"the text of row {row} is null")
    if array.type not in (pa.string(), pa.large_string()):
        array = _cast_to_strings(array)
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    if not chunks:
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    if len(chunks) > 1:
        chunks = [pa.concat_arrays([chunk.cast(pa.large_string()) for chunk in chunks])]
    return _arrow_buffers(chunks[0])


def _cast_to_strings(array: "pa.Array | pa.ChunkedArray") -> "pa.Array | pa.ChunkedArray":
    import pyarrow as pa

    values = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if not any(test(values) for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)):
        raise TypeError(f"texts are strings, not {array.type}")
    return array.cast(pa.large_string())


def _arrow_buffers(array: "pa.Array") -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    import pyarrow as pa

    if not len(array):
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    _, offsets, values = array.buffers()
    width = np.int32 if array.type == pa.string() else np.int64
    bounds = np.frombuffer(offsets, width)[array.offset : array.offset + len(array) + 1].astype(np.int64)
    data = np.frombuffer(values, np.uint8) if values is not None else np.zeros(0, np.uint8)
    return data[bounds[0] : bounds[-1]], bounds - bounds[0]


class Tokens(NamedTuple):
    """The tokens of a batch of texts, in order.

    Attributes:
        ids: uint32 [T].
        bounds: int64 [n + 1]; the tokens of text ``i`` are ``ids[bounds[i] : bounds[i + 1]]``.
        starts, ends: uint32 [T], the range of each token in code points of its text, half open; ``None`` if offsets
            were not asked for. Starts never decrease within a text.
    """

    ids: NDArray[np.uint32]
    bounds: NDArray[np.int64]
    starts: NDArray[np.uint32] | None = None
    ends: NDArray[np.uint32] | None = None

    def rows(self, first: int, end: int) -> "Tokens":
        """The tokens of the texts ``first`` to ``end``, half open."""
        bounds = self.bounds[first : end + 1]
        low, high = int(bounds[0]), int(bounds[-1])
        spans = (None if column is None else column[low:high] for column in (self.starts, self.ends))
        return Tokens(self.ids[low:high], bounds - low, *spans)


@runtime_checkable
class Tokenizer(Protocol):
    """Turns texts into tokens, each a number below 2^32."""

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``, with their places in code points if ``offsets``."""

    @property
    def config(self) -> dict[str, Any]:
        """A JSON object from which ``make_tokenizer()`` makes the same tokenizer again."""
