"""The files of a result about the whole collection: its clusters, its short documents, and its summary."""

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.corpus.inputs import InputPart
from ibidem.corpus.writing.kept import join_files, join_lists
from ibidem.corpus.writing.left_out import write_left_out
from ibidem.corpus.writing.removed import REMOVED
from ibidem.corpus.writing.tables import write_tables
from ibidem.documents.choice import Choice, open_choice
from ibidem.documents.digests import Digests, number_new
from ibidem.documents.rules import Rules
from ibidem.documents.signatures import Shingler
from ibidem.documents.tables import make_document_schema, make_short_schema, tabulate_documents
from ibidem.documents.writing import KEPT
from ibidem.options import TableFormat
from ibidem.resources import Resources
from ibidem.system import disk
from ibidem.text.json_values import replace_surrogates

if TYPE_CHECKING:
    import pyarrow as pa

SUMMARY = "summary.json"

_CLUSTERS, _SHORT = "clusters", "short"
"""The tables of a result, whose suffix is their format."""

_BLOCK = 1 << 14
"""Documents that are named at a time."""


def write_summary(
    rules: Rules,
    digests: Sequence[Path],
    left_out: Mapping[str, Any],
    format: TableFormat,
    choice: Path,
    folder: Path,
    resources: Resources,
) -> None:
    """Write the tables, the counts of everything, and the settings; ``left_out`` counts what is in no result."""
    documents, chosen = Digests(digests), open_choice(choice)
    write_tables(make_document_schema(), list_clusters(documents, chosen), folder / f"{_CLUSTERS}.{format}", format)
    lengths = Counter[str]()
    short = _tabulate_short(documents, Shingler(rules.shingle).width, lengths)
    write_tables(make_short_schema(), short, folder / f"{_SHORT}.{format}", format)
    in_index = sum(len(documents.read_old(part)) for part in range(len(documents.facts)))
    kept, exact = int(chosen.kept.sum()), int(chosen.exact.sum())
    counts = {
        "documents": documents.rows + in_index,
        "kept": kept,
        "in_index": in_index,
        "exact_duplicates": exact,
        "near_duplicates": documents.rows - kept - exact,
        "clusters": int((_count_members(chosen) > 1).sum()),
        "short": lengths["short"],
        "empty": lengths["empty"],
        "pairs_compared": chosen.compared,
        **left_out,
        "settings": rules.describe(),
    }
    (folder / SUMMARY).write_bytes(msgspec.json.format(msgspec.json.encode(counts), indent=2) + b"\n")


def _count_members(choice: Choice) -> NDArray[np.int64]:
    """How many documents each cluster has, by its first document."""
    return np.bincount(choice.clusters, minlength=len(choice.clusters))


def list_clusters(documents: Digests, choice: Choice) -> "Iterator[pa.Table]":
    """All documents of clusters of two or more, cluster after cluster."""
    rows = np.flatnonzero(_count_members(choice)[choice.clusters] > 1)
    rows = rows[np.argsort(choice.clusters[rows], kind="stable")]
    for first in range(0, len(rows), _BLOCK):
        block = rows[first : first + _BLOCK]
        duplicate_of = choice.duplicate_of[block]
        yield tabulate_documents(
            *map(documents.ids, (block, duplicate_of, choice.clusters[block])),
            kept=duplicate_of == block,
            similarity=choice.similarity[block],
            exact=choice.exact[block],
            weakest=choice.weakest[block],
        )


def _tabulate_short(documents: Digests, width: int, lengths: Counter[str]) -> "Iterator[pa.Table]":
    """The documents with fewer tokens than a shingle, in the order of the input; ``lengths`` counts them."""
    import pyarrow as pa

    short = _list_short(documents, width)
    while block := list(islice(short, _BLOCK)):
        names, are_empty = zip(*block, strict=True)
        lengths.update("empty" if each else "short" for each in are_empty)
        yield pa.table([list(map(replace_surrogates, names)), are_empty], schema=make_short_schema())


def _list_short(documents: Digests, width: int) -> Iterator[tuple[str, bool]]:
    """Their ids, and whether each has no token; those that resemble one of an index are among them, as is noted."""
    all_lengths = documents.lengths()
    for part, (first, end) in enumerate(pairwise(documents.part_starts.tolist())):
        old = documents.read_old(part)
        numbers = np.flatnonzero(number_new(end - first, old) >= 0)
        rows = np.flatnonzero(all_lengths[first:end] < width)
        are_empty = (all_lengths[first + rows] == 0).tolist()
        new = zip(numbers[rows].tolist(), _name(documents, first + rows), are_empty, strict=True)
        known = ((row, each.document, each.empty) for row, each in sorted(old.items()) if each.short or each.empty)
        yield from ((name, is_empty) for _, name, is_empty in heapq.merge(new, known))


def _name(documents: Digests, rows: NDArray[np.int64]) -> Iterator[str]:
    """The ids of some documents."""
    for begin in range(0, len(rows), _BLOCK):
        yield from documents.ids(rows[begin : begin + _BLOCK])


def gather_files(
    parts: list[InputPart], digests: list[Path], written: list[Path], summary: Path, removed: str, target: Path
) -> None:
    """Put all files of the result into a folder; ``removed`` is the name of the list of removed rows."""
    write_left_out(target, parts, digests, [facts.counts for facts in Digests(digests).facts])
    join_files(parts, [folder / KEPT for folder in written], target / KEPT)
    if lists := [folder / REMOVED for folder in written if (folder / REMOVED).exists()]:
        join_lists(lists, target / removed)
    for path in sorted(summary.iterdir()):
        disk.link(path, target / path.name)
