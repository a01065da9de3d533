"""The digests of all documents: a spool for each part in which they were read.

Documents are numbered through all parts. The long columns, signatures and tokens, are never
read whole from several parts: a task gathers the rows of the documents that it compares. Columns of one part are used
as they are.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ibidem.corpus.distinct_ids import RepeatedId
from ibidem.documents.column_spool import Spool
from ibidem.errors import CorpusError
from ibidem.text.json_values import decode_json

_BLOCK = 1 << 16
"""Documents that are read together, one after another."""

_GATHERED = 256
"""Documents that are gathered at a time: for each the system may map 64 kB around it."""


class DocumentLengths(NamedTuple):
    """Documents that follow one another: the number of the first, and int64 [n], how many tokens each has."""

    first: int
    lengths: NDArray[np.int64]


class GatheredTokens(NamedTuple):
    """The tokens of some documents: uint32 [T], and int64 [n + 1] where those of each begin."""

    ids: NDArray[np.uint32]
    bounds: NDArray[np.int64]


class Digests:
    """The digests of documents.

    Attributes:
        spools: those of the parts.
        starts: int64 [P + 1], the number of the first document of each part.
        rows: how many documents there are.
        present: int64 [c], how many have a value in each column of the keep policy.
    """

    def __init__(self, spools: Sequence[Spool]) -> None:
        self.spools = spools
        self.starts = np.cumsum([0, *(spool.rows for spool in spools)])
        self.rows = int(self.starts[-1])
        self.present = np.sum([spool.present for spool in spools], axis=0)

    @property
    def in_one_part(self) -> bool:
        """Whether the columns of one spool are those of all documents."""
        return len(self.spools) == 1

    def column(self, name: str) -> NDArray[Any]:
        """A column: of one part, mapped; of several, in memory, which has room for a few numbers a document."""
        if self.in_one_part:
            return self.spools[0].column(name)
        if not name.endswith("_bounds"):
            return np.concatenate([spool.column(name) for spool in self.spools])
        sizes = [np.diff(spool.column(name)) for spool in self.spools]
        return np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes]))

    def strings(self, name: str, rows: NDArray[np.int64] | None) -> list[bytes]:
        """The strings of some documents in the column ``ids`` or ``values``, or of all."""
        if rows is None or self.in_one_part:
            return [string for spool in self.spools for string in spool.strings(name, rows)]
        strings = [b""] * len(rows)
        for spool, places, local in self._split_by_part(rows):
            for place, string in zip(places.tolist(), spool.strings(name, local), strict=True):
                strings[place] = string
        return strings

    def lengths(self) -> NDArray[np.int64]:
        """Return how many tokens each document has, int64 [n]."""
        return np.diff(self.column("tokens_bounds"))

    def ids(self, rows: NDArray[np.int64] | None = None) -> list[str]:
        """The ids of some documents, or of all."""
        return [str(name, "utf-8", "surrogatepass") for name in self.strings("ids", rows)]

    def values(self, rows: NDArray[np.int64]) -> list[list[Any]]:
        """The values that the keep policy asks for, of some documents."""
        return [decode_json(row_values) for row_values in self.strings("values", rows)]

    def require_distinct_ids(self) -> None:
        """Refuse two documents of one id.

        Raises:
            CorpusError: names the first id that occurs again, and both documents by their number from 1.
        """
        names = self.column("names")
        order = np.lexsort((names[:, 1], names[:, 0]))
        repeats = np.flatnonzero((names[order[1:]] == names[order[:-1]]).all(axis=1))
        if len(repeats):
            first = repeats[np.argmin(order[repeats + 1])]
            self.refuse_repeated_id(RepeatedId(int(order[first]), int(order[first + 1])))

    def refuse_repeated_id(self, pair: RepeatedId) -> NoReturn:
        """Refuse two documents of one id.

        Raises:
            CorpusError: names the id, and both documents by their number from 1.
        """
        (name,) = self.ids(np.array([pair.second]))
        raise pair.describe(name)

    def require_values(self, policy: str, columns: tuple[str, ...]) -> None:
        """Refuse a keep ``policy`` that names a column in which no document has a value.

        Raises:
            CorpusError: names the column.
        """
        for column, present in zip(columns, self.present.tolist(), strict=True):
            if self.rows and not present:
                raise CorpusError(f"no document has a value in {column!r}, the column that keep={policy!r} names")

    def part_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The part of each document."""
        return np.searchsorted(self.starts, rows, side="right") - 1

    def blocks(self, part: int) -> Iterator[DocumentLengths]:
        """The documents of a part in order, some at a time."""
        spool, start = self.spools[part], int(self.starts[part])
        for first in range(0, spool.rows, _BLOCK):
            # Opened for each block anew: pages that were read count as memory until a file is closed.
            bounds = spool.column("tokens_bounds")[first : first + _BLOCK + 1]
            yield DocumentLengths(start + first, np.diff(bounds))

    def gather(self, name: str, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Some rows of a column that has one for each document."""
        if self.in_one_part:
            return self.spools[0].column(name)[rows]
        first = self.spools[0].column(name)
        values = np.empty((len(rows), *first.shape[1:]), first.dtype)
        for spool, places, local in self._split_by_part(rows):
            for begin in range(0, len(local), _GATHERED):
                # Opened for each block anew: pages that were read count as memory until a file is closed.
                block = slice(begin, begin + _GATHERED)
                values[places[block]] = spool.column(name)[local[block]]
        return values

    def gather_tokens(self, rows: NDArray[np.int64]) -> GatheredTokens:
        """The tokens of some documents, ascending ``rows``."""
        pieces, lengths = [np.zeros(0, np.uint32)], [np.zeros(1, np.int64)]
        for spool, _, local in self._split_by_part(rows):
            tokens, bounds = spool.column("tokens"), spool.column("tokens_bounds")
            starts, ends = bounds[local], bounds[local + 1]
            lengths.append(ends - starts)
            pieces += [tokens[low:high] for low, high in zip(starts.tolist(), ends.tolist(), strict=True)]
        return GatheredTokens(np.concatenate(pieces), np.cumsum(np.concatenate(lengths)))

    def _split_by_part(self, rows: NDArray[np.int64]) -> list[tuple[Spool, NDArray[np.int64], NDArray[np.int64]]]:
        """For each part with some of ``rows``: its spool, their positions in ``rows``, and their numbers there."""
        parts = self.part_of(rows)
        parts_with_rows = []
        for part in np.unique(parts).tolist():
            places = np.flatnonzero(parts == part)
            parts_with_rows.append((self.spools[part], places, rows[places] - self.starts[part]))
        return parts_with_rows
