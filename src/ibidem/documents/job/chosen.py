"""The decisions on documents, on disk between the task that chooses and those that write.

Only documents that resemble another are recorded; all others are kept. They are distributed to files: by their
clusters, for the list of clusters, and, if they are removed, by their parts.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.digests import Digests
from ibidem.documents.job.against import OldDocument, number_new
from ibidem.documents.job.groups import deal_out, read_dealt
from ibidem.documents.job.outcome import ClusterRow

_FATE = np.dtype(
    [
        ("cluster", "<i8"),
        ("row", "<i8"),
        ("duplicate_of", "<i8"),
        ("similarity", "<f8"),
        ("weakest", "<f8"),
        ("kept", "?"),
        ("exact", "?"),
    ]
)

_WORKING = 12
"""Times its bytes that a record takes while it is put into order and named."""

_BLOCK = 1 << 14
"""Documents that are named at a time."""


class ChosenWriter:
    """Records the decisions on documents.

    Attributes:
        removed, exact, clusters: how many documents are removed, how many of these are copies, and how many clusters
            of two documents or more there are.
    """

    def __init__(self, digests: Digests, aside: Path, target: Path, memory: int) -> None:
        self.removed = self.exact = self.clusters = 0
        self._digests, self._aside, self._target = digests, aside, target
        # If all documents are in clusters, as many ranges are needed.
        self._ranges = max(1, -(-digests.rows * _FATE.itemsize * _WORKING // memory))
        self._width = -(-digests.rows // self._ranges)

    def append(self, rows: NDArray[np.int64], decided: dict[str, Any]) -> None:
        """Record what was ``decided`` about the documents ``rows``, whole clusters: fields of a ``Deduplication``
        for these documents alone.
        """
        fates = np.empty(len(rows), _FATE)
        fates["row"], fates["cluster"], fates["duplicate_of"] = (
            rows,
            rows[decided["clusters"]],
            rows[decided["duplicate_of"]],
        )
        for name in ("similarity", "weakest", "kept", "exact"):
            fates[name] = decided[name]
        deal_out(fates, fates["cluster"] // self._width, self._aside, "clusters")
        removed = fates[~fates["kept"]]
        deal_out(removed, self._digests.part_of(removed["row"]), self._target, "removed")
        self.removed += len(removed)
        self.exact += int(fates["exact"].sum())
        self.clusters += len(np.unique(fates["cluster"]))

    def read_clusters(self) -> Iterator[ClusterRow]:
        """All documents of clusters, cluster after cluster."""
        for number in range(self._ranges):
            fates = read_dealt(self._aside, "clusters", number, _FATE)
            fates = fates[np.lexsort((fates["row"], fates["cluster"]))]
            for first in range(0, len(fates), _BLOCK):
                yield from self._name(fates[first : first + _BLOCK])

    def _name(self, fates: NDArray[Any]) -> Iterator[ClusterRow]:
        columns = [self._digests.ids(np.array(fates[name])) for name in ("cluster", "row", "duplicate_of")]
        others = [fates[name].tolist() for name in ("kept", "similarity", "exact", "weakest")]
        for cluster, name, of, kept, similarity, exact, weakest in zip(*columns, *others, strict=True):
            yield ClusterRow(cluster, name, kept, of, similarity, exact, weakest)


class _Relation(NamedTuple):
    duplicate_of: str
    similarity: float
    exact: bool


class ChosenDocuments:
    """The decisions on the documents of a part, numbered from 0.

    Attributes:
        kept: bool [n], whether each stays.
    """

    def __init__(self, folder: Path, digests: Digests, part: int) -> None:
        first, end = digests.starts[part : part + 2].tolist()
        removed = read_dealt(folder, "removed", part, _FATE)
        removed["row"] -= first
        self._removed = removed[np.argsort(removed["row"])]
        self._rows = np.ascontiguousarray(self._removed["row"])
        self._digests, self._first, self._count = digests, first, end - first
        self.kept = np.ones(self._count, np.bool_)
        self.kept[self._rows] = False
        # Documents are asked for one after another, by some threads at a time.
        self._ids = lru_cache(maxsize=16)(self._read_ids)
        self._relations = lru_cache(maxsize=16)(self._read_relations)

    def id_of(self, row: int) -> str:
        """The id of a document."""
        return self._ids(row // _BLOCK)[row % _BLOCK]

    def relation(self, row: int) -> tuple[str, float, bool]:
        """Return the id that a removed document duplicates, their similarity, and whether the texts are the same."""
        at = int(np.searchsorted(self._rows, row))
        return self._relations(at // _BLOCK)[at % _BLOCK]

    def _read_ids(self, block: int) -> list[str]:
        rows = np.arange(block * _BLOCK, min((block + 1) * _BLOCK, self._count))
        return self._digests.ids(self._first + rows)

    def _read_relations(self, block: int) -> list[_Relation]:
        fates = self._removed[block * _BLOCK : (block + 1) * _BLOCK]
        names = self._digests.ids(np.array(fates["duplicate_of"]))
        return list(map(_Relation, names, fates["similarity"].tolist(), fates["exact"].tolist()))


class PartOutcome(NamedTuple):
    """The decisions on the documents of a part, with those that resemble one of an index.

    Attributes:
        chosen: the decisions on the others.
        old: those documents by their number.
        rows: int64 [n], the number of each document in ``chosen``; -1 for those.
        kept: bool [n], whether each stays.
    """

    chosen: ChosenDocuments
    old: dict[int, OldDocument]
    rows: NDArray[np.int64]
    kept: NDArray[np.bool_]

    @classmethod
    def of(cls, chosen: ChosenDocuments, old: dict[int, OldDocument]) -> "PartOutcome":
        """Number all documents."""
        rows = number_new(len(chosen.kept), old)
        kept = rows >= 0
        kept[kept] = chosen.kept
        return cls(chosen, old, rows, kept)

    def id_of(self, row: int) -> str:
        """The id of a document."""
        return self.old[row].document if row in self.old else self.chosen.id_of(int(self.rows[row]))

    def relation(self, row: int) -> tuple[str, float, bool]:
        """Return the id that a removed document duplicates, their similarity, and whether the texts are the same."""
        if row not in self.old:
            return self.chosen.relation(int(self.rows[row]))
        old = self.old[row]
        return old.duplicate_of, old.similarity, old.exact
