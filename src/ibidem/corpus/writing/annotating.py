"""Writing files with one more column: each in its own format and compression, with all its rows and columns.

The values are lists of objects with the same names: a list of structs in Parquet, an array in JSON lines, and in CSV
and TSV the same array as text. A file of plain text has no columns, and is copied as it is.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ibidem.corpus import delimited
from ibidem.corpus.columnar import open_columnar
from ibidem.corpus.faults import fault
from ibidem.corpus.opening import open_rows, open_stream
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.filtering import (
    RawRow,
    RowWriters,
    copy_columns,
    copy_pages,
    split_delimited,
    split_lines,
    write_rows,
)

if TYPE_CHECKING:
    import pyarrow as pa

_Objects = Sequence[Mapping[str, Any]]


class NewColumn(NamedTuple):
    """A column to add.

    Attributes:
        name: what it is called.
        kinds: the names of the values of an object, and the Arrow type of each.
        rows: the objects of the rows that have some, counted from 0.
    """

    name: str
    kinds: Mapping[str, str]
    rows: Mapping[int, _Objects]

    def describe(self, row: int) -> str:
        """The objects of a row as JSON."""
        return json.dumps(self.rows.get(row, []))

    def require_new(self, source: Source, names: Sequence[str]) -> None:
        """Refuse a file that has such a column.

        Raises:
            CorpusError: names the file and the column.
        """
        if self.name in names:
            raise fault(source.path, f"it has a column {self.name!r} already, which is to be added: rename it")


def write_annotated(source: Source, column: NewColumn, rows: int, target: Path) -> None:
    """Write ``source``, of so many ``rows``, with one more column to ``target``, which has the same suffixes.

    Raises:
        CorpusError: the file has such a column, or does not have that many rows: it was changed in the meantime.
    """
    _WRITERS.write(source, target, column, rows=rows)


def _write_lines(source: Source, column: NewColumn, target: Path) -> int:
    name = json.dumps(column.name).encode()

    def add(row: int, line: bytes | memoryview) -> bytes:
        column.require_new(source, list(json.loads(bytes(line))))
        fields, brace, ending = bytes(line).rpartition(b"}")
        return fields.rstrip() + b", " + name + b": " + column.describe(row).encode() + brace + ending

    with open_stream(source) as stream:
        return write_rows(split_lines(source, stream), add, target)


def _write_delimited(source: Source, column: NewColumn, target: Path, *, delimiter: str) -> int:

    def extend(row: bytes | memoryview, value: str) -> bytes:
        data = bytes(row)
        fields = data.rstrip(b"\r\n")
        return fields + (delimiter + delimited.format_row([value], delimiter)).encode() + data[len(fields) :]

    def with_header(parts: Iterator[RawRow]) -> Iterator[RawRow]:
        for part in parts:
            if part.is_header:
                column.require_new(source, delimited.split_row(part.data, delimiter))
                part = part._replace(data=extend(part.data, column.name))
            yield part

    with open_rows(source) as stream:
        parts = with_header(split_delimited(source, stream, delimiter))
        return write_rows(parts, lambda row, data: extend(data, column.describe(row)), target)


def _write_text(source: Source, column: NewColumn, target: Path) -> int:
    if source.pages:
        copy_pages(source, target)
        return 1
    with open_stream(source) as stream:
        parts = iter([RawRow(stream.read(), is_row=True)])
    return write_rows(parts, lambda row, data: data, target)


def _write_columns(source: Source, column: NewColumn, target: Path, *, kind: str) -> int:
    import pyarrow as pa

    with open_columnar(source, kind) as file:
        column.require_new(source, file.schema.names)
    list_type = pa.list_(pa.struct([(name, pa.type_for_alias(alias)) for name, alias in column.kinds.items()]))
    field = pa.field(column.name, list_type)

    def add(batch: "pa.RecordBatch", first: int) -> "pa.RecordBatch":
        values = [list(column.rows.get(first + row, [])) for row in range(batch.num_rows)]
        return batch.append_column(field, pa.array(values, list_type))

    return copy_columns(source, kind, add, target, [field])


_WRITERS = RowWriters(_write_lines, _write_delimited, _write_columns, _write_text)
