"""What became of every document of a deduplication, and the files that account for it."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ibidem.errors import CorpusError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ibidem.documents.dedup import Deduplication
    from ibidem.documents.index import Nearest
    from ibidem.text import Documents

__all__ = ["Outcome", "summarize", "write_clusters", "write_removed", "write_summary"]


class Outcome(NamedTuple):
    """What became of every document that was read.

    Attributes:
        found: the result for those that resemble no document of an index.
        rows: int64 [n], the number of each document in ``found``; -1 for the others.
        old: the others by their number, with their id and what they resemble.
    """

    found: "Deduplication"
    rows: "NDArray[np.int64]"
    old: dict[int, tuple[str, "Nearest"]]

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

    def id_of(self, row: int) -> str:
        """The id of a document."""
        return self.old[row][0] if row in self.old else self.found.ids[self.rows[row]]

    def relation(self, row: int) -> tuple[str, float, bool]:
        """What a removed document duplicates, how similar it is to that, and whether the texts are the same."""
        if row in self.old:
            return self.old[row][1]
        at = self.rows[row]
        of = self.found.ids[self.found.duplicate_of[at]]
        return of, float(self.found.similarity[at]), bool(self.found.exact[at])


def write_removed(path: Path, reading: Iterable["Documents"], outcome: Outcome) -> None:
    """A line for each removed document, in the order of the input."""
    row, kept = 0, outcome.kept
    with path.open("xb") as out:
        for batch in reading if not kept.all() else ():
            for at, document in enumerate(batch.ids):
                if document != outcome.id_of(row):
                    raise CorpusError(
                        f"document {document!r}: it was {outcome.id_of(row)!r} when the input was read first"
                    )
                if not kept[row]:
                    of, similarity, exact = outcome.relation(row)
                    fields = {"id": document, "duplicate_of": of, "similarity": similarity, "exact": exact}
                    whole = _encoded({**fields, "text": batch.texts[at]})
                    out.write(whole[:-1] + b',"metadata":' + batch.metadata[at] + b"}\n")
                row += 1


def _encoded(fields: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(fields)
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can say as an escape
        import json

        return json.dumps(fields, separators=(",", ":")).encode("ascii")


def write_clusters(path: Path, found: "Deduplication") -> None:
    """A row for each document of a cluster of two or more, cluster after cluster."""
    import numpy as np

    sizes = np.bincount(found.clusters, minlength=len(found.ids))
    rows = np.flatnonzero(sizes[found.clusters] > 1)
    columns = ("cluster", "id", "kept", "duplicate_of", "similarity", "exact", "weakest_link")
    with path.open("x", newline="", encoding="utf-8", errors="surrogatepass") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        for row in rows[np.argsort(found.clusters[rows], kind="stable")].tolist():
            kept, of = bool(found.kept[row]), found.ids[found.duplicate_of[row]]
            relation = (of, float(found.similarity[row]), str(bool(found.exact[row])).lower())
            cells = ["" if kept else each for each in relation]
            name = found.ids[found.clusters[row]]
            out.writerow([name, found.ids[row], str(kept).lower(), *cells, float(found.weakest[row])])


def summarize(outcome: Outcome) -> dict[str, Any]:
    """The numbers, and the ids of short and empty documents."""
    found = outcome.found
    return {
        "documents": len(outcome.rows),
        "kept": int(found.kept.sum()),
        "in_index": len(outcome.old),
        "exact_duplicates": int(found.exact.sum()),
        "near_duplicates": int((~found.kept & ~found.exact).sum()),
        "clusters": found.num_clusters,
        "pairs_compared": found.candidates,
        "short": [found.ids[row] for row in found.short],
        "empty": [found.ids[row] for row in found.empty],
    }


def write_summary(path: Path, outcome: Outcome) -> None:
    """Write the summary as JSON."""
    facts = summarize(outcome)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(facts)) + b"\n")
