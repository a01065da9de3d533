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
from ibidem.corpus.writing.removed import separate_rows
from ibidem.documents.job.chosen import PartOutcome

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ibidem.resources import Resources

_AHEAD = 64
"""Files for each thread that are done before the first of them is."""

_READ_WHOLE = (".json", ".parquet", ".pq", ".arrow", ".feather", ".ipc")
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
    with removed.open("xb") as out, resources.pool() as pool:
        try:
            pieces = in_order(pool, work.write, files, resources.workers * _AHEAD)
            for done, piece in enumerate(pieces, 1):
                if piece is not None:
                    with piece.open("rb") as lines:
                        shutil.copyfileobj(lines, out)
                    piece.unlink()
                resources.tell("writing", done, len(files))
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

    def write(self, file: InputFile) -> Path | None:
        """Write the kept documents of a file, and the removed ones to a new file, if there are any."""
        kept = self._kept[file.first : file.first + file.documents]
        # Progress is counted of one file at a time.
        source = file.source._replace(progress=None, stopped=self._stopped)
        with self._turn(file):
            if kept.all():
                write_filtered(source, kept, file.target)
                return None
            piece = self._removed.with_name(f"{self._removed.name}.{file.first}")
            separate_rows(source, kept, self._columns, partial(self._note, file.first), file.target, piece)
            return piece

    def _note(self, first: int, row: int) -> dict[str, Any] | None:
        """Return the note on a row of the file whose first document has the number ``first``, if the row is removed."""
        number = first + row
        if number >= len(self._kept) or self._kept[number]:
            return None
        of, similarity, exact = self._outcome.relation(number)
        return {"id": self._outcome.id_of(number), "duplicate_of": of, "similarity": similarity, "exact": exact}

    def _turn(self, file: InputFile) -> AbstractContextManager[object]:
        return self._alone if suffix_of(file.source.path) in _READ_WHOLE else nullcontext()
