"""CSV and TSV: a header, then one document a row. Every value is a string, as the file has it: nothing is guessed.

The standard library's reader is used, not Arrow's, which reads long texts no faster and is silent where this one is
strict: about a quote that is never closed, text after a closing quote, and a row longer than a block.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from ibidem.corpus.failures import leave_out
from ibidem.corpus.faults import fault
from ibidem.corpus.opening import BYTE_ORDER_MARK, open_stream, read_lines, until_fault
from ibidem.corpus.rows import Columns, Row, batch_rows
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from ibidem.text import Documents

# A quote that is never closed would take the rest of the file into one field.
LARGEST_FIELD = 1 << 28


def read(source: Source, columns: Columns, batch_bytes: int, *, delimiter: str) -> Iterator["Documents"]:
    """The documents of one file of separated values.

    Fields may be quoted with ``"`` (doubled inside), and quoted fields may hold line ends. Blank lines hold no
    document. Without an id column the ids are ``name:row``, rows counted from 1 below the header.
    """
    csv.field_size_limit(max(csv.field_size_limit(), LARGEST_FIELD))
    with open_stream(source) as stream:
        records = _records(source, stream, delimiter, columns.max_line)
        yield from batch_rows(until_fault(source, _rows(source, columns, records)), batch_bytes)


def format_row(fields: Iterable[Any], delimiter: str = ",") -> str:
    """A row without its line end; a field with a carriage return is quoted as one with a newline is."""
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=delimiter, lineterminator="\r\n").writerow(fields)  # these two are what is quoted
    return written.getvalue().removesuffix("\r\n")


class _Record(NamedTuple):
    line: int
    fields: list[str]


def _records(source: Source, stream: BinaryIO, delimiter: str, most: int) -> Iterator[_Record]:
    """The rows that are not blank, header included, with the line on which each begins."""
    reader = csv.reader(_lines(source, stream, most), delimiter=delimiter, strict=True)
    line = 1
    try:
        for fields in reader:
            if fields:
                yield _Record(line, fields)
            line = reader.line_num + 1
    except csv.Error as error:
        raise fault(source.path, f"invalid row: {_explain(str(error))}", line=line) from error


def _explain(message: str) -> str:
    if "end of data" in message or "field limit" in message:
        return "a quote opened here is never closed"
    if "expected after" in message:
        return f'{message}; write a quote inside quotes as ""'
    if "new-line character" in message:
        return "a carriage return that ends no line; end lines with \\n or \\r\\n, or quote the field"
    return message


def _lines(source: Source, stream: BinaryIO, most: int) -> Iterator[str]:
    for number, line in enumerate(read_lines(source, stream, most), start=1):
        try:
            yield (line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line).decode()
        except UnicodeDecodeError as error:
            if source.failures is None:
                raise _name_invalid(source, error, number) from error
            yield line.decode("utf-8", "surrogateescape")  # the row is left out once it is known where it ends


def _name_invalid(source: Source, error: UnicodeDecodeError, line: int) -> CorpusError:
    cause = f"invalid UTF-8 at byte {error.start + 1} of the line ({error.reason}); convert the file to UTF-8"
    return fault(source.path, cause, line=line)


def _rows(source: Source, columns: Columns, records: Iterator[_Record]) -> Iterator[Row]:
    from msgspec.json import encode

    header = next(records, None)
    if header is None:
        return
    names = header.fields
    columns.check(source, names, header.line)
    text_at = names.index(columns.text)
    id_at = names.index(columns.id) if columns.id in names else None
    others = [at for at in range(len(names)) if at not in (text_at, id_at)]
    for number, (line, fields) in enumerate(records):
        with leave_out(source, number):
            if len(fields) != len(names):
                cause = f"{len(fields)} fields where the header has {len(names)}; check the quotes and the delimiter"
                raise fault(source.path, cause, line=line)
            id = f"{source.name}:{number + 1}" if id_at is None else fields[id_at]
            if not id:
                raise fault(source.path, "the id is empty", line=line, column=columns.id)
            _require_utf8(source, fields, line)
            yield Row(id, fields[text_at].encode(), encode({names[at]: fields[at] for at in others}))


def _require_utf8(source: Source, fields: list[str], line: int) -> None:
    """Refuse a row with bytes that were read although they are not UTF-8."""
    try:
        for field in fields if source.failures is not None else ():
            field.encode()
    except UnicodeEncodeError as error:
        cause = "invalid UTF-8 in the row; convert the file to UTF-8"
        raise fault(source.path, cause, line=line) from error
