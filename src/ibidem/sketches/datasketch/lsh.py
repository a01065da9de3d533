"""An index of signatures in memory, under the names that users of datasketch know, which can verify what it finds."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.resources import Closing
from ibidem.sketches.banding import Banding
from ibidem.sketches.datasketch.band_tables import BandTables, Bucket
from ibidem.sketches.datasketch.signature import MinHash
from ibidem.sketches.datasketch.weighted import WeightedMinHash
from ibidem.sketches.fingerprints import Elements, elements_of
from ibidem.sketches.sketches import compare_samples

AnySignature = MinHash | WeightedMinHash
"""The signatures that an index takes. All signatures of one index are of one class."""


class _Entry(NamedTuple):
    place: int  # in the order of insertion
    minhash: AnySignature
    elements: NDArray[np.uint64] | None


class _Keys(Mapping[Hashable, tuple[bytes, ...]]):
    """The keys of an index in the order in which they were inserted, each with its bands."""

    def __init__(self, entries: dict[Hashable, _Entry], tables: BandTables) -> None:
        self._entries, self._tables = entries, tables

    def __getitem__(self, key: Hashable) -> tuple[bytes, ...]:
        return tuple(self._tables.bands(self._entries[key].minhash.hashvalues))

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"keys({list(self)})"


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
        hashfunc: shortens the bytes of a band, which saves room; bands of the same hash count as equal.

    Raises:
        ValueError: a threshold, weights or bands that cannot be.

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
        hashfunc: Callable[[bytes], bytes] | None = None,
    ) -> None:
        if params is None:
            self.banding = Banding.for_threshold(threshold, num_perm, *weights)
        else:
            self.banding = _require_banding(params, num_perm)
            Banding.for_threshold(threshold, 1, *weights)  # raises for what cannot be, as above
        self.threshold = float(threshold)
        self.num_perm = int(num_perm)
        self._tables = BandTables(self.banding, hashfunc)
        self._entries: dict[Hashable, _Entry] = {}
        self._inserted = 0
        self._queries: list[list[Hashable]] = []

    @property
    def b(self) -> int:
        """The number of bands."""
        return self.banding.bands

    @property
    def r(self) -> int:
        """The rows of a band."""
        return self.banding.rows

    @property
    def h(self) -> int:
        """The functions of a signature."""
        return self.num_perm

    @property
    def hashranges(self) -> list[tuple[int, int]]:
        """Where each band starts and ends in a signature."""
        return [(start, start + self.r) for start in range(0, self.banding.num_hashes, self.r)]

    @property
    def hashtables(self) -> list[Mapping[bytes, Bucket]]:
        """For each band, the keys of each of its values; views that cannot be changed."""
        return self._tables.views

    @property
    def keys(self) -> Mapping[Hashable, tuple[bytes, ...]]:
        """The keys, in the order in which they were inserted, each with its values in ``hashtables``."""
        return _Keys(self._entries, self._tables)

    def insert(
        self,
        key: Hashable,
        minhash: AnySignature,
        check_duplication: bool = True,
        *,
        elements: Elements | None = None,
    ) -> None:
        """Add a set under a key.

        Args:
            key: names the set.
            minhash: its signature.
            check_duplication: refuse a key that is there; otherwise it gets the new set in place of its own.
            elements: the set itself, against which a query is verified exactly. It is kept as 8 bytes an element.

        Raises:
            ValueError: the key is there, or the signature has other functions than the index.
        """
        self._require_alike(minhash)
        distinct = None if elements is None else np.unique(elements_of(elements))
        if key in self._entries:
            if check_duplication:
                raise ValueError(f"the key {key!r} is in the index already")
            self.remove(key)
        self._inserted += 1
        self._entries[key] = _Entry(self._inserted, minhash.copy(), distinct)
        self._tables.insert(key, minhash.hashvalues)

    def query(self, minhash: AnySignature, *, verify: bool = False, elements: Elements | None = None) -> list[Hashable]:
        """The keys of sets that are likely to be similar to a set, in the order in which they were inserted.

        Args:
            minhash: the signature of the set.
            verify: leave out those whose estimated similarity, by the whole signature, is below the threshold.
            elements: the set itself: leave out those whose *exact* similarity is below the threshold.

        Raises:
            ValueError: the signature has other functions than the index, or ``elements`` are given and those of a
                candidate were not.
        """
        self._require_alike(minhash)
        candidates = sorted(self._tables.candidates(minhash.hashvalues), key=lambda key: self._entries[key].place)
        if elements is not None:
            query_elements = np.unique(elements_of(elements))
            return [key for key in candidates if self._exact(query_elements, key) >= self.threshold]
        if verify:
            return [key for key in candidates if self._estimate(minhash, key) >= self.threshold]
        return candidates

    def add_to_query_buffer(self, minhash: AnySignature) -> None:
        """Ask for the sets similar to a set; ``collect_query_buffer`` returns them.

        Raises:
            ValueError: the signature has other functions than the index.
        """
        self._queries.append(self.query(minhash))

    def collect_query_buffer(self) -> list[Hashable]:
        """The keys that *every* query of the buffer found, in the order of insertion; the buffer is empty then."""
        queries, self._queries = self._queries, []
        if not queries:
            return []
        common_keys = set(queries[0]).intersection(*queries[1:])
        return [key for key in queries[0] if key in common_keys]

    def insertion_session(self, buffer_size: int = 50_000) -> "MinHashLSHInsertionSession":
        """A context with an ``insert`` of its own; an index in memory needs no buffer, so its size is not used."""
        return MinHashLSHInsertionSession(self)

    def deletion_session(self, buffer_size: int = 50_000) -> "MinHashLSHDeletionSession":
        """A context with a ``remove`` of its own; an index in memory needs no buffer, so its size is not used."""
        return MinHashLSHDeletionSession(self)

    def remove(self, key: Hashable) -> None:
        """Take a set out.

        Raises:
            ValueError: the key is not in the index.
        """
        if key not in self._entries:
            raise ValueError(f"the key {key!r} is not in the index")
        self._tables.remove(key, self._entries.pop(key).minhash.hashvalues)

    def merge(self, other: "MinHashLSH", check_overlap: bool = False) -> None:
        """Insert all that is in another index of the same bands.

        Args:
            other: the other index, which stays as it is.
            check_overlap: refuse an index that has one of the keys; otherwise its sets replace those here.

        Raises:
            ValueError: the indexes have other bands or functions, or a key in common; nothing is inserted then.
        """
        if (self.num_perm, self.banding) != (other.num_perm, other.banding):
            raise ValueError(
                f"an index of {self.num_perm} functions in {self.b} bands of {self.r} rows cannot take in one of "
                f"{other.num_perm} in {other.b} of {other.r}"
            )
        common_keys = [key for key in other.keys if key in self]
        if check_overlap and common_keys:
            raise ValueError(f"the key {common_keys[0]!r} is in both indexes")
        for entry in list(other._entries.values())[:1]:
            self._require_alike(entry.minhash)  # those of one index are alike
        for key, entry in list(other._entries.items()):
            self.insert(key, entry.minhash, check_duplication=False, elements=entry.elements)

    def is_empty(self) -> bool:
        """Whether nothing is in the index."""
        return not self._entries

    def get_counts(self) -> list[dict[bytes, int]]:
        """For each band, how many sets share each of its values."""
        return self._tables.counts()

    def get_subset_counts(self, *keys: Hashable) -> list[dict[bytes, int]]:
        """For each band, how many of these sets share each of its values.

        Raises:
            ValueError: a key is not in the index.
        """
        for key in keys:
            if key not in self._entries:
                raise ValueError(f"the key {key!r} is not in the index")
        return self._tables.counts(keys)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return (
            f"MinHashLSH(threshold={self.threshold}, num_perm={self.num_perm}, params=({self.b}, {self.r})), "
            f"{len(self)} keys"
        )

    def _require_alike(self, minhash: AnySignature) -> None:
        require_alike(minhash, self.num_perm, (entry.minhash for entry in self._entries.values()), "index")

    def _estimate(self, minhash: AnySignature, key: Hashable) -> float:
        return minhash.jaccard(self._entries[key].minhash)  # type: ignore[arg-type]  # of one class

    def _exact(self, query_elements: NDArray[np.uint64], key: Hashable) -> float:
        elements = self._entries[key].elements
        if elements is None:
            raise ValueError(f"the key {key!r} was inserted without its elements, and cannot be verified exactly")
        overlap = compare_samples(query_elements, elements)
        return overlap.both / overlap.either if overlap.either else 1.0


class _Session(Closing):
    """A context over an index in memory. It holds nothing back: a change is made when it is asked for."""

    def __init__(self, lsh: MinHashLSH) -> None:
        self.lsh = lsh

    def close(self) -> None:
        """End the session; nothing is left to do."""


class MinHashLSHInsertionSession(_Session):
    """The result of ``MinHashLSH.insertion_session``."""

    def insert(
        self,
        key: Hashable,
        minhash: AnySignature,
        check_duplication: bool = True,
        *,
        elements: Elements | None = None,
    ) -> None:
        """Add a set under a key, as ``MinHashLSH.insert`` does."""
        self.lsh.insert(key, minhash, check_duplication, elements=elements)


class MinHashLSHDeletionSession(_Session):
    """The result of ``MinHashLSH.deletion_session``."""

    def remove(self, key: Hashable) -> None:
        """Take a set out, as ``MinHashLSH.remove`` does."""
        self.lsh.remove(key)


def require_alike(minhash: AnySignature, num_perm: int, others: Iterable[AnySignature], name: str) -> None:
    """Raise a ``ValueError`` for a signature unlike the ``others``, which are alike; ``name`` is what holds these."""
    if len(minhash) != num_perm:
        raise ValueError(f"the {name} is made for signatures of {num_perm} values, not of {len(minhash)}")
    example = next(iter(others), minhash)
    if type(example) is not type(minhash):
        raise ValueError(f"the index holds signatures of {type(example).__name__}, not of {type(minhash).__name__}")
    if example.seed != minhash.seed:
        raise ValueError(f"the index holds signatures of seed {example.seed}, not of {minhash.seed}")


def _require_banding(params: tuple[int, int], num_perm: int) -> Banding:
    banding = Banding(*params)
    if banding.bands < 1 or banding.rows < 1 or banding.num_hashes > num_perm:
        raise ValueError(f"{banding.bands} bands of {banding.rows} rows cannot be cut from {num_perm} values")
    return banding
