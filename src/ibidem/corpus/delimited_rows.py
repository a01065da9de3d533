"""The rows of CSV and TSV, as their bytes and split into fields by the standard library's reader."""

import csv
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from ibidem.corpus.faults import fault
from ibidem.corpus.opening import read_lines, remove_mark
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError

_LARGEST_FIELD = (1 << 31) - 1
"""No row that has so many bytes reaches the standard library's reader."""


class DelimitedRow(NamedTuple):
    """A row that is not blank.

    Attributes:
        line: the line on which it begins.
        fields: its values; bytes that are not UTF-8 become surrogates.
        lines: its bytes as they are in the file, line by line, with their ends.
    """

    line: int
    fields: list[str]
    lines: list[bytes]


def split_rows(source: Source, stream: BinaryIO, delimiter: str, most: int | None) -> Iterator[DelimitedRow]:
    """The rows of a stream that are not blank, header included.

    Args:
        most: bytes of a row at most.

    Raises:
        CorpusError: a row is not valid, or has more bytes.
    """
    csv.field_size_limit(_LARGEST_FIELD)
    lines = _Lines(source, stream, most)
    try:
        for fields in csv.reader(lines, delimiter=delimiter, strict=True):
            row = lines.take(fields)
            if fields:
                yield row
    except csv.Error as error:
        if invalid := find_invalid(source, lines.held, lines.begin):
            raise invalid from error
        raise fault(source.path, f"invalid row: {_explain(str(error))}", line=lines.begin) from error


def find_invalid(source: Source, lines: list[bytes], first: int) -> CorpusError | None:
    """The error for lines that are not UTF-8, which names the line and the byte; ``None`` if they are.

    ``first`` is the number of the first of them.
    """
    for number, line in enumerate(lines, first):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            return fault(
                source.path,
                f"invalid UTF-8 at byte {error.start + 1} of the line ({error.reason}); convert the file to UTF-8, or "
                "name its encoding (encoding, --encoding)",
                line=number,
            )
    return None


def _explain(message: str) -> str:
    if "end of data" in message or "field limit" in message:
        return "a quote opened here is never closed"
    if "expected after" in message:
        return f'{message}; write a quote inside quotes as ""'
    if "new-line character" in message:
        return "a carriage return that ends no line; end lines with \\n or \\r\\n, or quote the field"
    return message


class _Lines:
    """The lines of a stream, as an iterator of strings for the standard library's reader.

    Attributes:
        begin: the line on which the row begins that is being read.
        held: the lines of that row that were read.
    """

    def __init__(self, source: Source, stream: BinaryIO, most: int | None) -> None:
        self._most = most
        self._lines = read_lines(source, stream, most)
        self._bytes = 0
        self.begin = 1
        self.held: list[bytes] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        is_first = self.begin == 1 and not self.held
        self.held.append(line)
        self._bytes += len(line)
        if self._most is not None and self._bytes > self._most:
            raise csv.Error("field larger than field limit")  # its quote may never be closed
        return str(remove_mark(line) if is_first else line, "utf-8", "surrogateescape")

    def take(self, fields: list[str]) -> DelimitedRow:
        """The row that was read, whose fields are these."""
        row = DelimitedRow(self.begin, fields, self.held)
        self.begin, self.held, self._bytes = self.begin + len(self.held), [], 0
        return row
