"""Writing what became of a collection, several files at a time: what is kept of each, and what is removed of all."""

import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ibidem.corpus.opening import suffix_of
from ibidem.corpus.outcome import Relations, write_removed
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.filtering import CountedDocuments, write_filtered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ibidem.resources import Resources

__all__ = ["InputFile", "write_outcome_files"]

_AHEAD = 64
"""Files for each thread that are written before the first of them is."""

_READ_WHOLE = (".json", ".parquet", ".pq")
"""Formats of which the file says how much of it is held at a time. One of these is written at a time."""


class InputFile(NamedTuple):
    """A file that was read.

    Attributes:
        first: the number of its first document.
        documents: how many it had.
        target: where what is kept of it goes.
    """

    source: Source
    first: int
    documents: int
    target: Path


def write_outcome_files(
    files: Sequence[InputFile], columns: Columns, outcome: Relations, removed: Path, resources: "Resources"
) -> None:
    """Write what is kept of each file, and a line for each removed document to ``removed``, in the order of the input.

    Raises:
        CorpusError: a file was changed in the meantime.
    """
    from ibidem.parallel import in_order

    stopped = threading.Event()
    work = _Work(columns, outcome, outcome.kept, removed, resources.batch_bytes, stopped)
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
    """Writes what became of one file; calls may run at the same time in several threads."""

    def __init__(
        self,
        columns: Columns,
        outcome: Relations,
        kept: "NDArray[np.bool_]",
        removed: Path,
        batch_bytes: int,
        stopped: threading.Event,
    ) -> None:
        self._columns, self._outcome, self._kept = columns, outcome, kept
        self._removed, self._batch_bytes, self._stopped = removed, batch_bytes, stopped
        self._alone = threading.Lock()

    def write(self, file: InputFile) -> Path | None:
        """Write what is kept of a file; gives a file of what is removed, if anything is."""
        if suffix_of(file.source.path) not in _READ_WHOLE:
            return self._write(file)
        with self._alone:
            return self._write(file)

    def _write(self, file: InputFile) -> Path | None:
        # Progress is counted of one file at a time.
        source = file.source._replace(progress=None, stopped=self._stopped)
        kept = self._kept[file.first : file.first + file.documents]
        write_filtered(source, kept, file.target)
        if kept.all():
            return None
        piece = self._removed.with_name(f"{self._removed.name}.{file.first}")
        reading = CountedDocuments([source], self._columns, self._batch_bytes)
        write_removed(piece, reading, self._outcome, self._kept, file.first)
        return piece
