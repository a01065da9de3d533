"""Signatures of sets, and an index of them in memory, under the names that users of datasketch type.

``from datasketch import MinHash, MinHashLSH`` becomes ``from ibidem.sketches.datasketch import MinHash, MinHashLSH``.
The guide has a table of what is supported, and of what differs.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, KeysView
from contextlib import contextmanager
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem.agreement.banding import Banding
from ibidem.errors import ConfigurationError
from ibidem.hashing import GOLDEN, function_seeds, mix64
from ibidem.kernels import kernel
from ibidem.rounding import reaches
from ibidem.sketches.elements import Elements, elements_of
from ibidem.sketches.estimates import Estimate
from ibidem.sketches.signatures import KMins
from ibidem.sketches.sketches import compare_samples

__all__ = ["LeanMinHash", "MinHash", "MinHashLSH", "WeightedMinHash", "WeightedMinHashGenerator"]

HashFunction = Callable[[Any], int]
"""Turns an element into a number below 2^64."""

_Floats = NDArray[np.float64]


class MinHash:
    """A signature of a set, from which its Jaccard similarity with others is estimated.

    It has the methods of ``datasketch.MinHash``, not its hash functions: signatures of the two do not mix. Values have
    64 bits; elements may be strings and numbers besides bytes; ``jaccard`` gives an estimate that knows its confidence
    interval. What takes another signature raises a ``ValueError`` if that has other functions.

    Args:
        num_perm: how many hash functions.
        seed: names them.
        hashfunc: xxh3 of the bytes of an element by default.
        hashvalues: the values of another signature of the same seed, in the place of ``num_perm``.

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
        hashfunc: HashFunction | None = None,
        hashvalues: ArrayLike | None = None,
    ) -> None:
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

    def update(self, b: object) -> None:
        """Add an element."""
        self.update_batch([b])

    def update_batch(self, b: Iterable[object] | NDArray[Any]) -> None:
        """Add elements; one call with many is much faster than many calls."""
        elements: Any = b if self.hashfunc is None else [self.hashfunc(element) for element in b]
        self._sketch.update(elements)

    def jaccard(self, other: "MinHash") -> Estimate:
        """Estimate the similarity of both sets, without bias."""
        return self._sketch.resemblance(self._require_alike(other))

    def count(self) -> float:
        """Estimate the number of distinct elements."""
        return self._sketch.count()

    def merge(self, other: "MinHash") -> None:
        """Make this the signature of the union of both sets."""
        self._sketch.merge(self._require_alike(other))

    @classmethod
    def union(cls, *mhs: "MinHash") -> Self:
        """Make the signature of the union of two sets or more."""
        if len(mhs) < 2:
            raise ValueError("a union is made of two signatures or more")
        signature = cls._wrap(mhs[0]._sketch.copy(), mhs[0].hashfunc)
        for other in mhs[1:]:
            signature.merge(other)
        return signature

    @classmethod
    def bulk(
        cls, b: Iterable[Iterable[object]], num_perm: int = 128, seed: int = 0, hashfunc: HashFunction | None = None
    ) -> list["MinHash"]:
        """Make the signatures of many sets; the other arguments are those of the class."""
        signatures = []
        for elements in b:
            signatures.append(MinHash(num_perm, seed, hashfunc))
            signatures[-1].update_batch(elements)
        return signatures

    def digest(self) -> NDArray[np.uint64]:
        """Copy the hash values."""
        return self._sketch.values.copy()

    def is_empty(self) -> bool:
        """Return whether nothing was added."""
        return self._sketch.is_empty()

    def clear(self) -> None:
        """Forget what was added."""
        self._sketch = KMins(self.num_perm, self.seed)

    def copy(self) -> Self:
        """Copy the signature; the copy shares nothing with this one."""
        return self._wrap(self._sketch.copy(), self.hashfunc)

    def __len__(self) -> int:
        return self.num_perm

    def __eq__(self, other: object) -> bool:
        return self._sketch == other._sketch if isinstance(other, MinHash) else NotImplemented

    __hash__: Any = None  # it changes by update

    def __repr__(self) -> str:
        return f"{type(self).__name__}(num_perm={self.num_perm}, seed={self.seed})"

    @classmethod
    def _wrap(cls, sketch: KMins, hashfunc: HashFunction | None) -> Self:
        signature = cls.__new__(cls)
        signature._sketch, signature.hashfunc = sketch, hashfunc
        return signature

    def _require_alike(self, other: "MinHash") -> KMins:
        """Return the sketch of another signature, which must be of the same functions."""
        if not isinstance(other, MinHash):
            raise TypeError(f"a MinHash meets a MinHash, not a {type(other).__name__}")
        try:
            self._sketch.require_alike(other._sketch)
        except ConfigurationError as error:  # users of datasketch catch a ValueError
            raise ValueError(f"these signatures have other functions: {error}") from error
        return other._sketch


class LeanMinHash(MinHash):
    """A signature to which no element can be added; it can be written to a buffer and be the key of a dictionary.

    It takes as much memory as a ``MinHash``, which keeps nothing but its values either.

    >>> lean = LeanMinHash(MinHash.bulk([["a", "rose"]])[0])
    >>> buffer = bytearray(lean.bytesize())
    >>> lean.serialize(buffer)
    >>> LeanMinHash.deserialize(buffer) == lean
    True
    """

    def __init__(
        self, minhash: MinHash | None = None, seed: int | None = None, hashvalues: ArrayLike | None = None
    ) -> None:
        if minhash is not None:
            seed, hashvalues = minhash.seed, minhash.hashvalues
        if seed is None or hashvalues is None:
            raise ValueError("a LeanMinHash is made of a MinHash, or of a seed and hash values")
        super().__init__(seed=seed, hashvalues=hashvalues)

    def update_batch(self, b: Iterable[object] | NDArray[Any]) -> None:
        """Raise a ``TypeError``."""
        raise TypeError("no element can be added to a LeanMinHash")

    def bytesize(self) -> int:
        """Return how many bytes ``serialize`` writes."""
        return len(self._sketch.to_bytes())

    def serialize(self, buf: bytearray | memoryview) -> None:
        """Write the signature to the beginning of a buffer; a ``ValueError`` says that it is too small."""
        data = self._sketch.to_bytes()
        if len(buf) < len(data):
            raise ValueError(f"a signature of {len(data)} bytes does not fit in a buffer of {len(buf)}")
        buf[: len(data)] = data

    @classmethod
    def deserialize(cls, buf: bytes | bytearray | memoryview) -> Self:
        """Read what ``serialize`` wrote to a buffer of ``bytesize()`` bytes; an ``IbidemError`` if it is damaged."""
        return cls._wrap(KMins.from_bytes(bytes(buf)), None)

    def __hash__(self) -> int:
        return hash((self.seed, self.hashvalues.tobytes()))


class WeightedMinHash:
    """A signature of a weighted set, made by a ``WeightedMinHashGenerator``.

    Args:
        seed: that of the generator.
        hashvalues: int64 [sample_size, 2], for each function the dimension and the level of its weight.
    """

    def __init__(self, seed: int, hashvalues: ArrayLike) -> None:
        values = np.array(hashvalues, np.int64)
        if values.ndim != 2 or values.shape[1:] != (2,) or not len(values):
            raise ValueError(f"hash values are pairs of a dimension and a level, and not of shape {values.shape}")
        values.flags.writeable = False
        self.seed = int(seed)
        self.hashvalues: NDArray[np.int64] = values

    def jaccard(self, other: "WeightedMinHash") -> Estimate:
        """Estimate the weighted Jaccard similarity, without bias; a ``ValueError`` says that the functions differ."""
        if not isinstance(other, WeightedMinHash):
            raise TypeError(f"a WeightedMinHash meets a WeightedMinHash, not a {type(other).__name__}")
        if (self.seed, len(self)) != (other.seed, len(other)):
            raise ValueError(f"these signatures have other functions: {self!r} and {other!r}")
        agreeing = (self.hashvalues == other.hashvalues).all(axis=1)
        return Estimate.of(int(np.count_nonzero(agreeing)), len(self))

    def digest(self) -> NDArray[np.int64]:
        """Copy the hash values."""
        return self.hashvalues.copy()

    def copy(self) -> "WeightedMinHash":
        """Copy the signature; the copy shares nothing with this one."""
        return WeightedMinHash(self.seed, self.hashvalues)

    def __len__(self) -> int:
        return len(self.hashvalues)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeightedMinHash):
            return NotImplemented
        return self.seed == other.seed and np.array_equal(self.hashvalues, other.hashvalues)

    __hash__ = None  # type: ignore[assignment]  # as datasketch has it

    def __repr__(self) -> str:
        return f"WeightedMinHash(seed={self.seed}), {len(self)} values"


class WeightedMinHashGenerator:
    """Makes signatures of weighted sets over ``dim`` elements; a set is the vector of its weights.

    It is consistent weighted sampling (Ioffe, ICDM 2010): each function draws an element and a level of its weight, the
    same for two sets with a probability equal to their weighted Jaccard similarity, the sum of the smaller weights over
    that of the larger ones. The random numbers come from ``ibidem.hashing`` and not from numpy's generators, so
    signatures are the same under every version. They take 24 bytes for each element and function.

    Args:
        dim: how many elements there are.
        sample_size: how many functions.
        seed: names them.

    >>> one, other = WeightedMinHashGenerator(3, 256).minhash_many([[1, 4, 2], [1, 1, 2]])
    >>> one.jaccard(other)  # of 4 / 7
    0.5859375
    """

    def __init__(self, dim: int, sample_size: int = 128, seed: int = 0) -> None:
        if dim < 1 or sample_size < 1:
            raise ValueError(f"there is 1 element and 1 function or more, not {dim} and {sample_size}")
        if not 0 <= seed < 2**64:
            raise ValueError(f"a seed is a number from 0 to 2^64 - 1, not {seed}")
        self.dim, self.sample_size, self.seed = int(dim), int(sample_size), int(seed)
        self.rs, self.ln_cs, self.betas = _draw(self.dim, function_seeds(self.seed, self.sample_size))

    def minhash(self, v: ArrayLike) -> WeightedMinHash:
        """Make the signature of a set of weights, [dim], not negative and not all 0; a ``ValueError`` if it is none."""
        signature = self._sample(v)
        if signature is None:
            raise ValueError("a weighted set whose weights are all 0 has no signature")
        return signature

    def minhash_many(self, X: Any) -> list[WeightedMinHash | None]:
        """Make the signatures of many sets of weights, [sets, dim]: an array or a sparse matrix of scipy.

        Returns ``None`` in the place of a set whose weights are all 0.
        """
        rows = (row.toarray().ravel() for row in X.tocsr()) if hasattr(X, "tocsr") else X
        return [self._sample(row) for row in rows]

    def _sample(self, values: ArrayLike) -> WeightedMinHash | None:
        weights = np.asarray(values, np.float64)
        if weights.shape != (self.dim,):
            raise ValueError(f"weights of {self.dim} elements are expected, not of shape {weights.shape}")
        if not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise ValueError("weights are finite numbers from 0")
        if not weights.any():
            return None
        return WeightedMinHash(self.seed, _sample(weights, self.rs, self.ln_cs, self.betas))


@kernel
def _draw(dim: int, seeds: NDArray[np.uint64]) -> tuple[_Floats, _Floats, _Floats]:
    """Draw for each function and element ``r``, ``ln c`` and ``β``, float64 [functions, dim].

    ``r`` and ``c`` are from Gamma(2, 1), a sum of two exponential variables, ``-ln(u v)``; ``β`` is from 0 to 1.
    """
    shape = (seeds.shape[0], dim)
    rs, ln_cs, betas = np.empty(shape), np.empty(shape), np.empty(shape)
    for function in range(seeds.shape[0]):
        for element in range(dim):
            state = mix64(mix64(np.uint64(element) + GOLDEN) ^ seeds[function])
            uniform = np.empty(5)
            for lane in range(5):
                state = state + GOLDEN
                uniform[lane] = (np.float64(mix64(state) >> np.uint64(11)) + 0.5) * 2.0**-53
            rs[function, element] = -math.log(uniform[0] * uniform[1])
            ln_cs[function, element] = math.log(-math.log(uniform[2] * uniform[3]))
            betas[function, element] = uniform[4]
    return rs, ln_cs, betas


def _sample(weights: _Floats, rs: _Floats, ln_cs: _Floats, betas: _Floats) -> NDArray[np.int64]:
    """Find for each function the element of least ``ln a`` and its level ``t`` (Ioffe, section 3), int64 [k, 2]."""
    elements = np.flatnonzero(weights)
    rs, ln_cs, betas = rs[:, elements], ln_cs[:, elements], betas[:, elements]
    levels = np.floor(np.log(weights[elements]) / rs + betas)
    least = (ln_cs - rs * (levels - betas) - rs).argmin(axis=1)
    return np.stack([elements[least], levels[np.arange(len(least)), least].astype(np.int64)], axis=1)


Signature = MinHash | WeightedMinHash


class _Entry(NamedTuple):
    place: int  # in the order of insertion
    minhash: Any
    elements: NDArray[np.uint64] | None


class MinHashLSH:
    """Finds the sets that are similar to a set, by bands of their signatures.

    It has the methods of ``datasketch.MinHashLSH`` for an index in memory. Differences: ``query`` gives keys in the
    order in which they were inserted, and verifies them if asked to: exactly where the elements themselves were given,
    otherwise by the whole signatures. Signatures of another seed are refused.

    Args:
        threshold: the similarity that matters, from 0 to 1.
        num_perm: the functions of the signatures.
        weights: of false positives and of false negatives, for the choice of bands.
        params: bands and rows, in the place of that choice.

    >>> index = MinHashLSH(threshold=0.5, num_perm=128)
    >>> for line in ("a rose is a rose", "a rose is red", "in the same place"):
    ...     [minhash] = MinHash.bulk([line.split()])
    ...     index.insert(line, minhash, elements=line.split())
    >>> index.query(MinHash.bulk([["a", "rose", "is"]])[0], elements=["a", "rose", "is"])
    ['a rose is a rose', 'a rose is red']
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        weights: tuple[float, float] = (0.5, 0.5),
        params: tuple[int, int] | None = None,
    ) -> None:
        chosen = Banding.for_threshold(threshold, num_perm, *weights)
        self.b, self.r = chosen if params is None else params
        if self.b < 1 or self.r < 1 or self.b * self.r > num_perm:
            raise ValueError(f"{self.b} bands of {self.r} rows cannot be cut from {num_perm} values")
        self.threshold, self.h = float(threshold), int(num_perm)
        self._inserted = 0
        self._entries: dict[Hashable, _Entry] = {}
        self._tables: list[dict[bytes, dict[Hashable, None]]] = [{} for _ in range(self.b)]

    @property
    def keys(self) -> KeysView[Hashable]:
        """The keys, in the order in which they were inserted."""
        return self._entries.keys()

    def insert(
        self, key: Hashable, minhash: Signature, check_duplication: bool = True, *, elements: Elements | None = None
    ) -> None:
        """Add a set under a key.

        Args:
            key: names the set.
            minhash: its signature, of the same kind and functions as all of the index.
            check_duplication: raise a ``ValueError`` if the key is there; otherwise its set is replaced.
            elements: the set itself, against which a query is verified exactly. It is kept as 8 bytes an element.
        """
        self._require_alike(minhash)
        distinct_elements = None if elements is None else np.unique(elements_of(elements))
        if key in self._entries:
            if check_duplication:
                raise ValueError(f"the key {key!r} is in the index already")
            self.remove(key)
        self._inserted += 1
        self._entries[key] = _Entry(self._inserted, minhash.copy(), distinct_elements)
        for table, band in self._bands_of(minhash):
            table.setdefault(band, {})[key] = None

    @contextmanager
    def insertion_session(self, buffer_size: int = 50_000) -> Iterator["MinHashLSH"]:
        """Give the index itself to a ``with`` block: it lies in memory and needs no buffer."""
        yield self

    def query(self, minhash: Signature, *, verify: bool = False, elements: Elements | None = None) -> list[Hashable]:
        """Find the keys of sets that are likely to be similar to a set, in the order in which they were inserted.

        Args:
            minhash: the signature of the set.
            verify: leave out those whose estimated similarity, by the whole signature, is below the threshold.
            elements: the set itself: leave out those whose *exact* similarity is below the threshold. All sets that
                are found must have been inserted with theirs.
        """
        self._require_alike(minhash)
        candidates = {key for table, band in self._bands_of(minhash) for key in table.get(band, ())}
        keys = sorted(candidates, key=lambda key: self._entries[key].place)
        if elements is not None:
            query_elements = np.unique(elements_of(elements))
            return [key for key in keys if reaches(self._resemblance(query_elements, key), self.threshold)]
        if verify:
            return [key for key in keys if reaches(minhash.jaccard(self._entries[key].minhash), self.threshold)]
        return keys

    def remove(self, key: Hashable) -> None:
        """Take a set out; a ``ValueError`` says that the key is not in the index."""
        if key not in self._entries:
            raise ValueError(f"the key {key!r} is not in the index")
        for table, band in self._bands_of(self._entries.pop(key).minhash):
            del table[band][key]
            if not table[band]:
                del table[band]

    def merge(self, other: "MinHashLSH", check_overlap: bool = False) -> None:
        """Insert all that is in another index of the same bands, whose sets replace those of the same keys.

        Raises:
            ValueError: the indexes have other bands or functions, or a key in common although ``check_overlap`` is
                set; nothing is inserted then.
        """
        if (self.h, self.b, self.r) != (other.h, other.b, other.r):
            raise ValueError(f"an index of {self!r} cannot take in one of {other!r}")
        if check_overlap and (common := self.keys & other.keys):
            raise ValueError(f"keys such as {next(iter(common))!r} are in both indexes")
        for key, entry in list(other._entries.items()):  # signatures of one index are alike: the first raises or none
            self.insert(key, entry.minhash, check_duplication=False, elements=entry.elements)

    def is_empty(self) -> bool:
        """Return whether nothing is in the index."""
        return not self._entries

    def get_counts(self) -> list[dict[bytes, int]]:
        """Count for each band how many sets share each of its values."""
        return [{band: len(keys) for band, keys in table.items()} for table in self._tables]

    def __contains__(self, key: Hashable) -> bool:
        return key in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        choices = f"threshold={self.threshold}, num_perm={self.h}, params=({self.b}, {self.r})"
        return f"MinHashLSH({choices}), {len(self)} keys"

    def _require_alike(self, minhash: Signature) -> None:
        """Raise a ``ValueError`` for a signature unlike those of the index, which are alike."""
        if len(minhash) != self.h:
            raise ValueError(f"the index is made for signatures of {self.h} values, not of {len(minhash)}")
        example = next(iter(self._entries.values()), _Entry(0, minhash, None)).minhash
        if isinstance(example, MinHash) != isinstance(minhash, MinHash) or example.seed != minhash.seed:
            raise ValueError(f"the index holds signatures such as {example!r}, not {minhash!r}")

    def _bands_of(self, minhash: Any) -> Iterator[tuple[dict[bytes, dict[Hashable, None]], bytes]]:
        """Give each table, with the bytes of its band of a signature."""
        for number, table in enumerate(self._tables):
            yield table, minhash.hashvalues[number * self.r : (number + 1) * self.r].tobytes()

    def _resemblance(self, query_elements: NDArray[np.uint64], key: Hashable) -> float:
        elements = self._entries[key].elements
        if elements is None:
            raise ValueError(f"the key {key!r} was inserted without its elements, and cannot be verified exactly")
        overlap = compare_samples(query_elements, elements)
        return overlap.both / overlap.either if overlap.either else 1.0
