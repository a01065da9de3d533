"""The decision on every document of a deduplication, and the files that record it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ibidem.corpus.delimited import format_row


class ClusterRow(NamedTuple):
    """A document of a cluster of two or more; ``cluster`` and ``duplicate_of`` are ids."""

    cluster: str
    id: str
    kept: bool
    duplicate_of: str
    similarity: float
    exact: bool
    weakest_link: float


def write_cluster_rows(path: Path, rows: Iterable[ClusterRow]) -> None:
    """Write rows as CSV; the cells about a duplicate are empty for a document that is kept."""
    with path.open("x", newline="", encoding="utf-8", errors="surrogatepass") as file:
        file.write(format_row(ClusterRow._fields) + "\n")
        for row in rows:
            relation = (row.duplicate_of, row.similarity, str(row.exact).lower())
            cells = ["" if row.kept else each for each in relation]
            file.write(format_row([row.cluster, row.id, str(row.kept).lower(), *cells, row.weakest_link]) + "\n")


class Counts(NamedTuple):
    """The number of documents, of each kind of decision, and of files that hold no text by what they are."""

    documents: int
    kept: int
    in_index: int
    exact_duplicates: int
    near_duplicates: int
    clusters: int
    pairs_compared: int
    rows_left_out: int = 0
    files_left_out: int = 0
    files_passed_over: Mapping[str, int] = MappingProxyType({})


def write_summary(path: Path, counts: Counts, short: Iterable[str], empty: Iterable[str]) -> None:
    """Write the summary as JSON; names are written as they come."""
    with path.open("xb") as out:
        out.write(b"{\n")
        for name, count in counts._asdict().items():
            value = msgspec.json.encode(dict(count) if isinstance(count, Mapping) else count, order="sorted")
            formatted = msgspec.json.format(value, indent=2).replace(b"\n", b"\n  ")
            out.write(b'  "%b": %b,\n' % (name.encode(), formatted))
        for name, ids, end in (("short", short, b",\n"), ("empty", empty, b"\n")):
            out.write(b'  "%b": [' % name.encode())
            row = -1
            for row, one in enumerate(ids):
                out.write((b",\n    " if row else b"\n    ") + msgspec.json.encode(one))
            out.write((b"]" if row < 0 else b"\n  ]") + end)
        out.write(b"}\n")
