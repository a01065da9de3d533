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

NotedRow = Callable[[Mapping[str, Any]], bytes]
"""Gives a row with a note on it as JSON."""


def note_line(line: bytes) -> NotedRow:
    """A line of JSON."""
    return partial(_extend_line, line)


def note_fields(names: list[str], row: bytes, delimiter: str) -> NotedRow:
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


def _extend_line(line: bytes, note: Mapping[str, Any]) -> bytes:
    body = line.rpartition(b"}")[0].rstrip()
    has_column = re.search(rb'"%b_*"\s*:' % OWN_COLUMN.encode(), line) is not None
    end = _encode_note(json.loads(line) if has_column else (), note, first=body.strip() == b"{")
    return body.replace(b"\n", b" ").replace(b"\r", b" ") + end  # an element of an array may have several lines


def _extend_object(row: bytes, names: list[str], note: Mapping[str, Any]) -> bytes:
    return row[:-1] + _encode_note(names, note)


def _extend_text(batch: "Documents", column: str, note: Mapping[str, Any]) -> bytes:
    text = {column: batch.texts[0]}
    values = text | json.loads(batch.metadata[0]) | text
    return _extend_object(encode_json(values), list(values), note)


def _encode_note(names: Any, note: Mapping[str, Any], *, first: bool = False) -> bytes:
    """The end of an object that has columns of these names, with the note."""
    name = OWN_COLUMN
    while name in names:
        name += "_"
    return b"%b%b:%b}" % (b"" if first else b",", encode_json(name), encode_json(note))
