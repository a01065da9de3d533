"""The files of a result about the whole collection: its clusters, and its summary."""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.corpus.delimited import format_row
from ibidem.corpus.inputs import InputPart
from ibidem.corpus.writing.kept import join_files, join_lists
from ibidem.corpus.writing.left_out import write_left_out
from ibidem.documents.choice import Choice, open_choice
from ibidem.documents.digests import Digests, number_new
from ibidem.documents.outcome import KEPT, REMOVED
from ibidem.documents.rules import Rules
from ibidem.documents.signatures import Shingler
from ibidem.resources import Resources
from ibidem.system import disk

CLUSTERS, SUMMARY = "clusters.csv", "summary.json"

_BLOCK = 1 << 14
"""Documents that are named at a time."""


class ClusterRow(NamedTuple):
    """A document of a cluster of two or more; ``cluster`` and ``duplicate_of`` are ids."""

    cluster: str
    id: str
    kept: bool
    duplicate_of: str
    similarity: float
    exact: bool
    weakest: float


def write_summary(
    rules: Rules,
    digests: Sequence[Path],
    left_out: Mapping[str, Any],
    choice: Path,
    folder: Path,
    resources: Resources,
) -> None:
    """Write the clusters, and the counts of everything; ``left_out`` counts what of the input is in no result."""
    documents, chosen = Digests(digests), open_choice(choice)
    sizes = np.bincount(chosen.clusters, minlength=documents.rows)
    write_cluster_rows(folder / CLUSTERS, _list_clusters(documents, chosen, sizes))
    in_index = sum(len(documents.read_old(part)) for part in range(len(documents.facts)))
    kept, exact = int(chosen.kept.sum()), int(chosen.exact.sum())
    counts = {
        "documents": documents.rows + in_index,
        "kept": kept,
        "in_index": in_index,
        "exact_duplicates": exact,
        "near_duplicates": documents.rows - kept - exact,
        "clusters": int((sizes > 1).sum()),
        "pairs_compared": chosen.compared,
        **left_out,
    }
    short = _list_ids(documents, range(1, Shingler(rules.shingle).width), "short")
    write_counts(folder / SUMMARY, counts, short, _list_ids(documents, range(1), "empty"))


def write_cluster_rows(path: Path, rows: Iterable[ClusterRow]) -> None:
    """Write rows as CSV; the cells about a duplicate are empty for a document that is kept."""
    with path.open("x", newline="", encoding="utf-8", errors="surrogatepass") as file:
        file.write(format_row(ClusterRow._fields) + "\n")
        for row in rows:
            relation = (row.duplicate_of, row.similarity, str(row.exact).lower())
            cells = ["" if row.kept else each for each in relation]
            file.write(format_row([row.cluster, row.id, str(row.kept).lower(), *cells, row.weakest]) + "\n")


def write_counts(path: Path, counts: Mapping[str, Any], short: Iterable[str], empty: Iterable[str]) -> None:
    """Write the summary as JSON; names are written as they come."""
    with path.open("xb") as out:
        out.write(b"{\n")
        for name, count in counts.items():
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


def _list_clusters(documents: Digests, choice: Choice, sizes: NDArray[np.int64]) -> Iterator[ClusterRow]:
    """All documents of clusters of two or more, cluster after cluster."""
    rows = np.flatnonzero(sizes[choice.clusters] > 1)
    rows = rows[np.argsort(choice.clusters[rows], kind="stable")]
    for first in range(0, len(rows), _BLOCK):
        block = rows[first : first + _BLOCK]
        duplicate_of = choice.duplicate_of[block]
        names = (documents.ids(each) for each in (choice.clusters[block], block, duplicate_of))
        facts = (duplicate_of == block, choice.similarity[block], choice.exact[block], choice.weakest[block])
        for cluster, name, of, kept, similarity, exact, weakest in zip(
            *names, *(each.tolist() for each in facts), strict=True
        ):
            yield ClusterRow(cluster, name, kept, of, similarity, exact, weakest)


def _list_ids(documents: Digests, lengths: range, kind: str) -> Iterator[str]:
    """The ids of the documents with so many tokens, in the order of the input.

    Those that resemble one of an index are listed where their attribute ``kind`` says so.
    """
    all_lengths = documents.lengths()
    for part, (first, end) in enumerate(pairwise(documents.part_starts.tolist())):
        old = documents.read_old(part)
        numbers = np.flatnonzero(number_new(end - first, old) >= 0)
        outside_documents = [(row, each.document) for row, each in sorted(old.items()) if getattr(each, kind)]
        rows = np.flatnonzero((all_lengths[first:end] >= lengths.start) & (all_lengths[first:end] < lengths.stop))
        new = _name(documents, first, rows, numbers)
        yield from (name for _, name in heapq.merge(new, outside_documents))


def _name(
    documents: Digests, first: int, rows: NDArray[np.int64], numbers: NDArray[np.int64]
) -> Iterator[tuple[int, str]]:
    """Of some documents of a part, whose first one is ``first``, the number in ``numbers`` and the id."""
    for begin in range(0, len(rows), _BLOCK):
        block = rows[begin : begin + _BLOCK]
        yield from zip(numbers[block].tolist(), documents.ids(first + block), strict=True)


def gather_files(parts: list[InputPart], digests: list[Path], written: list[Path], summary: Path, target: Path) -> None:
    """Put all files of the result into a folder."""
    write_left_out(target, parts, digests, [facts.counts for facts in Digests(digests).facts])
    join_files(parts, [folder / KEPT for folder in written], target / KEPT)
    if lists := [folder / REMOVED for folder in written if (folder / REMOVED).exists()]:
        join_lists(lists, target / REMOVED)
    for name in (CLUSTERS, SUMMARY):
        disk.link(summary / name, target / name)
