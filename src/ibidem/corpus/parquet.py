"""Parquet: one document a row. Texts go from the file's columns to a batch without becoming Python strings.

Metadata in JSON: dates and times in ISO 8601, decimals as strings, binary in Base64; NaN and infinities become
null, with a warning.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ibidem.corpus.faults import fault
from ibidem.corpus.opening import open_seekable
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from ibidem.text import Documents
    from ibidem.text.json_values import NullWarning

_BUFFER_BYTES = 1 << 20
_MOST_ROWS = 8192


def read(source: Source, columns: Columns, batch_bytes: int) -> Iterator["Documents"]:
    """The documents of one Parquet file; without an id column the ids are ``name:row``, rows counted from 1.

    In memory at a time are a batch and one page of each column, not a row group.
    """
    import pyarrow
    import pyarrow.parquet

    from ibidem.text.json_values import NullWarning

    warning = NullWarning("later rows")
    with open_seekable(source) as stream:
        first_row = 1
        try:
            # Without a buffer, or with pre_buffer, all of a row group would be in memory at once.
            file = pyarrow.parquet.ParquetFile(stream, buffer_size=_BUFFER_BYTES, pre_buffer=False)
            columns.check(source, file.schema_arrow.names)
            for batch in file.iter_batches(_rows_per_batch(file.metadata, batch_bytes)):
                yield from _documents(source, columns, batch, first_row, warning)
                first_row += batch.num_rows
        except (pyarrow.ArrowException, OSError) as error:
            cause = f"damaged, or not a Parquet file ({error}); make or fetch it again"
            raise fault(source.path, cause, row=first_row if first_row > 1 else None) from error


def _rows_per_batch(metadata: Any, batch_bytes: int) -> int:
    """So many rows as hold about ``batch_bytes``, by the sizes that the file's footer states."""
    total = sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))
    return int(min(max(batch_bytes * metadata.num_rows // max(total, 1), 1), _MOST_ROWS))


def _documents(
    source: Source, columns: Columns, batch: Any, first_row: int, warning: "NullWarning"
) -> Iterator["Documents"]:
    """The documents of a record batch; ``first_row`` is the number of its first row in the file.

    If rows are to be left out, the batch is halved until what cannot be used is one row.
    """
    from ibidem.text.tables import TableRows

    is_of_row = False

    def describe(cause: str, column: str | None, row: int | None) -> CorpusError:
        nonlocal is_of_row
        is_of_row = row is not None
        return fault(source.path, cause, row=None if row is None else first_row + row, column=column)

    try:
        rows = TableRows(batch, columns.text, columns.id, describe, warning)
        yield rows.documents(lambda row: f"{source.name}:{first_row + row}")
    except CorpusError as error:
        if source.failures is None or not is_of_row:
            raise
        if batch.num_rows == 1:
            source.failures.add(source, error, first_row - 1)
            return
        half = batch.num_rows // 2
        yield from _documents(source, columns, batch.slice(0, half), first_row, warning)
        yield from _documents(source, columns, batch.slice(half), first_row + half, warning)
