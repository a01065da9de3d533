"""What became of every document of a deduplication, and the files that account for it."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from ibidem.corpus.delimited import format_row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ibidem.documents.dedup import Deduplication
    from ibidem.documents.job.against import OldDocument

__all__ = [
    "ClusterRow",
    "Counts",
    "Outcome",
    "Relations",
    "count_outcome",
    "summarize",
    "write_cluster_rows",
    "write_clusters",
    "write_summary",
]


class Outcome(NamedTuple):
    """What became of every document that was read.

    Attributes:
        found: the result for those that resemble no document of an index.
        rows: int64 [n], the number of each document in ``found``; -1 for the others.
        old: the others by their number.
        rows_left_out, files_left_out: what of the input could not be read.
    """

    found: "Deduplication"
    rows: "NDArray[np.int64]"
    old: "dict[int, OldDocument]"
    rows_left_out: int = 0
    files_left_out: int = 0

    @property
    def kept(self) -> "NDArray[np.bool_]":
        """Whether each document stays, bool [n]."""
        kept = self.rows >= 0
        kept[kept] = self.found.kept
        return kept

    @property
    def kept_ids(self) -> set[str]:
        """Ids of the documents that stay."""
        return {self.found.ids[row] for row in self.found.kept.nonzero()[0].tolist()}

    @property
    def short(self) -> list[str]:
        """Ids of the documents with fewer tokens than a shingle, in the order of the input."""
        return self._name(self.found.short, [row for row, each in self.old.items() if each.short])

    @property
    def empty(self) -> list[str]:
        """Ids of the documents without a token, in the order of the input."""
        return self._name(self.found.empty, [row for row, each in self.old.items() if each.empty])

    def _name(self, found: "NDArray[np.int64]", old: list[int]) -> list[str]:
        """Ids of documents that have the numbers ``found`` in the result, and of ``old`` ones."""
        numbers = (self.rows >= 0).nonzero()[0][found].tolist()
        return [self.id_of(row) for row in sorted(numbers + old)]

    def id_of(self, row: int) -> str:
        """The id of a document."""
        return self.old[row].document if row in self.old else self.found.ids[self.rows[row]]

    def relation(self, row: int) -> tuple[str, float, bool]:
        """What a removed document duplicates, how similar it is to that, and whether the texts are the same."""
        if row in self.old:
            old = self.old[row]
            return old.duplicate_of, old.similarity, old.exact
        at = self.rows[row]
        of = self.found.ids[self.found.duplicate_of[at]]
        return of, float(self.found.similarity[at]), bool(self.found.exact[at])


class Relations(Protocol):
    """What is said of documents, by their number; see ``Outcome``."""

    @property
    def kept(self) -> "NDArray[np.bool_]":
        """Whether each document stays."""

    def id_of(self, row: int) -> str:
        """The id of a document."""

    def relation(self, row: int) -> tuple[str, float, bool]:
        """What a removed document duplicates, how similar it is to that, and whether the texts are the same."""


class ClusterRow(NamedTuple):
    """A document of a cluster of two or more; ``cluster`` and ``duplicate_of`` are ids."""

    cluster: str
    id: str
    kept: bool
    duplicate_of: str
    similarity: float
    exact: bool
    weakest_link: float


def write_clusters(path: Path, found: "Deduplication") -> None:
    """A row for each document of a cluster of two or more, cluster after cluster."""
    import numpy as np

    sizes = np.bincount(found.clusters, minlength=len(found.ids))
    rows = np.flatnonzero(sizes[found.clusters] > 1)
    ordered = rows[np.argsort(found.clusters[rows], kind="stable")].tolist()
    write_cluster_rows(
        path,
        (
            ClusterRow(
                found.ids[found.clusters[row]],
                found.ids[row],
                bool(found.kept[row]),
                found.ids[found.duplicate_of[row]],
                float(found.similarity[row]),
                bool(found.exact[row]),
                float(found.weakest[row]),
            )
            for row in ordered
        ),
    )


def write_cluster_rows(path: Path, rows: Iterable[ClusterRow]) -> None:
    """Write rows as CSV; of a document that is kept nothing is said that is said of duplicates."""
    with path.open("x", newline="", encoding="utf-8", errors="surrogatepass") as file:
        file.write(format_row(ClusterRow._fields) + "\n")
        for row in rows:
            relation = (row.duplicate_of, row.similarity, str(row.exact).lower())
            cells = ["" if row.kept else each for each in relation]
            file.write(format_row([row.cluster, row.id, str(row.kept).lower(), *cells, row.weakest_link]) + "\n")


class Counts(NamedTuple):
    """How many documents there are, and what became of them; see ``summarize``."""

    documents: int
    kept: int
    in_index: int
    exact_duplicates: int
    near_duplicates: int
    clusters: int
    pairs_compared: int
    rows_left_out: int = 0
    files_left_out: int = 0


def count_outcome(outcome: Outcome) -> Counts:
    """The numbers of an outcome."""
    found = outcome.found
    return Counts(
        documents=len(outcome.rows),
        kept=int(found.kept.sum()),
        in_index=len(outcome.old),
        exact_duplicates=int(found.exact.sum()),
        near_duplicates=int((~found.kept & ~found.exact).sum()),
        clusters=found.num_clusters,
        pairs_compared=found.candidates,
        rows_left_out=outcome.rows_left_out,
        files_left_out=outcome.files_left_out,
    )


def summarize(outcome: Outcome) -> dict[str, Any]:
    """The numbers, and the ids of short and empty documents."""
    return {**count_outcome(outcome)._asdict(), "short": outcome.short, "empty": outcome.empty}


def write_summary(path: Path, counts: Counts, short: Iterable[str], empty: Iterable[str]) -> None:
    """Write the summary as JSON; names are written as they come."""
    with path.open("xb") as out:
        out.write(b"{\n")
        for name, count in counts._asdict().items():
            out.write(b'  "%b": %d,\n' % (name.encode(), count))
        for name, ids, end in (("short", short, b",\n"), ("empty", empty, b"\n")):
            out.write(b'  "%b": [' % name.encode())
            row = -1
            for row, one in enumerate(ids):
                out.write((b",\n    " if row else b"\n    ") + msgspec.json.encode(one))
            out.write((b"]" if row < 0 else b"\n  ]") + end)
        out.write(b"}\n")
