"""The list of the rows that are removed: JSON lines, each the row as it was with a note on what became of it."""

import glob
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from ibidem.corpus.formats import FORMATS
from ibidem.corpus.opening import compression_of, suffix_of
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.changes import Changes
from ibidem.corpus.writing.output_file import create_file
from ibidem.corpus.writing.rewriting import rewrite_file
from ibidem.corpus.writing.rows_as_json import add_note
from ibidem.remote.storage import Storage, is_remote

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REMOVED = "removed.jsonl"
"""How the name of the list of removed rows begins; the suffix of a compression may follow."""

Notes = Callable[[int], Mapping[str, Any]]
"""Returns the note on a document by its number in the file."""


def name_removed(files: Iterable[Source]) -> str:
    """The name of the list of what is removed from some files: it is compressed as the first that is, or as Parquet is.

    >>> name_removed([Source("a.csv", "a.csv"), Source("b.csv.gz", "b.csv.gz")]), name_removed([])
    ('removed.jsonl.gz', 'removed.jsonl')
    """
    for file in files:
        if compression_of(file.path):
            return REMOVED + PurePath(file.path).suffix.lower()
        if suffix_of(file.path) in FORMATS["parquet"].suffixes:
            return f"{REMOVED}.zst"
    return REMOVED


def find_removed(folder: str | os.PathLike[str]) -> str | None:
    """The path or URL of the list of removed rows in the folder of a result, if it has one."""
    place = os.fspath(folder)
    if not is_remote(place):
        return next(iter(sorted(glob.glob(f"{glob.escape(place)}/{REMOVED}*"))), None)
    names = [name for name in Storage(place).list() if name.startswith(REMOVED)]
    return f"{place}/{names[0]}" if names else None


def separate_rows(
    source: Source, keep: "NDArray[np.bool_]", text: str, notes: Notes, target: Path, removed: Path
) -> None:
    """Write the documents to ``keep`` as ``rewrite_file`` does, and each of the others, with a note, to ``removed``.

    Args:
        text: the name that the text of a file of prose has in its line.

    Raises:
        CorpusError: the file was changed since it was read.
    """
    with create_file(removed) as out:

        def remove(document: int, row: bytes) -> None:
            out.write(add_note(row, notes(document)) + b"\n")

        rewrite_file(source, Changes(keep, text), target, remove)
