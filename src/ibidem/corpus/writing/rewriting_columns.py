"""Writing a Parquet or Arrow file again, batch by batch, with its schema, metadata and codec."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ibidem.corpus.columnar import BATCH_BYTES, open_columnar, restore_types, select_rows
from ibidem.corpus.opening import compression_of
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.changes import FileRows, NewColumn
from ibidem.corpus.writing.output_file import create_file
from ibidem.text.tables import encode_rows

_GROUP_ROWS, _GROUP_BYTES = 1 << 16, 32 << 20
"""Rows of a row group that is written, and the bytes at which it ends before."""


def write_columns(source: Source, rows: FileRows, target: Path, kind: str) -> int:
    """Write a file of the kind ``"Parquet"`` or ``"Arrow"``; return how many rows ``source`` has."""
    column, row = rows.changes.column, 0
    with open_columnar(source, kind) as file:
        schema = file.schema
        if column is not None:
            column.require_new(source, schema.names)
            schema = schema.append(pa.field(column.name, _list_type(column)))
        with (
            create_file(target, compression_of(str(target))) as out,
            file.open_writer(out, schema) as writer,
            _RowGroups(writer) as groups,
        ):
            for batch in file.read(BATCH_BYTES):
                new_batch = _change_batch(batch, rows, row)
                row += batch.num_rows
                if new_batch is not None:
                    groups.add(restore_types(new_batch, schema))
    return row


def _change_batch(batch: Any, rows: FileRows, first: int) -> Any:
    """What is written of a batch, the first row of which is the row ``first`` of its file; ``None`` for nothing."""
    keep = rows.keep[first : first + batch.num_rows]
    documents = rows.documents[first : first + batch.num_rows]
    if len(keep) < batch.num_rows:
        return None  # the file was changed since it was read
    if rows.dropped is not None:
        is_dropped = ~keep & (documents >= 0)
        for document, row in zip(
            documents[is_dropped].tolist(), encode_rows(select_rows(batch, is_dropped)), strict=True
        ):
            rows.dropped(document, row)
    if not keep.any():
        return None
    if not keep.all():
        batch, documents = select_rows(batch, keep), documents[keep]
    return _extend_batch(_edit_batch(batch, rows, documents), rows.changes.column, documents)


def _edit_batch(batch: Any, rows: FileRows, documents: NDArray[np.int64]) -> Any:
    edits, name = rows.changes.edits, rows.changes.text
    edited_rows = [row for row, document in enumerate(documents.tolist()) if document in edits] if edits else []
    if not edited_rows:
        return batch
    texts: list[Any] = batch[name].to_pylist()
    for row in edited_rows:
        texts[row] = edits[int(documents[row])](texts[row])
    return batch.set_column(batch.schema.get_field_index(name), name, pa.array(texts, pa.large_string()))


def _extend_batch(batch: Any, column: NewColumn | None, documents: NDArray[np.int64]) -> Any:
    if column is None:
        return batch
    values = [list(column.values.get(document, [])) for document in documents.tolist()]
    kind = _list_type(column)
    return batch.append_column(pa.field(column.name, kind), pa.array(values, kind))


def _list_type(column: NewColumn) -> Any:
    return pa.list_(pa.struct([(name, pa.type_for_alias(alias)) for name, alias in column.kinds.items()]))


class _RowGroups:
    """Batches on their way to a file, some of them in each row group."""

    def __init__(self, writer: Any) -> None:
        self._writer, self._batches = writer, list[Any]()

    def __enter__(self) -> "_RowGroups":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._write()

    def add(self, batch: Any) -> None:
        """Take a batch; write those that were taken if they are a row group."""
        self._batches.append(batch)
        rows, size = sum(each.num_rows for each in self._batches), sum(each.nbytes for each in self._batches)
        if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
            self._write()

    def _write(self) -> None:
        if self._batches:
            self._writer.write_table(pa.Table.from_batches(self._batches))
            self._batches.clear()
