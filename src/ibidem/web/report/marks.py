"""Marks and notes that people gave to pairs of documents, in a file of their own."""

import csv
from collections.abc import Iterable, Mapping

import msgspec

from ibidem.corpus.writing.tables import read_safe_cell

_COLUMNS = ("a", "b", "mark", "note")


class Mark(msgspec.Struct, frozen=True):
    """A mark and a note of two documents, in any order.

    Attributes:
        mark: a word such as ``"quotation"``, or an empty one.
        note: what else was said.
    """

    a: str
    b: str
    mark: str = ""
    note: str = ""


def read_marks(lines: Iterable[str]) -> list[Mark]:
    """The rows of a CSV with the columns a, b, mark and note.

    Raises:
        ValueError: a column is missing.

    >>> read_marks(["a,b,mark,note", "x.txt,y.txt,quotation,page 3"])
    [Mark(a='x.txt', b='y.txt', mark='quotation', note='page 3')]
    """
    rows = csv.DictReader(lines)
    missing = [name for name in _COLUMNS[:3] if name not in (rows.fieldnames or ())]
    if missing:
        raise ValueError(
            f"the header lacks {', '.join(missing)}: a file of marks has the columns {', '.join(_COLUMNS)}"
        )
    return [_mark(row) for row in rows if row["a"] and row["b"] and (row["mark"] or row.get("note"))]


def _mark(row: Mapping[str, str | None]) -> Mark:
    a, b, mark, note = (read_safe_cell(row.get(name) or "") for name in _COLUMNS)
    return Mark(a, b, mark, note)
