"""CSV and TSV: a header, then one document a row. Every value is a string, as the file has it: nothing is guessed.

The standard library's reader is used, not Arrow's, which reads long texts no faster and is silent where this one is
strict: about a quote that is never closed, text after a closing quote, and a row longer than a block.
"""

import csv
import io
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from ibidem.corpus.delimited_rows import DelimitedRow, find_invalid, split_rows
from ibidem.corpus.dialects import Dialect, find_dialect, read_separator
from ibidem.corpus.failures import leave_out
from ibidem.corpus.faults import fault
from ibidem.corpus.opening import LARGEST_LINE, open_rows, remove_mark, until_fault
from ibidem.corpus.rows import Columns, Row, batch_rows
from ibidem.corpus.sources import Source

if TYPE_CHECKING:
    from ibidem.text import Documents


def read(source: Source, columns: Columns, batch_bytes: int, *, format: str) -> Iterator["Documents"]:
    """The documents of one file of separated values.

    Fields may be quoted with ``"`` (doubled inside), and quoted fields may hold line ends. Blank lines hold no
    document. Without an id column the ids are ``name:row``, rows counted from 0 below the header.
    """
    dialect = find_dialect(source._replace(encoding=columns.encoding, delimiter=columns.delimiter), format)
    if dialect.is_guess:
        cause = f"read as {dialect.encoding}; if that is wrong, name the encoding (encoding, --encoding)"
        warnings.warn(f"{source.path}: {cause}", stacklevel=2)
    with _open_records(source, dialect, columns.max_line) as records:
        yield from batch_rows(until_fault(source, _rows(source, columns, records)), batch_bytes)


def read_header(records: Iterator[DelimitedRow]) -> DelimitedRow | None:
    """The header, which may come after a line such as ``sep=;``; nothing of an empty file."""
    header = next(records, None)
    return next(records, None) if header is not None and names_delimiter(header) else header


@contextmanager
def _open_records(source: Source, dialect: Dialect, most: int = LARGEST_LINE) -> Iterator[Iterator[DelimitedRow]]:
    """The rows of a file, header included."""
    with open_rows(source._replace(encoding=dialect.encoding)) as stream:
        yield split_rows(source, stream, dialect.delimiter, most)


def read_names(source: Source, format: str) -> list[str]:
    """The names of the columns; none of an empty file."""
    with _open_records(source, find_dialect(source, format)) as records:
        header = read_header(records)
        return header.fields if header else []


def find_line(source: Source, row: int, format: str) -> int:
    """The line on which a row begins, counted from 1; ``row`` counts those below the header from 0."""
    with _open_records(source, find_dialect(source, format)) as records:
        read_header(records)
        return next(islice((record.line for record in records), row, None))


def names_delimiter(row: DelimitedRow) -> bool:
    """Whether the first row of a file is a line such as ``sep=;``."""
    return len(row.lines) == 1 and read_separator(str(row.lines[0], "utf-8", "replace")) is not None


def format_row(fields: Iterable[Any], delimiter: str = ",") -> str:
    """A row without its line end; a field with a carriage return is quoted as one with a newline is."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n").writerow(fields)  # these two are what is quoted
    return buffer.getvalue().removesuffix("\r\n")


def split_row(row: bytes, delimiter: str = ",") -> list[str]:
    """The fields of a row that was read before, with or without its line end and a byte order mark."""
    text = remove_mark(row).decode()
    return next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


def _rows(source: Source, columns: Columns, records: Iterator[DelimitedRow]) -> Iterator[Row]:
    from msgspec.json import encode

    header = read_header(records)
    if header is None:
        return
    names = header.fields
    if invalid := find_invalid(source, header.lines, header.line):
        raise invalid
    columns.check(source, names, header.line)
    text_at = names.index(columns.text)
    id_at = names.index(columns.id) if columns.id in names else None
    others = [column for column in range(len(names)) if column not in (text_at, id_at)]
    for number, (line, fields, lines) in enumerate(records):
        with leave_out(source, number):
            if len(fields) != len(names):
                cause = f"{len(fields)} fields where the header has {len(names)}; check the quotes and the delimiter"
                raise find_invalid(source, lines, line) or fault(source.path, cause, line=line)
            try:
                id = f"{source.name}:{number}" if id_at is None else fields[id_at]
                id.encode()
                metadata = encode({names[column]: fields[column] for column in others})
                row = Row(id, fields[text_at].encode(), metadata)
            except UnicodeError as error:
                raise find_invalid(source, lines, line) or error from error
            if not id:
                raise fault(source.path, "the id is empty", line=line, column=columns.id)
            yield row
