"""Writing the rows that are removed as JSON lines, each as it was, so that it can go back.

A row of JSON lines is copied byte for byte; a row of CSV or TSV is an object of strings, one of Parquet an object of
its columns, and a file of plain text an object of its text. One more column, ``ibidem``, the last one, says what became
of the row. If the row has a column of that name, this one has as many ``_`` behind its name as it takes to differ.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ibidem.corpus.formats import format_of
from ibidem.corpus.opening import BYTE_ORDER_MARK, open_rows, open_seekable, open_stream
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.filtering import RawRow, RowWriters, split_delimited, split_lines
from ibidem.corpus.writing.output_file import create_file
from ibidem.text.json_values import encode_json

if TYPE_CHECKING:
    from ibidem.text import Documents

__all__ = ["OWN_COLUMN", "read_note", "write_removed"]

OWN_COLUMN = "ibidem"

Notes = Callable[[int], Mapping[str, Any] | None]
"""Returns the note on a row by its number in the file; ``None`` if the row is not removed."""

_TAIL = 1 << 16
"""Bytes at the end of a long line that are read."""


def write_removed(source: Source, columns: Columns, notes: Notes, rows: int, target: Path) -> None:
    """Write the rows of ``source`` that have ``notes`` to the new file ``target``, a line of JSON for each.

    Raises:
        CorpusError: the file does not have that many ``rows``: it was changed in the meantime.
    """
    _WRITERS.write(source, target, columns, _by_row(source, notes, rows), rows=rows)


def _by_row(source: Source, notes: Notes, rows: int) -> Notes:
    """Extend the notes on documents to all rows of the file; rows that the reader left out have none."""
    import numpy as np

    if source.failures is None:
        return notes
    left_out = source.failures.rows_of(source)
    numbers = np.delete(np.arange(rows + len(left_out)), left_out).tolist()
    documents = {row: document for document, row in enumerate(numbers)}
    return lambda row: notes(documents[row]) if row in documents else None


def read_note(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the note on a row that was removed; the row itself if it has none.

    >>> read_note({"key": 7, "ibidem": {"id": "7", "duplicate_of": "3", "similarity": 1.0, "exact": True}})["id"]
    '7'
    """
    name = next(reversed(list(row)), "")
    note = row.get(name)
    is_note = name.rstrip("_") == OWN_COLUMN and isinstance(note, dict) and "duplicate_of" in note
    return note if is_note and note is not None else row


def _write_lines(source: Source, columns: Columns, notes: Notes, target: Path) -> int:
    def objects() -> Iterator[Iterator[bytes | memoryview] | None]:
        number = 0
        for part in parts:
            if part.is_row:
                note = notes(number)
                number += 1
                yield None if note is None else _extend_line(part.data, note)

    with open_stream(source) as stream:
        parts = split_lines(source, stream)
        return _write(objects(), target)


def _extend_line(line: bytes | memoryview, note: Mapping[str, Any]) -> Iterator[bytes | memoryview]:
    """A line of JSON with one more column; a long one is not copied."""
    end = len(line) - _TAIL if len(line) > _TAIL else 0
    held, _, _ = bytes(line[end:]).rpartition(b"}")
    whole = end + len(held.rstrip())
    if isinstance(line, bytes):  # an element of an array may have several lines
        yield line[:whole].replace(b"\n", b" ").replace(b"\r", b" ")
    else:
        yield line[:whole]
    is_empty = bytes(line[max(0, whole - _TAIL) : whole]).strip() == b"{"
    yield _encode_note(_choose_name(line), note, first=is_empty)


def _choose_name(line: bytes | memoryview) -> str:
    if re.search(rb'"%b_*"\s*:' % OWN_COLUMN.encode(), line) is None:
        return OWN_COLUMN
    return _differ_from(json.loads(bytes(line)))


def _differ_from(names: Any) -> str:
    name = OWN_COLUMN
    while name in names:
        name += "_"
    return name


def _encode_note(name: str, note: Mapping[str, Any], *, first: bool) -> bytes:
    return b"%b%b:%b}" % (b"" if first else b",", encode_json(name), encode_json(note))


def _write_delimited(source: Source, columns: Columns, notes: Notes, target: Path, *, delimiter: str) -> int:

    def split(part: RawRow) -> list[str]:
        row = bytes(part.data).removeprefix(BYTE_ORDER_MARK).decode()
        return next(csv.reader(io.StringIO(row, newline=""), delimiter=delimiter, strict=True))

    def objects() -> Iterator[Iterator[bytes | memoryview] | None]:
        names: list[str] = []
        number = 0
        for part in parts:
            if not part.is_row:
                names = split(part)
                continue
            note = notes(number)
            number += 1
            if note is None:
                yield None
            else:
                row = encode_json(dict(zip(names, split(part), strict=True)))
                yield iter([row[:-1], _encode_note(_differ_from(names), note, first=False)])

    with open_rows(source) as stream:
        parts = split_delimited(source, stream, delimiter)
        return _write(objects(), target)


def _write_text(source: Source, columns: Columns, notes: Notes, target: Path) -> int:
    """As the others; a file of prose is a row of its text and of its metadata."""

    def objects() -> Iterator[Iterator[bytes | memoryview] | None]:
        number = 0
        for batch in format_of(source).read(source, columns, 1):
            for at in range(len(batch.ids)):
                note = notes(number)
                number += 1
                yield None if note is None else _describe_text(batch, at, columns.text, note)

    return 1 if notes(0) is None else _write(objects(), target)


def _describe_text(batch: "Documents", at: int, column: str, note: Mapping[str, Any]) -> Iterator[bytes]:
    """A document of prose, piece by piece."""
    from ibidem.text.long_texts.strings import split_text

    others = json.loads(batch.metadata[at])
    yield b"{%b:" % encode_json(column) + b'"'
    for piece in split_text(batch.texts, at):
        yield encode_json(piece)[1:-1]
    yield b'"' + b"".join(b",%b:%b" % (encode_json(name), encode_json(value)) for name, value in others.items())
    yield _encode_note(_differ_from([column, *others]), note, first=False)


def _write_parquet(source: Source, columns: Columns, notes: Notes, target: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ibidem.text.tables import encode_rows

    def objects() -> Iterator[Iterator[bytes | memoryview] | None]:
        number = 0
        for batch in file.iter_batches():
            noted = [notes(number + at) for at in range(batch.num_rows)]
            number += batch.num_rows
            chosen = [at for at, note in enumerate(noted) if note is not None]
            rows = dict(zip(chosen, encode_rows(batch.take(pa.array(chosen, pa.int64()))), strict=True))
            for at, note in enumerate(noted):
                name = _differ_from(batch.schema.names)
                yield None if note is None else iter([rows[at][:-1], _encode_note(name, note, first=False)])

    with open_seekable(source) as stream:
        file = pq.ParquetFile(stream, pre_buffer=False)
        return _write(objects(), target)


def _write(rows: Iterator[Iterator[bytes | memoryview] | None], target: Path) -> int:
    """Write the rows that are not ``None``, a line for each; return how many there are in all."""
    number = 0
    with create_file(target) as out:
        for row in rows:
            number += 1
            if row is not None:
                for piece in row:
                    out.write(piece)
                out.write(b"\n")
    return number


_WRITERS = RowWriters(_write_lines, _write_delimited, _write_parquet, _write_text)
