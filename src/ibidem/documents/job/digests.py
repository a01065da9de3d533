"""The digests of all documents, where the tasks that read them left them: a spool for each part.

Documents are numbered through all parts. Of the long columns, signatures and tokens, nobody reads all: a task gathers
those of the documents that it compares.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.column_spool import Digests, Spool
from ibidem.errors import DamagedError

__all__ = ["SPOOL", "SPOOL_ORIGIN", "GatheredTokens", "PartDigests", "open_spools"]

SPOOL = "spool"

SPOOL_ORIGIN = "a part of a plan"


_BLOCK = 1 << 16
"""Documents that are looked at one after another at a time."""

_GATHERED = 256
"""Documents that are gathered at a time: for each the system may map 64 kB around it."""


class Block(NamedTuple):
    """Documents that follow one another: the number of the first, and int64 [n], how many tokens each has."""

    first: int
    lengths: NDArray[np.int64]


class GatheredTokens(NamedTuple):
    """The tokens of some documents: uint32 [T], and int64 [n + 1] where those of each begin."""

    ids: NDArray[np.uint32]
    bounds: NDArray[np.int64]


def open_spools(folders: Sequence[Path]) -> "PartDigests":
    """The digests that the tasks of all parts left in ``folders``.

    Raises:
        DamagedError: one is not whole.
    """
    spools = []
    for folder in folders:
        spool = Spool.reopen(folder / SPOOL, SPOOL_ORIGIN)
        if spool is None:
            raise DamagedError(f"{folder}: not what a task writes; remove this folder and run the plan again")
        spools.append(spool)
    return PartDigests(spools)


class PartDigests(Digests):
    """Digests in parts.

    Attributes:
        spools: those of the parts.
        starts: int64 [P + 1], the number of the first document of each part.
    """

    def __init__(self, spools: Sequence[Spool]) -> None:
        self.spools = spools
        self.starts = np.cumsum([0, *(spool.rows for spool in spools)])
        self.rows = int(self.starts[-1])
        self.present = np.sum([spool.present for spool in spools], axis=0)

    @property
    def counts(self) -> list[int]:
        """How many documents each file has."""
        return [count for spool in self.spools for count in spool.counts]

    def column(self, name: str) -> NDArray[Any]:
        """A column of a few numbers a document, of all parts, in memory."""
        if not name.endswith("_bounds"):
            return np.concatenate([spool.column(name) for spool in self.spools])
        sizes = [np.diff(spool.column(name)) for spool in self.spools]
        return np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes]))

    def strings(self, name: str, rows: NDArray[np.int64] | None) -> list[bytes]:
        """The strings of some documents in the column ``ids`` or ``values``, or of all."""
        if rows is None:
            return [each for spool in self.spools for each in spool.strings(name, None)]
        found = [b""] * len(rows)
        for spool, places, local in self._by_part(rows):
            for place, string in zip(places.tolist(), spool.strings(name, local), strict=True):
                found[place] = string
        return found

    def part_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The part of each document."""
        return np.searchsorted(self.starts, rows, side="right") - 1

    def blocks(self, part: int) -> Iterator[Block]:
        """The documents of a part in order, some at a time."""
        spool, start = self.spools[part], int(self.starts[part])
        for first in range(0, spool.rows, _BLOCK):
            # Opened for each block anew: pages that were read count as memory until a file is closed.
            bounds = spool.column("tokens_bounds")[first : first + _BLOCK + 1]
            yield Block(start + first, np.diff(bounds))

    def gather(self, name: str, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Some rows of a column that has one for each document."""
        first = self.spools[0].column(name)
        found = np.empty((len(rows), *first.shape[1:]), first.dtype)
        for spool, places, local in self._by_part(rows):
            for begin in range(0, len(local), _GATHERED):
                # Opened for each block anew: pages that were read count as memory until a file is closed.
                block = slice(begin, begin + _GATHERED)
                found[places[block]] = spool.column(name)[local[block]]
        return found

    def gather_tokens(self, rows: NDArray[np.int64]) -> GatheredTokens:
        """The tokens of some documents, ascending ``rows``."""
        pieces, lengths = [np.zeros(0, np.uint32)], [np.zeros(1, np.int64)]
        for spool, _, local in self._by_part(rows):
            tokens, bounds = spool.column("tokens"), spool.column("tokens_bounds")
            starts, ends = bounds[local], bounds[local + 1]
            lengths.append(ends - starts)
            pieces += [tokens[low:high] for low, high in zip(starts.tolist(), ends.tolist(), strict=True)]
        return GatheredTokens(np.concatenate(pieces), np.cumsum(np.concatenate(lengths)))

    def _by_part(self, rows: NDArray[np.int64]) -> list[tuple[Spool, NDArray[np.int64], NDArray[np.int64]]]:
        """For each part with some of ``rows``: its spool, where they stand in ``rows``, and their numbers there."""
        parts = self.part_of(rows)
        found = []
        for part in np.unique(parts).tolist():
            places = np.flatnonzero(parts == part)
            found.append((self.spools[part], places, rows[places] - self.starts[part]))
        return found
