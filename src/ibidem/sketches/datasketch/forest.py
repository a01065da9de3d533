"""The sets most similar to a set, from signatures in memory: an LSH forest (Bawa, Condie, Ganesan, WWW 2005)."""

from bisect import bisect_left
from collections.abc import Hashable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ibidem.sketches.datasketch.band_tables import Bucket, bytes_of_values
from ibidem.sketches.datasketch.lsh import AnySignature, require_alike


class MinHashLSHForest:
    """Finds the ``k`` sets that are most similar to a set.

    Each of ``l`` trees takes another part of the signatures. Two signatures are the more similar, the longer the prefix
    that they share in some tree. A query asks all trees for shorter and shorter prefixes until it has met ``k`` sets.

    It has the methods of ``datasketch.MinHashLSHForest``. Differences: ``query`` gives the best of those that it met
    by the whole signatures, most similar first.

    Args:
        num_perm: the functions of the signatures.
        l: how many trees.

    Raises:
        ValueError: numbers that cannot be.

    >>> from ibidem import MinHash
    >>> lines = ["a rose is a rose", "a rose is red", "in the same place"]
    >>> forest = MinHashLSHForest()
    >>> for line, minhash in zip(lines, MinHash.bulk([line.split() for line in lines])):
    ...     forest.add(line, minhash)
    >>> forest.index()
    >>> forest.query(MinHash.bulk([["a", "red", "rose"]])[0], 2)
    ['a rose is red', 'a rose is a rose']
    """

    def __init__(self, num_perm: int = 128, l: int = 8) -> None:  # noqa: E741  # its name in datasketch
        if not 1 <= l <= num_perm:
            raise ValueError(f"a forest has a tree or more, and a function or more for each: not {l} of {num_perm}")
        self.num_perm, self.l = int(num_perm), int(l)
        self._tables: list[dict[bytes, Bucket]] = [{} for _ in range(self.l)]
        self._sorted: list[list[bytes]] = [[] for _ in range(self.l)]
        self._signatures: dict[Hashable, AnySignature] = {}
        self._places: dict[Hashable, int] = {}

    @property
    def k(self) -> int:
        """The depth of a tree: how many functions each has."""
        return self.num_perm // self.l

    @property
    def hashranges(self) -> list[tuple[int, int]]:
        """Where the part of each tree starts and ends in a signature."""
        return [(tree * self.k, (tree + 1) * self.k) for tree in range(self.l)]

    @property
    def hashtables(self) -> list[Mapping[bytes, Bucket]]:
        """For each tree, the keys of each part; views that cannot be changed."""
        return [MappingProxyType(table) for table in self._tables]

    @property
    def keys(self) -> dict[Hashable, list[bytes]]:
        """The keys, in the order in which they were added, each with its values in ``hashtables``."""
        return {key: self._parts(minhash) for key, minhash in self._signatures.items()}

    def add(self, key: Hashable, minhash: AnySignature) -> None:
        """Add a set under a key; ``query`` finds it after the next call of ``index``.

        Raises:
            ValueError: the key is there, or the signature has other functions than the forest.
        """
        self._require_alike(minhash)
        if key in self._signatures:
            raise ValueError(f"the key {key!r} is in the forest already")
        self._places[key] = len(self._signatures)
        self._signatures[key] = minhash.copy()
        for table, part in zip(self._tables, self._parts(minhash), strict=True):
            table.setdefault(part, {})[key] = None

    def index(self) -> None:
        """Let ``query`` find all that was added."""
        self._sorted = [sorted(table) for table in self._tables]

    def query(self, minhash: AnySignature, k: int) -> list[Hashable]:
        """At most ``k`` keys, those of the most similar sets first; of equals, those that were added first.

        Raises:
            ValueError: ``k`` is below 1, or the signature has other functions than the forest.
        """
        if k < 1:
            raise ValueError(f"one set or more can be asked for, not {k}")
        self._require_alike(minhash)
        keys: set[Hashable] = set()
        for depth in range(self.k, 0, -1):
            keys.update(*(self._with_prefix(tree, minhash, depth) for tree in range(self.l)))
            if len(keys) >= k:
                break
        return sorted(keys, key=lambda key: (-self._estimate(minhash, key), self._places[key]))[:k]

    def get_minhash_hashvalues(self, key: Hashable) -> NDArray[np.uint64] | NDArray[np.int64]:
        """The hash values of the signature of a key.

        Raises:
            KeyError: the key is not in the forest.
        """
        if key not in self._signatures:
            raise KeyError(f"the key {key!r} is not in the forest")
        return self._signatures[key].digest()

    def is_empty(self) -> bool:
        """Whether there is nothing that ``query`` could find."""
        return not any(self._sorted)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._signatures

    def __len__(self) -> int:
        return len(self._signatures)

    def __repr__(self) -> str:
        return f"MinHashLSHForest(num_perm={self.num_perm}, l={self.l}), {len(self)} keys"

    def _parts(self, minhash: AnySignature) -> list[bytes]:
        return [bytes_of_values(minhash.hashvalues[start:end]) for start, end in self.hashranges]

    def _with_prefix(self, tree: int, minhash: AnySignature, depth: int) -> list[Hashable]:
        """The keys of a tree that share the first ``depth`` values with a signature."""
        start = tree * self.k
        prefix = bytes_of_values(minhash.hashvalues[start : start + depth])
        parts, keys = self._sorted[tree], list[Hashable]()
        for place in range(bisect_left(parts, prefix), len(parts)):
            if not parts[place].startswith(prefix):
                break
            keys.extend(self._tables[tree][parts[place]])
        return keys

    def _estimate(self, minhash: AnySignature, key: Hashable) -> float:
        return minhash.jaccard(self._signatures[key])  # type: ignore[arg-type]  # of one class

    def _require_alike(self, minhash: AnySignature) -> None:
        require_alike(minhash, self.num_perm, self._signatures.values(), "forest")
