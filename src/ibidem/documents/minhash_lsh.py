"""An index of signatures in memory, under the names that users of datasketch know, which can verify what it finds."""

from collections.abc import Hashable, Iterable, Iterator, KeysView
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.banding import Banding
from ibidem.documents.minhash import MinHash
from ibidem.sketch.fingerprints import elements_of
from ibidem.sketch.overlap import overlap

__all__ = ["MinHashLSH"]


class _Entry(NamedTuple):
    place: int  # in the order of insertion
    minhash: MinHash
    elements: NDArray[np.uint64] | None


class MinHashLSH:
    """Finds the sets that are similar to a set, by bands of their signatures.

    It has the methods of ``datasketch.MinHashLSH`` for an index in memory. What differs: ``query`` gives keys in the
    order in which they were inserted, and verifies them if asked to: exactly where the elements themselves were given,
    otherwise by the whole signatures. Signatures of another seed are refused.

    Args:
        threshold: the similarity that matters, from 0 to 1.
        num_perm: the functions of the signatures.
        weights: of false positives and of false negatives, for the choice of bands.
        params: bands and rows, in the place of that choice.

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
    ) -> None:
        chosen = Banding.for_threshold(threshold, num_perm, *weights)
        self.threshold = float(threshold)
        self.num_perm = int(num_perm)
        self.banding = chosen if params is None else _given(params, num_perm)
        self._tables: list[dict[bytes, dict[Hashable, None]]] = [{} for _ in range(self.banding.bands)]
        self._entries: dict[Hashable, _Entry] = {}
        self._inserted = 0

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
    def keys(self) -> KeysView[Hashable]:
        """The keys, in the order in which they were inserted."""
        return self._entries.keys()

    def insert(
        self,
        key: Hashable,
        minhash: MinHash,
        check_duplication: bool = True,
        *,
        elements: Iterable[Any] | NDArray[Any] | None = None,
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
        self._check(minhash)
        kept = None if elements is None else np.unique(elements_of(elements))
        if key in self._entries:
            if check_duplication:
                raise ValueError(f"the key {key!r} is in the index already")
            self.remove(key)
        self._inserted += 1
        self._entries[key] = _Entry(self._inserted, minhash.copy(), kept)
        for table, band in zip(self._tables, self._bands(minhash), strict=True):
            table.setdefault(band, {})[key] = None

    def query(
        self, minhash: MinHash, *, verify: bool = False, elements: Iterable[Any] | NDArray[Any] | None = None
    ) -> list[Hashable]:
        """The keys of sets that are likely to be similar to a set, in the order in which they were inserted.

        Args:
            minhash: the signature of the set.
            verify: leave out those whose estimated similarity, by the whole signature, is below the threshold.
            elements: the set itself: leave out those whose *exact* similarity is below the threshold.

        Raises:
            ValueError: the signature has other functions than the index, or ``elements`` are given and those of a
                candidate were not.
        """
        self._check(minhash)
        found: set[Hashable] = set()
        for table, band in zip(self._tables, self._bands(minhash), strict=True):
            found.update(table.get(band, ()))
        candidates = sorted(found, key=lambda key: self._entries[key].place)
        if elements is not None:
            wanted = np.unique(elements_of(elements))
            return [key for key in candidates if self._exact(wanted, key) >= self.threshold]
        if verify:
            return [key for key in candidates if minhash.jaccard(self._entries[key].minhash) >= self.threshold]
        return candidates

    def remove(self, key: Hashable) -> None:
        """Take a set out.

        Raises:
            ValueError: the key is not in the index.
        """
        if key not in self._entries:
            raise ValueError(f"the key {key!r} is not in the index")
        for table, band in zip(self._tables, self._bands(self._entries.pop(key).minhash), strict=True):
            del table[band][key]
            if not table[band]:
                del table[band]

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
        shared = [key for key in other.keys if key in self]
        if check_overlap and shared:
            raise ValueError(f"the key {shared[0]!r} is in both indexes")
        for entry in list(other._entries.values())[:1]:
            self._check(entry.minhash)  # those of one index are alike
        for key, entry in list(other._entries.items()):
            self.insert(key, entry.minhash, check_duplication=False, elements=entry.elements)

    def is_empty(self) -> bool:
        """Whether nothing is in the index."""
        return not self._entries

    def get_counts(self) -> list[dict[bytes, int]]:
        """For each band, how many sets share each of its values."""
        return [{band: len(keys) for band, keys in table.items()} for table in self._tables]

    def __contains__(self, key: Hashable) -> bool:
        return key in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return (
            f"MinHashLSH(threshold={self.threshold}, num_perm={self.num_perm}, params=({self.b}, {self.r})), "
            f"{len(self)} keys"
        )

    def _bands(self, minhash: MinHash) -> Iterator[bytes]:
        data, width = minhash.hashvalues.tobytes(), 8 * self.r
        return (data[start : start + width] for start in range(0, self.b * width, width))

    def _check(self, minhash: MinHash) -> None:
        """Raise a ``ValueError`` for a signature that is unlike those in the index."""
        if len(minhash) != self.num_perm:
            raise ValueError(f"the index is made for signatures of {self.num_perm} values, not of {len(minhash)}")
        one = next(iter(self._entries.values()), None)
        if one is not None and one.minhash.seed != minhash.seed:
            raise ValueError(f"the index holds signatures of seed {one.minhash.seed}, not of {minhash.seed}")

    def _exact(self, wanted: NDArray[np.uint64], key: Hashable) -> float:
        elements = self._entries[key].elements
        if elements is None:
            raise ValueError(f"the key {key!r} was inserted without its elements, and cannot be verified exactly")
        common = overlap(wanted, elements)
        return common.both / common.either if common.either else 1.0


def _given(params: tuple[int, int], num_perm: int) -> Banding:
    banding = Banding(*params)
    if banding.bands < 1 or banding.rows < 1 or banding.functions > num_perm:
        raise ValueError(f"{banding.bands} bands of {banding.rows} rows cannot be cut from {num_perm} values")
    return banding
