"""k-mins signatures under the names that users of datasketch know."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem.errors import ConfigurationError
from ibidem.hashing import function_seeds
from ibidem.sketches.estimates import Estimate
from ibidem.sketches.signatures import KMins


class MinHashKeywords(TypedDict, total=False):
    """The choices behind a signature, as the keywords of a call."""

    num_perm: int
    seed: int
    hashfunc: Callable[[Any], int] | None


class MinHash:
    """A signature of a set, from which its Jaccard similarity with others is estimated.

    It has the methods of ``datasketch.MinHash``, not its hash functions: signatures of the two do not mix. Values have
    64 bits; elements may be strings and numbers besides bytes; ``jaccard`` gives an estimate that knows its confidence
    interval; ``to_bytes`` and ``from_bytes`` need no pickle.

    Args:
        num_perm: how many hash functions.
        seed: names them.
        hashfunc: turns an element into a number below 2^64; xxh3 of its bytes by default.
        hashvalues: the state of another signature of the same seed, in the place of ``num_perm``.

    Raises:
        ValueError: a number of functions, a seed or hash values that cannot be.

    >>> one, other = MinHash(), MinHash()
    >>> one.update_batch("a rose is a rose".split())
    >>> other.update_batch([b"a", b"rose", b"is", b"red"])
    >>> estimate = one.jaccard(other)  # of 0.75
    >>> estimate, [round(end, 2) for end in estimate.interval(0.95)]
    (0.7734375, [0.69, 0.84])
    """

    def __init__(
        self,
        num_perm: int = 128,
        seed: int = 0,
        hashfunc: Callable[[Any], int] | None = None,
        hashvalues: ArrayLike | None = None,
    ) -> None:
        if hashfunc is not None and not callable(hashfunc):
            raise ValueError(f"a hash function can be called, and {hashfunc!r} cannot")
        self.hashfunc = hashfunc
        if hashvalues is None:
            self._sketch = KMins(num_perm, seed)
        else:
            self._sketch = KMins.with_values(np.array(hashvalues, np.uint64), seed)

    @property
    def num_perm(self) -> int:
        """How many hash functions."""
        return self._sketch.num_hashes

    @property
    def seed(self) -> int:
        """The seed that names the hash functions."""
        return self._sketch.seed

    @property
    def hashvalues(self) -> NDArray[np.uint64]:
        """The smallest value of each function, uint64 [num_perm]; a view that cannot be written to."""
        view = self._sketch.values.view()
        view.flags.writeable = False
        return view

    @property
    def permutations(self) -> NDArray[np.uint64]:
        """The numbers that name the functions, uint64 [num_perm]; equal for signatures that may meet."""
        return function_seeds(self.seed, self.num_perm)

    def update(self, b: object) -> None:
        """Add an element."""
        self.update_batch([b])

    def update_batch(self, b: Iterable[object] | NDArray[Any]) -> None:
        """Add elements; one call with many is much faster than many calls."""
        elements: Any = b if self.hashfunc is None else [self.hashfunc(element) for element in b]
        self._sketch.update(elements)

    def jaccard(self, other: "MinHash") -> Estimate:
        """An unbiased estimate of the similarity of both sets.

        Raises:
            ValueError: the signatures have other functions.
        """
        return self._sketch.resemblance(self._alike(other))

    def count(self) -> float:
        """An estimate of the number of distinct elements."""
        return self._sketch.count()

    def merge(self, other: "MinHash") -> None:
        """Make this the signature of the union of both sets.

        Raises:
            ValueError: the signatures have other functions.
        """
        self._sketch.merge(self._alike(other))

    @classmethod
    def union(cls, *mhs: "MinHash") -> Self:
        """The signature of the union of two sets or more."""
        if len(mhs) < 2:
            raise ValueError("a union is made of two signatures or more")
        union_signature = cls(hashvalues=mhs[0].hashvalues, seed=mhs[0].seed, hashfunc=mhs[0].hashfunc)
        for other in mhs[1:]:
            union_signature.merge(other)
        return union_signature

    @classmethod
    def bulk(cls, b: Iterable[Iterable[object]], **minhash_kwargs: Unpack[MinHashKeywords]) -> list[Self]:
        """The signatures of many sets; the other arguments are those of the class."""
        return list(cls.generator(b, **minhash_kwargs))

    @classmethod
    def generator(cls, b: Iterable[Iterable[object]], **minhash_kwargs: Unpack[MinHashKeywords]) -> Iterator[Self]:
        """The same, one after the other."""
        for elements in b:
            signature = cls(**minhash_kwargs)
            signature.update_batch(elements)
            yield signature

    def digest(self) -> NDArray[np.uint64]:
        """A copy of the hash values."""
        return self._sketch.values.copy()

    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return self._sketch.is_empty()

    def clear(self) -> None:
        """Forget what was added."""
        self._sketch = KMins(self.num_perm, self.seed)

    def copy(self) -> "MinHash":
        """A signature that shares nothing with this one."""
        signature = MinHash.__new__(MinHash)
        signature.hashfunc, signature._sketch = self.hashfunc, self._sketch.copy()
        return signature

    def to_bytes(self) -> bytes:
        """The bytes of a ``KMins`` sketch; ``hashfunc`` is not among them."""
        return self._sketch.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes, hashfunc: Callable[[Any], int] | None = None) -> Self:
        """Read what ``to_bytes`` wrote.

        Raises:
            IbidemError: the bytes are damaged, of a newer format, or of another sketch.
        """
        read = KMins.from_bytes(data)
        return cls(hashvalues=read.values, seed=read.seed, hashfunc=hashfunc)

    def __len__(self) -> int:
        return self.num_perm

    def __eq__(self, other: object) -> bool:
        return self._sketch == other._sketch if isinstance(other, MinHash) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it changes by update

    def __repr__(self) -> str:
        return f"MinHash(num_perm={self.num_perm}, seed={self.seed})"

    def _alike(self, other: "MinHash") -> KMins:
        """The sketch of another signature of the same functions."""
        if not isinstance(other, MinHash):
            raise TypeError(f"a MinHash meets a MinHash, not a {type(other).__name__}")
        try:
            self._sketch.require_alike(other._sketch)
        except ConfigurationError as error:  # what users of datasketch catch
            raise ValueError(f"these signatures have other functions: {error}") from error
        return other._sketch
