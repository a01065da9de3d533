"""The files of a result about the whole collection: its clusters, its short documents, and its summary."""

from collections.abc import Iterator, Mapping, Sequence
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
from ibidem.documents.digests import Digests
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
    digest_folders: Sequence[Path],
    left_out: Mapping[str, Any],
    format: TableFormat,
    choice_file: Path,
    folder: Path,
    resources: Resources,
) -> None:
    """Write the tables, the counts of everything, and the settings; ``left_out`` counts what is in no result."""
    documents, chosen = Digests(digest_folders), open_choice(choice_file)
    write_tables(make_document_schema(), list_clusters(documents, chosen), folder / f"{_CLUSTERS}.{format}", format)
    lengths = documents.lengths()
    rows = np.flatnonzero(lengths < Shingler(rules.shingle).width)
    are_empty = lengths[rows] == 0
    write_tables(
        make_short_schema(), _tabulate_short(documents, rows, are_empty), folder / f"{_SHORT}.{format}", format
    )
    kept, exact, in_index = int(chosen.kept.sum()), int(chosen.exact.sum()), int((chosen.duplicate_of < 0).sum())
    counts = {
        "documents": documents.rows,
        "kept": kept,
        "in_index": in_index,
        "exact_duplicates": exact,
        "near_duplicates": documents.rows - in_index - kept - exact,
        "clusters": int((_count_members(chosen) > 1).sum()),
        "short": int((~are_empty).sum()),
        "empty": int(are_empty.sum()),
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


def _tabulate_short(documents: Digests, rows: NDArray[np.int64], are_empty: NDArray[np.bool_]) -> "Iterator[pa.Table]":
    """The documents with fewer tokens than a shingle, in the order of the input."""
    import pyarrow as pa

    for first in range(0, len(rows), _BLOCK):
        block = slice(first, first + _BLOCK)
        names = list(map(replace_surrogates, documents.ids(rows[block])))
        yield pa.table([names, are_empty[block]], schema=make_short_schema())


def gather_files(
    parts: list[InputPart], digest_folders: list[Path], written: list[Path], summary: Path, removed: str, target: Path
) -> None:
    """Put all files of the result into a folder; ``removed`` is the name of the list of removed rows."""
    write_left_out(target, parts, digest_folders, [facts.counts for facts in Digests(digest_folders).facts])
    join_files(parts, [folder / KEPT for folder in written], target / KEPT)
    if lists := [folder / REMOVED for folder in written if (folder / REMOVED).exists()]:
        join_lists(lists, target / removed)
    for path in sorted(summary.iterdir()):
        disk.link(path, target / path.name)
