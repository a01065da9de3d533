"""Writing the rows that are removed as JSON lines, each as it was, so that it can go back.

A row of JSON lines is copied byte for byte; a row of CSV or TSV is an object of strings, one of Parquet an object of
its columns, and a file of plain text an object of its text. One more column, ``ibidem``, the last one, says what became
of the row. If the row has a column of that name, this one has as many ``_`` behind its name as it takes to differ.
"""

import glob
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from ibidem.corpus.columnar import BATCH_BYTES, open_columnar
from ibidem.corpus.delimited import split_row
from ibidem.corpus.formats import FORMATS, format_of
from ibidem.corpus.opening import compression_of, open_rows, open_stream, suffix_of
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.filtering import RowWriters, split_delimited, split_lines, write_filtered
from ibidem.corpus.writing.output_file import create_file
from ibidem.remote.storage import Storage, is_remote
from ibidem.text.json_values import encode_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ibidem.text import Documents

OWN_COLUMN = "ibidem"

REMOVED = "removed.jsonl"
"""How the name of the list of removed rows begins; the suffix of a compression may follow."""

Notes = Callable[[int], Mapping[str, Any] | None]
"""Returns the note on a row by its number in the file; ``None`` if the row is not removed."""

_TAIL = 1 << 16
"""Bytes at the end of a long line that are read."""


def name_removed(files: Iterable[Source]) -> str:
    """The name of the list of what is removed from some files: it is compressed as the first that is, or as Parquet is.

    >>> name_removed([Source("a.csv", "a.csv"), Source("b.csv.gz", "b.csv.gz")]), name_removed([])
    ('removed.jsonl.gz', 'removed.jsonl')
    """
    for file in files:
        if compression_of(file.path):
            return REMOVED + PurePath(file.path).suffix.lower()
        if suffix_of(file.path) in FORMATS["parquet"].suffixes:
            return f"{REMOVED}.zst"
    return REMOVED


def find_removed(folder: str | os.PathLike[str]) -> str | None:
    """The path or URL of the list of removed rows in the folder of a result, if it has one."""
    place = os.fspath(folder)
    if not is_remote(place):
        return next(iter(sorted(glob.glob(f"{glob.escape(place)}/{REMOVED}*"))), None)
    names = [name for name in Storage(place).list() if name.startswith(REMOVED)]
    return f"{place}/{names[0]}" if names else None


def write_removed(source: Source, columns: Columns, notes: Notes, rows: int, target: Path) -> None:
    """Write the rows of ``source`` that have ``notes`` to the new file ``target``, a line of JSON for each.

    Raises:
        CorpusError: the file does not have that many ``rows``: it was changed in the meantime.
    """
    _WRITERS.write(source, target, columns, _by_row(source, notes, rows), rows=rows)


def separate_rows(
    source: Source, wanted: "NDArray[np.bool_]", columns: Columns, notes: Notes, target: Path, removed: Path
) -> None:
    """Write the rows that are ``wanted``, as ``write_filtered`` does, and those with notes, as ``write_removed`` does.

    A file of JSON lines is read once for both.
    """
    if format_of(source) != FORMATS["jsonl"]:
        write_filtered(source, wanted, target)
        write_removed(source, columns, notes, len(wanted), removed)
        return
    notes_of_rows = _by_row(source, notes, len(wanted))
    with create_file(removed) as out:

        def remove(row: int, line: bytes | memoryview) -> None:
            if (note := notes_of_rows(row)) is not None:
                _write_row(partial(_extend_line, line), note, out)

        write_filtered(source, wanted, target, remove)


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


_Row = Callable[[Mapping[str, Any]], Iterator[bytes | memoryview]]
"""Returns a row with a note on it as JSON, piece by piece."""


def _write_lines(source: Source, columns: Columns, notes: Notes, target: Path) -> int:
    with open_stream(source) as stream:
        parts = split_lines(source, stream)
        return _write((partial(_extend_line, part.data) for part in parts if part.is_row), notes, target)


def _extend_line(line: bytes | memoryview, note: Mapping[str, Any]) -> Iterator[bytes | memoryview]:
    """A line of JSON with one more column; a long one is not copied."""
    end = len(line) - _TAIL if len(line) > _TAIL else 0
    body, _, _ = bytes(line[end:]).rpartition(b"}")
    body_end = end + len(body.rstrip())
    if isinstance(line, bytes):  # an element of an array may have several lines
        yield line[:body_end].replace(b"\n", b" ").replace(b"\r", b" ")
    else:
        yield line[:body_end]
    is_empty = bytes(line[max(0, body_end - _TAIL) : body_end]).strip() == b"{"
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
    def rows() -> Iterator[_Row]:
        names: list[str] = []
        for part in split_delimited(source, stream, delimiter):
            if part.is_row:
                yield partial(_extend_row, names, part.data, delimiter)
            elif part.is_header:
                names = split_row(part.data, delimiter)

    with open_rows(source) as stream:
        return _write(rows(), notes, target)


def _extend_row(
    names: list[str], row: bytes | memoryview, delimiter: str, note: Mapping[str, Any]
) -> Iterator[bytes | memoryview]:
    """A row of separated values as an object."""
    yield encode_json(dict(zip(names, split_row(row, delimiter), strict=True)))[:-1]
    yield _encode_note(_differ_from(names), note, first=False)


def _write_text(source: Source, columns: Columns, notes: Notes, target: Path) -> int:
    """As the others; a file of prose is a row of its text and of its metadata."""
    if notes(0) is None:
        return 1
    batches = format_of(source).read(source, columns, 1)
    rows = (partial(_describe_text, batch, row, columns.text) for batch in batches for row in range(len(batch.ids)))
    return _write(rows, notes, target)


def _describe_text(batch: "Documents", row: int, column: str, note: Mapping[str, Any]) -> Iterator[bytes | memoryview]:
    """A document of prose."""
    from ibidem.text.long_texts.strings import split_text

    others = json.loads(batch.metadata[row])
    yield b"{%b:" % encode_json(column) + b'"'
    for piece in split_text(batch.texts, row):
        yield encode_json(piece)[1:-1]
    yield b'"' + b"".join(b",%b:%b" % (encode_json(name), encode_json(value)) for name, value in others.items())
    yield _encode_note(_differ_from([column, *others]), note, first=False)


def _write_columns(source: Source, columns: Columns, notes: Notes, target: Path, *, kind: str) -> int:
    import pyarrow as pa

    from ibidem.text.tables import encode_rows

    def rows() -> Iterator[_Row]:
        number = 0
        for batch in file.read(BATCH_BYTES):
            noted_rows = [row for row in range(batch.num_rows) if notes(number + row) is not None]
            number += batch.num_rows
            objects = dict(zip(noted_rows, encode_rows(batch.take(pa.array(noted_rows, pa.int64()))), strict=True))
            name = _differ_from(batch.schema.names)
            yield from (partial(_extend_object, objects.get(row, b""), name) for row in range(batch.num_rows))

    with open_columnar(source, kind) as file:
        return _write(rows(), notes, target)


def _extend_object(row: bytes, name: str, note: Mapping[str, Any]) -> Iterator[bytes | memoryview]:
    """A row of a table as an object."""
    yield row[:-1]
    yield _encode_note(name, note, first=False)


def _write(rows: Iterator[_Row], notes: Notes, target: Path) -> int:
    """Write the rows that have a note, a line for each; return how many rows there are in all."""
    number = 0
    with create_file(target) as out:
        for row in rows:
            note = notes(number)
            number += 1
            if note is not None:
                _write_row(row, note, out)
    return number


def _write_row(row: _Row, note: Mapping[str, Any], out: Any) -> None:
    for piece in row(note):
        out.write(piece)
    out.write(b"\n")


_WRITERS = RowWriters(_write_lines, _write_delimited, _write_columns, _write_text)
