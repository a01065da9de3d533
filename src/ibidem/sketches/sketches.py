"""The interface of every sketch of a set: it grows, merges, is compared, written and read.

The bytes of a sketch, all numbers little-endian and unsigned (docs/format.md has the table): a header of 32 bytes, the
values of 8 bytes each, and the xxh3 checksum of all before it.
"""

import struct
from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple, Self

import numpy as np
import xxhash
from numpy.typing import NDArray

from ibidem.errors import ConfigurationError, DamagedError, FormatVersionError
from ibidem.hashing import function_seeds
from ibidem.kernels import kernel
from ibidem.sketches.elements import Elements, elements_of
from ibidem.sketches.estimates import Estimate

_Values = NDArray[np.uint64]

MAGIC = b"IBsk"
FORMAT_VERSION = 1
HEADER = struct.Struct("<4sBBHQQQ")
_CHECKSUM = struct.Struct("<Q")

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""The smallest hash value where there is none."""


def checksum(data: bytes) -> bytes:
    """The last eight bytes of a sketch, given the others."""
    return _CHECKSUM.pack(xxhash.xxh3_64_intdigest(data))


class Sketch(ABC):
    """A few hash values of a set, from which its similarity with another set is estimated.

    Elements are numbers below 2^64, strings or bytes; how often one is given makes no difference. Sketches meet if
    they are of one class, and were made with one ``num_hashes`` and one ``seed``.

    Attributes:
        num_hashes: how much is kept; its meaning is that of the class.
        seed: names the hash functions, from 0 to 2^64 - 1.
        values: uint64, the hash values that are kept.
    """

    kind: ClassVar[int]
    """The number of the class in the bytes of its sketches."""

    size_name: ClassVar[str] = "num_hashes"
    """The name that the class gives to the number of values kept."""

    def __init__(self, num_hashes: int, seed: int = 0) -> None:
        if not self._least_size() <= num_hashes < 2**32:
            raise ValueError(
                f"the {self.size_name} of a {self._name()} is {self._least_size()} to 2^32 - 1, not {num_hashes}"
            )
        if not 0 <= seed < 2**64:
            raise ValueError(f"a seed is a number from 0 to 2^64 - 1, not {seed}")
        self.num_hashes = int(num_hashes)
        self.seed = int(seed)
        self.values: _Values = self._make_empty()

    @classmethod
    def of(cls, elements: Elements, num_hashes: int | None = None, seed: int = 0) -> Self:
        """The sketch of a set of elements."""
        sketch = cls(seed=seed) if num_hashes is None else cls(num_hashes, seed)  # type: ignore[call-arg]  # a class has its default
        sketch.update(elements)
        return sketch

    def update(self, elements: Elements) -> None:
        """Add elements to the set.

        Raises:
            TypeError, ValueError: something among them is no element; nothing is added then.
        """
        self._take(elements_of(elements))

    def merge(self, other: Self) -> None:
        """Add the set of another sketch to this one.

        Raises:
            ConfigurationError: the sketches cannot be compared.
        """
        self.require_alike(other)
        self._join(other)

    def union(self, *others: Self) -> Self:
        """A sketch of the union of this set and of others.

        Raises:
            ConfigurationError: the sketches cannot be compared.
        """
        union_sketch = self.copy()
        for other in others:
            union_sketch.merge(other)
        return union_sketch

    @abstractmethod
    def resemblance(self, other: Self) -> Estimate:
        """An unbiased estimate of the Jaccard similarity of both sets; two empty sets are alike, 1.

        Raises:
            ConfigurationError: the sketches cannot be compared.
        """

    def copy(self) -> Self:
        """A sketch that shares nothing with this one."""
        sketch = type(self)(self.num_hashes, self.seed)
        sketch.values = self.values.copy()
        sketch._level = self._level
        return sketch

    def to_bytes(self) -> bytes:
        """The sketch as documented bytes, the same on every machine."""
        header = HEADER.pack(
            MAGIC, FORMAT_VERSION, self.kind, self._level, self.seed, self.num_hashes, len(self.values)
        )
        data = header + self.values.astype("<u8").tobytes()
        return data + checksum(data)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read what ``to_bytes`` wrote.

        Raises:
            DamagedError: the bytes are no sketch, or not as they were written.
            FormatVersionError: a newer ibidem wrote them.
            ConfigurationError: they are a sketch of another class.
        """
        if len(data) < HEADER.size + _CHECKSUM.size or not data.startswith(MAGIC):
            raise DamagedError(f"{len(data)} bytes that are no sketch")
        _, version, kind, level, seed, size, count = HEADER.unpack_from(data)
        if version > FORMAT_VERSION:
            raise FormatVersionError(f"a sketch in format {version}; this ibidem reads {FORMAT_VERSION}: update ibidem")
        body = data[: -_CHECKSUM.size]
        if len(body) != HEADER.size + 8 * count or data[len(body) :] != checksum(body):
            raise DamagedError(f"a sketch of {len(data)} bytes that are not as they were written")
        if kind != cls.kind:
            raise ConfigurationError(f"a sketch of kind {kind}, and a {cls._name()} is of kind {cls.kind}")
        return cls._restore(size, seed, level, np.frombuffer(body, "<u8", offset=HEADER.size).astype(np.uint64))

    def require_alike(self, other: "Sketch") -> None:
        """Raise a ``ConfigurationError`` that says why, if the two sketches cannot be compared."""
        if type(self) is not type(other):
            raise ConfigurationError(f"a {self._name()} cannot be compared with a {type(other).__name__}")
        for name in (self.size_name, "seed"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise ConfigurationError(
                    f"a {self._name()} of {name} {mine} cannot be compared with one of {name} {theirs}"
                )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sketch) or type(self) is not type(other):
            return NotImplemented
        mine, theirs = ((sketch.num_hashes, sketch.seed, sketch._level) for sketch in (self, other))
        return mine == theirs and np.array_equal(self.values, other.values)

    __hash__ = None  # type: ignore[assignment]  # it changes by update

    def __repr__(self) -> str:
        return f"{self._name()}({self.size_name}={self.num_hashes}, seed={self.seed}), {len(self.values)} values"

    # Properties that each class declares.

    _level = 0
    """A second number that some classes keep."""

    @classmethod
    def _least_size(cls) -> int:
        return 1

    def _make_empty(self) -> _Values:
        """The values of the empty set."""
        return np.zeros(0, np.uint64)

    @abstractmethod
    def _take(self, elements: _Values) -> None:
        """Add elements, uint64 [n], to the values."""

    @abstractmethod
    def _join(self, other: Self) -> None:
        """Add the values of another sketch."""

    @abstractmethod
    def _holds_together(self) -> bool:
        """Whether the values can be those of such a sketch."""

    @classmethod
    def _restore(cls, num_hashes: int, seed: int, level: int, values: _Values) -> Self:
        try:
            sketch = cls(num_hashes, seed)
        except ValueError as error:
            raise DamagedError(f"a sketch that cannot be: {error}") from error
        sketch.values, sketch._level = values, level
        if not sketch._holds_together():
            raise DamagedError(f"a sketch whose values are not those of a {cls._name()}")
        return sketch

    @classmethod
    def _name(cls) -> str:
        return cls.__name__


def one_function(seed: int) -> np.uint64:
    """The function of a sketch that needs only one."""
    return np.uint64(function_seeds(seed, 1)[0])


def is_ascending(values: _Values) -> bool:
    """Whether no value is larger than the next or the same."""
    return bool((values[1:] > values[:-1]).all())


class Overlap(NamedTuple):
    """Numbers of values: in the first sample, in both, and in either."""

    first: int
    both: int
    either: int


def compare_samples(a: NDArray[np.uint64], b: NDArray[np.uint64], most: int | None = None) -> Overlap:
    """Compare two samples, ascending and without repeated values, over the ``most`` smallest values of their union."""
    return Overlap(*_count_overlap(a, b, len(a) + len(b) if most is None else most))


@kernel
def _count_overlap(a: NDArray[np.uint64], b: NDArray[np.uint64], most: int) -> tuple[int, int, int]:
    i = j = first = both = either = 0
    while either < most and (i < a.shape[0] or j < b.shape[0]):
        in_a = j == b.shape[0] or (i < a.shape[0] and a[i] <= b[j])
        in_b = i == a.shape[0] or (j < b.shape[0] and b[j] <= a[i])
        i, j = i + in_a, j + in_b
        first, both, either = first + in_a, both + (in_a and in_b), either + 1
    return first, both, either
