"""Writing what becomes of the documents of a part, several files at a time."""

import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ibidem.corpus.inputs import InputPart, read_left_out
from ibidem.corpus.opening import suffix_of
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.changes import Changes
from ibidem.corpus.writing.kept import place_files
from ibidem.corpus.writing.removed import REMOVED, separate_rows
from ibidem.corpus.writing.rewriting import rewrite_file
from ibidem.documents.against import Addition, Against
from ibidem.documents.choice import Choice, open_choice
from ibidem.documents.digests import Digests
from ibidem.documents.index import Nearest
from ibidem.options import RemovedRows
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.text import Documents
from ibidem.text.json_values import encode_json

KEPT = "kept"

_AHEAD = 64
"""Files for each thread that are done before the first of them is."""

_READ_WHOLE = (".json", ".parquet", ".pq")
"""Formats of which the file says how much of it is held at a time. One of these is written at a time."""

_BLOCK = 1 << 14
"""Documents that are named at a time."""


class InputFile(NamedTuple):
    """A file that was read.

    Attributes:
        first: the number of its first document in the part.
        documents: how many it had.
        target: the file for its kept documents.
    """

    source: Source
    first: int
    documents: int
    target: Path


def write_part(
    digest_folders: Sequence[Path],
    choice_file: Path,
    listed: RemovedRows,
    task: tuple[int, InputPart],
    folder: Path,
    resources: Resources,
) -> None:
    """Write the kept documents of the files of a part, and the list of the removed ones as far as it is ``listed``.

    A task is the number of a part, and the part.
    """
    documents, (number, part) = Digests(digest_folders), task
    part_choice = PartChoice(documents, open_choice(choice_file), number)
    reading = part.open(resources, read_left_out(digest_folders[number]))
    places = place_files(part, folder / KEPT)
    files, row = [], 0
    for file, count, place in zip(reading.files, documents.facts[number].counts, places, strict=True):
        if not count and file.failures is not None and file.failures.lacks_rest(file):
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        files.append(InputFile(file, row, count, place))
        row += count
    write_files(files, reading.columns, part_choice, folder / REMOVED, resources, listed)
    if listed == "none":
        (folder / REMOVED).unlink()


def add_kept(
    against: Against,
    folder: Path,
    origin: str,
    digest_folders: Sequence[Path],
    choice_file: Path,
    parts: Sequence[InputPart],
    resources: Resources,
) -> None:
    """Add the documents that are kept to the index, once a note in the folder of the work says which these are."""
    documents, chosen = Digests(digest_folders), open_choice(choice_file)
    Addition(origin, against.generation, documents.ids(np.flatnonzero(chosen.kept))).write(folder)

    def read_kept() -> Iterator[Documents]:
        row = 0
        for number, part in enumerate(parts):
            for batch in part.open(resources, read_left_out(digest_folders[number])):
                yield batch.select(np.flatnonzero(chosen.kept[row : row + len(batch.ids)]).tolist())
                row += len(batch.ids)

    against.index.add(read_kept(), memory=resources.memory, threads=resources.workers)


class PartChoice:
    """Which documents of a part stay.

    Attributes:
        kept: bool [n], whether each stays.
    """

    def __init__(self, documents: Digests, choice: Choice, part: int) -> None:
        self._documents, self._choice, self._known = documents, choice, documents.read_known(part)
        self._first, end = documents.part_starts[part : part + 2].tolist()
        self.kept = choice.duplicate_of[self._first : end] == np.arange(self._first, end)
        self._removed = np.flatnonzero(~self.kept)
        # Documents are asked for one after another, by some threads at a time.
        self._describe = lru_cache(maxsize=16)(self._describe_block)

    def describe(self, row: int) -> dict[str, Any]:
        """What is noted of a removed document: its id, the one that it duplicates, and how."""
        at = int(np.searchsorted(self._removed, row))
        return self._describe(at // _BLOCK)[at % _BLOCK]

    def _describe_block(self, block: int) -> list[dict[str, Any]]:
        places = self._removed[block * _BLOCK : (block + 1) * _BLOCK]
        rows = self._first + places
        of = self._documents.ids(np.maximum(self._choice.duplicate_of[rows], 0))  # those that are known have others
        found = map(Nearest, of, self._choice.similarity[rows].tolist(), self._choice.exact[rows].tolist())
        named = zip(places.tolist(), self._documents.ids(rows), found, strict=True)
        return [{"id": name, **self._known.get(place, nearest).describe()} for place, name, nearest in named]


def write_files(
    files: Sequence[InputFile],
    columns: Columns,
    choice: PartChoice,
    removed: Path,
    resources: Resources,
    listed: RemovedRows = "rows",
) -> None:
    """Write the kept documents of each file, and a line for each removed one to ``removed``, in the order of the input.

    Args:
        listed: whether the lines have all of a row, or the note on it alone, or there are none.

    Raises:
        CorpusError: a file was changed in the meantime.
    """
    stopped, alone = threading.Event(), threading.Lock()
    write = partial(_write_file, columns.text, choice, removed, listed, stopped, alone)
    with removed.open("xb") as out, resources.pool() as pool:
        try:
            pieces = in_order(pool, write, files, resources.workers * _AHEAD)
            for done, piece in enumerate(pieces, 1):
                if piece is not None:
                    with piece.open("rb") as lines:
                        shutil.copyfileobj(lines, out)
                    piece.unlink()
                resources.tell("writing", done, len(files))
        except BaseException:
            stopped.set()  # a file may be long, and the pool waits for those that are begun
            raise


def _write_file(
    text: str,
    choice: PartChoice,
    removed: Path,
    listed: RemovedRows,
    stopped: threading.Event,
    alone: threading.Lock,
    file: InputFile,
) -> Path | None:
    """Write the kept documents of a file, and the removed ones to a new file, if there are any."""
    kept = choice.kept[file.first : file.first + file.documents]
    source = file.source._replace(progress=None, stopped=stopped)  # progress is counted of one file at a time

    def describe(document: int) -> dict[str, Any]:
        return choice.describe(file.first + document)

    with alone if suffix_of(source.path) in _READ_WHOLE else nullcontext():
        if kept.all() or listed != "rows":
            rewrite_file(source, Changes(kept), file.target)
        if kept.all() or listed == "none":
            return None
        piece = removed.with_name(f"{removed.name}.{file.first}")
        if listed == "rows":
            separate_rows(source, kept, text, describe, file.target, piece)
        else:
            notes = map(describe, np.flatnonzero(~kept).tolist())
            piece.write_bytes(b"".join(encode_json(note) + b"\n" for note in notes))
        return piece
