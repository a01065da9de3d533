"""Columns that grow: in memory as long as they are small, then in a file."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.store.files.columns import ColumnRecord, ColumnWriter
from ibidem.store.format import Column
from ibidem.system import disk

_HELD = 4 << 20
"""Bytes of a column that memory holds. The columns of a small collection never reach the disk."""


class GrowingColumn:
    """A column as ``ColumnWriter`` makes it, whose file is made when it is needed.

    Attributes:
        rows: how many were appended.
    """

    def __init__(self, folder: Path, column: Column, width: int | None = None) -> None:
        self.column, self.rows = column, 0
        self._folder, self._width = folder, width
        self._writer: ColumnWriter | None = None
        self._pieces = [np.empty((0,) if width is None else (0, width), column.dtype)]
        self._bytes = 0

    def append(self, values: NDArray[Any]) -> None:
        """Append rows; their dtype must be the column's own."""
        self.rows += len(values)
        if self._writer is not None:
            self._writer.append(values)
            return
        if values.dtype != self._pieces[0].dtype or values.shape[1:] != self._pieces[0].shape[1:]:
            raise ValueError(f"column {self.column.name} holds {self._pieces[0].dtype}, not {values.dtype}")
        self._pieces.append(np.array(values))
        self._bytes += values.nbytes
        if self._bytes > _HELD:
            self._open_file()

    def view(self) -> NDArray[Any]:
        """The values appended so far, read-only."""
        if self._writer is not None:
            return self._writer.view()
        if len(self._pieces) > 1:
            self._pieces = [np.concatenate(self._pieces)]
        values = self._pieces[0].view()
        values.flags.writeable = False
        return values

    def finish(self) -> ColumnRecord:
        """Write all to the file, and sync."""
        return self._open_file().finish()

    def _open_file(self) -> ColumnWriter:
        """The file, with all that was appended."""
        if self._writer is None:
            disk.make_folder(self._folder)
            self._writer = ColumnWriter(self._folder, self.column, self._width)
            for piece in self._pieces:
                self._writer.append(piece)
            self._pieces = []
        return self._writer
