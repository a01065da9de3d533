"""The rows of a file of lines as their bytes, so that those that stay can be copied unchanged."""

from collections.abc import Iterator
from itertools import chain
from typing import IO, BinaryIO, NamedTuple

from ibidem.corpus.delimited import names_delimiter
from ibidem.corpus.delimited_rows import split_rows
from ibidem.corpus.json_records import is_blank, read_array
from ibidem.corpus.opening import BYTE_ORDER_MARK, read_long_lines
from ibidem.corpus.sources import Source


class RawRow(NamedTuple):
    """An unchanged part of a file: a row, or a part outside of all rows, such as a header.

    Attributes:
        data: its bytes; of a long line of JSON, a view of the file in which it lies.
        separator: the bytes between the row and the one before it.
        is_header: whether it has the names of the columns.
    """

    data: bytes | memoryview
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
    lines = chain(first, read_long_lines(source, stream, None))
    for number, line in enumerate(lines, source.lines_before + 1):
        if line[: len(BYTE_ORDER_MARK)] == BYTE_ORDER_MARK:
            if number == 1:
                yield RawRow(BYTE_ORDER_MARK, is_row=False)
            line = line[len(BYTE_ORDER_MARK) :]
        if line and not is_blank(line):
            yield RawRow(_end_line(line), is_row=True)


def split_delimited(source: Source, stream: BinaryIO, delimiter: str) -> Iterator[RawRow]:
    """The rows of CSV or TSV behind the header, before which a line may name the delimiter."""
    header_at = 0
    for number, row in enumerate(split_rows(source, stream, delimiter, None)):  # what it holds was read before
        data = row.parts[0] if len(row.parts) == 1 else b"".join(row.parts)
        if number == 0 and names_delimiter(row):
            header_at = 1
        yield RawRow(_end_line(data), is_row=number > header_at, is_header=number == header_at)


def _end_line(row: bytes | memoryview) -> bytes | memoryview:
    """The row with the end of line that the last of a file may lack; a view of a row that has it is not copied."""
    return row if row[-1:] == b"\n" else bytes(row) + b"\n"
