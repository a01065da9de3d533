"""The rows of CSV and TSV, as their bytes and split into fields; long fields lie in a file.

The standard library's reader splits rows. It keeps a field as a Python string that grows, which takes several times
the bytes of a long one. So it is stopped as soon as a row is long; the row is copied to a file instead and
split there, by the same rules, into fields that are views of the file.
"""

import csv
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from ibidem.corpus.faults import fault
from ibidem.corpus.opening import BYTE_ORDER_MARK, read_long_lines
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError
from ibidem.resources import LONG_BYTES

_PIECE = 1 << 20

_LONG_ROW = 1 << 20
"""Bytes of a row that goes to a file."""

_LARGEST_FIELD = (1 << 31) - 1
"""No row that has so many bytes reaches the standard library's reader."""


class DelimitedRow(NamedTuple):
    """A row that is not blank.

    Attributes:
        line: the line on which it begins.
        fields: its values. Bytes of a string that are not UTF-8 become surrogates; long ones are bytes in a file.
        parts: its bytes as they are in the file, with the line end, one after another.
    """

    line: int
    fields: list[str | memoryview]
    parts: list[bytes | memoryview]


def split_rows(source: Source, stream: BinaryIO, delimiter: str, most: int | None) -> Iterator[DelimitedRow]:
    """The rows of a stream that are not blank, header included.

    Args:
        most: bytes of a line at most, and of a field.

    Raises:
        CorpusError: a row is not valid, or a line has more bytes.
    """
    csv.field_size_limit(_LARGEST_FIELD)
    lines = _Lines(source, stream, most)
    try:
        while not lines.ended:
            yield from _short_rows(lines, delimiter)
            if lines.is_long:
                # Nothing keeps the row while the next is waited for.
                yield from filter(lambda row: bool(row.fields), map(lines.take_long, [delimiter]))
    except csv.Error as error:
        if invalid := find_invalid(source, lines.held, lines.begin):
            raise invalid from error
        raise fault(source.path, f"invalid row: {_explain(str(error))}", line=lines.begin) from error


def find_invalid(source: Source, parts: list[bytes | memoryview], line: int) -> CorpusError | None:
    """The error for a row that is not UTF-8, which names the line and the byte; ``None`` if it is."""
    from ibidem.text.long_texts.strings import find_invalid_utf8

    for number, part in enumerate(parts, line):
        if error := find_invalid_utf8(part):
            place = f"byte {error.start + 1} of the {'line' if isinstance(part, bytes) else 'row'}"
            return fault(
                source.path,
                f"invalid UTF-8 at {place} ({error.reason}); convert the file to UTF-8, or name its encoding "
                "(encoding, --encoding)",
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


class _LongRowError(Exception):
    """The row that is being read is long."""


class _Lines:
    """The lines of a stream, as an iterator of strings for the standard library's reader.

    Attributes:
        begin: the line on which the row begins that is being read.
        held: the lines of that row that were read.
        is_long: whether they are ``_LONG_ROW`` bytes or more.
        ended: whether there are no more.
    """

    def __init__(self, source: Source, stream: BinaryIO, most: int | None) -> None:
        self._source, self._most = source, most
        self._lines = read_long_lines(source, stream, most)
        self._number = 0
        self._bytes = 0
        self.begin = 1
        self.is_long = False
        self.held: list[bytes | memoryview] = []
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._next_line()
        self.held.append(line)
        self._bytes += len(line)
        if self._bytes >= _LONG_ROW:
            self.is_long = True
            raise _LongRowError
        return str(line[_mark_length(line) :] if self._number == 1 else line, "utf-8", "surrogateescape")

    def _next_line(self) -> bytes | memoryview:
        line = next(self._lines, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self._number += 1
        return line

    def take(self, fields: list[str | memoryview]) -> DelimitedRow:
        """The row that was read, whose fields are these."""
        row = DelimitedRow(self.begin, fields, self.held)
        self.begin, self.held, self._bytes, self.is_long = self._number + 1, [], 0, False
        return row

    def take_long(self, delimiter: str) -> DelimitedRow:
        """The row that begins with the lines that are held, and continues in the next ones.

        Raises:
            csv.Error: the row is not valid.
        """
        import numpy as np

        from ibidem.text.long_texts.scratch import Scratch

        fields = _Fields(delimiter)
        pending = bytearray()
        with Scratch(np.uint8) as aside:
            is_complete, position = False, _mark_length(self.held[0]) if self.begin == 1 else 0
            lines_left, self.held = self.held[::-1], []
            while not is_complete:
                try:
                    line = lines_left.pop() if lines_left else self._next_line()
                except StopIteration:
                    fields.end()
                    break
                for begin in range(0, len(line), _PIECE):
                    pending += line[begin : begin + _PIECE]
                    if len(pending) >= _PIECE:
                        aside.append(bytes(pending))
                        pending.clear()
                is_complete, position = fields.feed(line, position), 0
                fields.require_at_most(self._most)
                del line
            aside.append(bytes(pending))
            data = aside.finish().data
        row = self.take([self._value(data, span) for span in fields.spans])
        return row._replace(parts=[data])

    @staticmethod
    def _value(data: memoryview, span: "_Span") -> str | memoryview:
        value = data[span.begin : span.end]
        if span.has_quotes:
            value = _undouble(value)
        return value if len(value) >= LONG_BYTES else str(value, "utf-8", "surrogateescape")


def _mark_length(line: bytes | memoryview) -> int:
    """Bytes of the byte order mark at the begin of a line, or 0."""
    return len(BYTE_ORDER_MARK) if line[: len(BYTE_ORDER_MARK)] == BYTE_ORDER_MARK else 0


def _short_rows(lines: _Lines, delimiter: str) -> Iterator[DelimitedRow]:
    """The rows up to a long one."""
    with suppress(_LongRowError):
        for fields in csv.reader(lines, delimiter=delimiter, strict=True):
            row = lines.take(fields)  # type: ignore[arg-type]
            if fields:
                yield row


class _Span(NamedTuple):
    """The place of a field in its row, without its quotes, and whether quotes in it are doubled."""

    begin: int
    end: int
    has_quotes: bool


class _Fields:
    """Finds the fields of a row that is given line by line, as the standard library's reader does if it is strict."""

    def __init__(self, delimiter: str) -> None:
        self.spans: list[_Span] = []
        self._delimiter = delimiter
        self._ends = re.compile(f"[{re.escape(delimiter)}\r\n]".encode())
        self._done = 0
        self._begin = 0  # of the field that is open
        self._is_quoted = self._has_quotes = False

    def feed(self, line: bytes | memoryview, position: int = 0) -> bool:
        """Take the next line, from a place in it; whether the row ends with it.

        Raises:
            csv.Error: the row is not valid.
        """
        first = -1 if self._done else position
        while self._is_quoted or position <= len(line):
            if not self._is_quoted and line[position : position + 1] == b'"':
                self._is_quoted, self._begin, position = True, self._done + position + 1, position + 1
            if self._is_quoted:
                position = self._find_quote(line, position)
                if self._is_quoted:
                    self._done += len(line)
                    return False
            else:
                match = self._ends.search(line, position)
                end = len(line) if match is None else match.start()
                if not (end == first and line[end : end + 1] in (b"\r", b"\n", b"")):  # a blank line has no fields
                    self.spans.append(_Span(self._done + position, self._done + end, False))
                position = end
            if line[position : position + 1] != self._delimiter.encode():
                break
            position += 1
        if bytes(line[position:]).strip(b"\r\n"):
            raise csv.Error("new-line character seen in unquoted field")
        self._done += len(line)
        return True

    def _find_quote(self, line: bytes | memoryview, position: int) -> int:
        """The place behind the closing quote, if the line has it."""
        while match := _QUOTE.search(line, position):
            position = match.end()
            following = bytes(line[position : position + 1])
            if following != b'"':
                if following not in (b"", b"\r", b"\n", self._delimiter.encode()):
                    raise csv.Error(f"'{self._delimiter}' expected after '\"'")
                self.spans.append(_Span(self._begin, self._done + position - 1, self._has_quotes))
                self._is_quoted = self._has_quotes = False
                return position
            self._has_quotes = True
            position += 1
        return len(line)

    def end(self) -> None:
        """Learn that there are no more lines: a quote is open."""
        raise csv.Error("unexpected end of data")

    def require_at_most(self, most: int | None) -> None:
        """Refuse a field of more bytes, which is open still: its quote may never be closed."""
        if most is not None and self._is_quoted and self._done - self._begin > most:
            raise csv.Error("field larger than field limit")


_QUOTE = re.compile(b'"')


def _undouble(value: memoryview) -> memoryview:
    """A field whose quotes are doubled, as its value."""
    import numpy as np

    from ibidem.text.long_texts.scratch import Scratch

    with Scratch(np.uint8) as text:
        position = 0
        while position < len(value):
            piece = bytes(value[position : position + _PIECE])
            if (len(piece) - len(piece.rstrip(b'"'))) % 2:  # the second of the two is in the next piece
                piece = piece[:-1] or bytes(value[position : position + 2])
            text.append(piece.replace(b'""', b'"'))
            position += len(piece)
        return text.finish().data
