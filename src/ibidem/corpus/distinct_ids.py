"""Ids of a whole collection, compared by hashes of 128 bits."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import CorpusError


class RepeatedIdError(CorpusError):
    """Two documents have one id; their numbers are known, and not their places."""


class RepeatedId(NamedTuple):
    """Two documents of one id, by their numbers in the collection."""

    first: int
    second: int

    def describe(self, name: str) -> RepeatedIdError:
        """Return the error that names the id, and both documents by their number from 0, for the caller to raise."""
        return RepeatedIdError(
            f"document id {name!r} occurs twice: documents {self.first} and {self.second}; "
            "ids name documents, so give each its own, or name another column as the id"
        )


def find_repeated_id(hashes: NDArray[np.uint64]) -> RepeatedId | None:
    """The first document whose id another one before it has, if there is one, and that one.

    ``hashes`` [n, 2] are those of the ids, as ``hash_strings`` makes them.
    """
    order = np.lexsort((hashes[:, 1], hashes[:, 0]))
    repeats = np.flatnonzero((hashes[order[1:]] == hashes[order[:-1]]).all(axis=1))
    if not len(repeats):
        return None
    first = repeats[np.argmin(order[repeats + 1])]
    return RepeatedId(int(order[first]), int(order[first + 1]))
