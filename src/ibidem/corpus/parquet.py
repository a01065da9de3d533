"""Parquet: one document a row. Texts go from the file's columns to a batch without becoming Python strings.

Metadata in JSON: dates and times in ISO 8601, decimals as strings, binary in Base64, NaN and infinities as null.
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

_BUFFER_BYTES = 1 << 20
_MOST_ROWS = 8192


def read(source: Source, columns: Columns, batch_bytes: int) -> Iterator["Documents"]:
    """The documents of one Parquet file; without an id column the ids are ``name:row``, rows counted from 1.

    In memory at a time are a batch and one page of each column, not a row group.
    """
    import pyarrow
    import pyarrow.parquet

    with open_seekable(source) as stream:
        first_row = 1
        try:
            # Without a buffer, or with pre_buffer, all of a row group would be in memory at once.
            file = pyarrow.parquet.ParquetFile(stream, buffer_size=_BUFFER_BYTES, pre_buffer=False)
            columns.check(source, file.schema_arrow.names)
            for batch in file.iter_batches(_rows_per_batch(file.metadata, batch_bytes)):
                yield _Batch(source, columns, batch, first_row).documents()
                first_row += batch.num_rows
        except (pyarrow.ArrowException, OSError) as error:
            cause = f"damaged, or not a Parquet file ({error}); make or fetch it again"
            raise fault(source.path, cause, row=first_row if first_row > 1 else None) from error


def _rows_per_batch(metadata: Any, batch_bytes: int) -> int:
    """So many rows as hold about ``batch_bytes``, by the sizes that the file's footer states."""
    total = sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))
    return int(min(max(batch_bytes * metadata.num_rows // max(total, 1), 1), _MOST_ROWS))


class _Batch:
    """A record batch on its way to documents; ``first_row`` is the number of its first row in the file."""

    def __init__(self, source: Source, columns: Columns, batch: Any, first_row: int) -> None:
        self.source = source
        self.columns = columns
        self.batch = batch
        self.first_row = first_row

    def documents(self) -> "Documents":
        from ibidem.text import Documents, Texts

        texts = self._strings(self.columns.text, "text")
        return Documents(self._ids(), Texts.from_arrow(texts), self._metadata())

    def _ids(self) -> list[str]:
        if self.columns.id not in self.batch.schema.names:
            return [f"{self.source.name}:{self.first_row + at}" for at in range(self.batch.num_rows)]
        ids: list[str] = self._strings(self.columns.id, "id").to_pylist()
        if "" in ids:
            raise self._fault("the id is empty", self.columns.id, ids.index(""))
        return ids

    def _strings(self, column: str, role: str) -> Any:
        """A column as large strings in valid UTF-8 and without nulls."""
        import pyarrow.compute

        values = self.batch[column]
        if not _holds_strings(values.type) and not (role == "id" and pyarrow.types.is_integer(values.type)):
            cause = f"the {role} is of type {values.type}, not a string; name the column that holds the {role}"
            raise self._fault(cause, column)
        if values.null_count:
            at = pyarrow.compute.index(pyarrow.compute.is_null(values), True).as_py()
            raise self._fault(f"the {role} is null; mend or remove the row", column, at)
        strings = values.cast(pyarrow.large_string())
        try:
            strings.validate(full=True)
        except pyarrow.ArrowInvalid as error:
            raise self._fault(f"invalid UTF-8 in the {role}", column, _first_invalid(strings)) from error
        return strings

    def _metadata(self) -> list[bytes]:
        """One JSON object a row, of the columns that are neither text nor id."""
        import msgspec

        names = [name for name in self.batch.schema.names if name not in self.columns]
        if not names:
            return [b"{}"] * self.batch.num_rows
        rows = zip(*[self._values(name) for name in names], strict=True)
        try:
            return [msgspec.json.encode(dict(zip(names, row, strict=True))) for row in rows]
        except (TypeError, ValueError) as error:
            raise self._fault(f"values that JSON cannot hold ({error}); write the file without it") from error

    def _values(self, column: str) -> list[Any]:
        import pyarrow

        try:
            values: list[Any] = _without_nanoseconds(self.batch[column]).to_pylist()
        except (pyarrow.ArrowException, TypeError, ValueError) as error:
            raise self._fault(f"values that JSON cannot hold ({error}); write the file without it", column) from error
        return values

    def _fault(self, cause: str, column: str | None = None, at: int | None = None) -> CorpusError:
        return fault(self.source.path, cause, row=None if at is None else self.first_row + at, column=column)


def _holds_strings(type: Any) -> bool:
    from pyarrow import types

    value_type = type.value_type if types.is_dictionary(type) else type
    return bool(types.is_string(value_type) or types.is_large_string(value_type) or types.is_string_view(value_type))


def _without_nanoseconds(values: Any) -> Any:
    """Python's own times end at microseconds: finer ones become ISO 8601 strings already in Arrow, in UTC if zoned."""
    import pyarrow.compute

    if values.type == pyarrow.time64("ns"):
        return values.cast(pyarrow.string())
    if pyarrow.types.is_timestamp(values.type) and values.type.unit == "ns":
        if values.type.tz is None:
            return pyarrow.compute.strftime(values, "%Y-%m-%dT%H:%M:%S")
        return pyarrow.compute.strftime(values.cast(pyarrow.timestamp("ns", "UTC")), "%Y-%m-%dT%H:%M:%SZ")
    return values


def _first_invalid(strings: Any) -> int:
    for at, value in enumerate(strings):
        try:
            value.as_py()
        except UnicodeDecodeError:
            return at
    return 0
