"""Rows that are removed as JSON, each as it was and with a note on it, so that it can go back.

A row of JSON lines is copied byte for byte; a row of CSV or TSV is an object of strings, one of Parquet an object of
its columns, and a file of plain text an object of its text. One more column, ``ibidem``, the last one, holds the note.
If the row has a column of that name, this one has as many ``_`` behind its name as it takes to differ.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from ibidem.text.json_values import encode_json

OWN_COLUMN = "ibidem"


def add_note(row: bytes, note: Mapping[str, Any]) -> bytes:
    """A row, which is a JSON object, with a note on it, on one line.

    >>> add_note(b'{"key": 7}', {"id": "7"}), add_note(b'{"ibidem": 1}', {"id": "0"})
    (b'{"key": 7,"ibidem":{"id":"7"}}', b'{"ibidem": 1,"ibidem_":{"id":"0"}}')
    """
    name, body = OWN_COLUMN, row.rpartition(b"}")[0].rstrip()
    if re.search(rb'"%b_*"\s*:' % OWN_COLUMN.encode(), row):
        names = json.loads(row)
        while name in names:
            name += "_"
    comma = b"" if body.strip() == b"{" else b","
    body = body.replace(b"\n", b" ").replace(b"\r", b" ")  # an element of an array may have several lines
    return b"%b%b%b:%b}" % (body, comma, encode_json(name), encode_json(note))


def read_note(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the note on a row that was removed; the row itself if it has none.

    >>> read_note({"key": 7, "ibidem": {"id": "7", "duplicate_of": "3", "similarity": 1.0, "exact": True}})["id"]
    '7'
    """
    name = next(reversed(list(row)), "")
    note = row.get(name)
    is_note = name.rstrip("_") == OWN_COLUMN and isinstance(note, dict) and "duplicate_of" in note
    return note if is_note and note is not None else row
