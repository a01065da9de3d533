"""Rows that are removed as JSON, each as it was and with a note on it, so that it can go back.

A row of JSON lines is copied byte for byte; a row of CSV or TSV is an object of strings, one of Parquet an object of
its columns, and a file of plain text an object of its text. One more column, ``ibidem``, the last one, holds the note.
If the row has a column of that name, this one has as many ``_`` behind its name as it takes to differ.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ibidem.corpus.delimited import split_row
from ibidem.text.json_values import encode_json

if TYPE_CHECKING:
    from ibidem.text import Documents

OWN_COLUMN = "ibidem"

_TAIL = 1 << 16
"""Bytes at the end of a long line that are read."""

NotedRow = Callable[[Mapping[str, Any]], Iterator[bytes | memoryview]]
"""Gives a row with a note on it as JSON, piece by piece."""


def note_line(line: bytes | memoryview) -> NotedRow:
    """A line of JSON; a long one is not copied."""
    return partial(_extend_line, line)


def note_fields(names: list[str], row: bytes | memoryview, delimiter: str) -> NotedRow:
    """A row of separated values."""
    return lambda note: _extend_object(
        encode_json(dict(zip(names, split_row(row, delimiter), strict=True))), names, note
    )


def note_rows(batch: Any) -> Iterator[NotedRow]:
    """The rows of a table."""
    from ibidem.text.tables import encode_rows

    for row in encode_rows(batch):
        yield partial(_extend_object, row, batch.schema.names)


def note_text(batch: "Documents", column: str) -> NotedRow:
    """The document of a file of prose: its text and its metadata."""
    return partial(_extend_text, batch, column)


def read_note(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the note on a row that was removed; the row itself if it has none.

    >>> read_note({"key": 7, "ibidem": {"id": "7", "duplicate_of": "3", "similarity": 1.0, "exact": True}})["id"]
    '7'
    """
    name = next(reversed(list(row)), "")
    note = row.get(name)
    is_note = name.rstrip("_") == OWN_COLUMN and isinstance(note, dict) and "duplicate_of" in note
    return note if is_note and note is not None else row


def _extend_line(line: bytes | memoryview, note: Mapping[str, Any]) -> Iterator[bytes | memoryview]:
    end = len(line) - _TAIL if len(line) > _TAIL else 0
    body, _, _ = bytes(line[end:]).rpartition(b"}")
    body_end = end + len(body.rstrip())
    if isinstance(line, bytes):  # an element of an array may have several lines
        yield line[:body_end].replace(b"\n", b" ").replace(b"\r", b" ")
    else:
        yield line[:body_end]
    is_empty = bytes(line[max(0, body_end - _TAIL) : body_end]).strip() == b"{"
    has_column = re.search(rb'"%b_*"\s*:' % OWN_COLUMN.encode(), line) is not None
    yield _encode_note(json.loads(bytes(line)) if has_column else (), note, first=is_empty)


def _extend_object(row: bytes, names: list[str], note: Mapping[str, Any]) -> Iterator[bytes | memoryview]:
    yield row[:-1]
    yield _encode_note(names, note)


def _extend_text(batch: "Documents", column: str, note: Mapping[str, Any]) -> Iterator[bytes | memoryview]:
    from ibidem.text.long_texts.strings import split_text

    others = json.loads(batch.metadata[0])
    yield b"{%b:" % encode_json(column) + b'"'
    for piece in split_text(batch.texts, 0):
        yield encode_json(piece)[1:-1]
    yield b'"' + b"".join(b",%b:%b" % (encode_json(name), encode_json(value)) for name, value in others.items())
    yield _encode_note([column, *others], note)


def _encode_note(names: Any, note: Mapping[str, Any], *, first: bool = False) -> bytes:
    """The end of an object that has columns of these names, with the note."""
    name = OWN_COLUMN
    while name in names:
        name += "_"
    return b"%b%b:%b}" % (b"" if first else b",", encode_json(name), encode_json(note))
