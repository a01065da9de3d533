"""Writing the outcome of a collection, several files at a time: kept documents by file, removed ones in one list."""

import shutil
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ibidem.corpus.opening import suffix_of
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.filtering import write_filtered
from ibidem.corpus.writing.removed import write_removed
from ibidem.documents.job.chosen import PartOutcome

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ibidem.resources import Resources

_AHEAD = 64
"""Tasks for each thread that are done before the first of them is; a file is two."""

_READ_WHOLE = (".json", ".parquet", ".pq")
"""Formats of which the file says how much of it is held at a time. One of these is written at a time."""


class InputFile(NamedTuple):
    """A file that was read.

    Attributes:
        first: the number of its first document.
        documents: how many it had.
        target: the file for its kept documents.
    """

    source: Source
    first: int
    documents: int
    target: Path


def write_outcome_files(
    files: Sequence[InputFile], columns: Columns, outcome: PartOutcome, removed: Path, resources: "Resources"
) -> None:
    """Write the kept documents of each file, and a line for each removed one to ``removed``, in the order of the input.

    Raises:
        CorpusError: a file was changed in the meantime.
    """
    from ibidem.parallel import in_order

    stopped = threading.Event()
    work = _Work(columns, outcome, outcome.kept, removed, stopped)
    tasks = [partial(each, file) for file in files for each in (work.write_kept, work.write_removed)]
    with removed.open("xb") as out, resources.pool() as pool:
        try:
            pieces = in_order(pool, lambda task: task(), tasks, resources.workers * _AHEAD)
            for done, piece in enumerate(pieces, 1):
                if piece is not None:
                    with piece.open("rb") as lines:
                        shutil.copyfileobj(lines, out)
                    piece.unlink()
                resources.tell("writing", done // 2, len(files))
        except BaseException:
            stopped.set()  # a file may be long, and the pool waits for those that are begun
            raise


class _Work:
    """Writes the outcome of a file; calls may run at the same time in several threads."""

    def __init__(
        self,
        columns: Columns,
        outcome: PartOutcome,
        kept: "NDArray[np.bool_]",
        removed: Path,
        stopped: threading.Event,
    ) -> None:
        self._columns, self._outcome, self._kept = columns, outcome, kept
        self._removed, self._stopped = removed, stopped
        self._alone = threading.Lock()

    def write_kept(self, file: InputFile) -> None:
        """Write the kept documents of a file."""
        with self._turn(file):
            write_filtered(self._open(file), self._kept[file.first : file.first + file.documents], file.target)

    def write_removed(self, file: InputFile) -> Path | None:
        """Write the removed documents of a file to a new file, if there are any."""
        if self._kept[file.first : file.first + file.documents].all():
            return None
        piece = self._removed.with_name(f"{self._removed.name}.{file.first}")
        with self._turn(file):
            write_removed(self._open(file), self._columns, partial(self._note, file.first), file.documents, piece)
        return piece

    def _note(self, first: int, row: int) -> dict[str, Any] | None:
        """Return the note on a row of the file whose first document has the number ``first``, if the row is removed."""
        number = first + row
        if number >= len(self._kept) or self._kept[number]:
            return None
        of, similarity, exact = self._outcome.relation(number)
        return {"id": self._outcome.id_of(number), "duplicate_of": of, "similarity": similarity, "exact": exact}

    def _open(self, file: InputFile) -> Source:
        # Progress is counted of one file at a time.
        return file.source._replace(progress=None, stopped=self._stopped)

    def _turn(self, file: InputFile) -> AbstractContextManager[object]:
        return self._alone if suffix_of(file.source.path) in _READ_WHOLE else nullcontext()
