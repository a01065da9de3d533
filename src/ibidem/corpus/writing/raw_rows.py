"""The rows of a file of lines as their bytes, so that those that stay can be copied unchanged."""

from collections.abc import Iterator
from itertools import chain
from typing import IO, BinaryIO, NamedTuple

from ibidem.corpus.delimited import names_delimiter
from ibidem.corpus.delimited_rows import split_rows
from ibidem.corpus.json_records import read_array
from ibidem.corpus.opening import BYTE_ORDER_MARK, read_lines, remove_mark
from ibidem.corpus.sources import Source


class RawRow(NamedTuple):
    """An unchanged part of a file: a row, or a part outside of all rows, such as a header.

    Attributes:
        data: its bytes.
        separator: the bytes between the row and the one before it.
        is_header: whether it has the names of the columns.
    """

    data: bytes
    is_row: bool
    separator: bytes = b""
    is_header: bool = False


def split_lines(source: Source, stream: IO[bytes]) -> Iterator[RawRow]:
    """The rows of JSON lines, or of an array; a byte order mark stays at the beginning of the file alone."""
    first, elements = read_array(source, stream, None)  # what it holds was read before
    if elements is not None:
        yield RawRow(b"[\n", is_row=False)
        yield from (RawRow(element, is_row=True, separator=b",\n") for element in elements)
        yield RawRow(b"\n]\n", is_row=False)
        return
    lines = chain(first, read_lines(source, stream, None))
    for number, line in enumerate(lines, source.lines_before + 1):
        if number == 1 and line.startswith(BYTE_ORDER_MARK):
            yield RawRow(BYTE_ORDER_MARK, is_row=False)
        line = remove_mark(line)
        if line and not line.isspace():
            yield RawRow(_end_line(line), is_row=True)


def split_delimited(source: Source, stream: BinaryIO, delimiter: str) -> Iterator[RawRow]:
    """The rows of CSV or TSV behind the header, before which a line may name the delimiter."""
    header_at = 0
    for number, row in enumerate(split_rows(source, stream, delimiter, None)):  # what it holds was read before
        if number == 0 and names_delimiter(row):
            header_at = 1
        yield RawRow(_end_line(b"".join(row.lines)), is_row=number > header_at, is_header=number == header_at)


def _end_line(row: bytes) -> bytes:
    """The row with the end of line that the last of a file may lack."""
    return row if row.endswith(b"\n") else row + b"\n"
