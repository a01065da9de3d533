"""Results as HTML for a notebook: a pair of passages in two columns, the words marked in which they differ, and tables.

The markup is self-contained, without scripts, and everything that comes from a text is escaped.
"""

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from ibidem.counts import shorten
from ibidem.text.json_values import replace_surrogates

if TYPE_CHECKING:
    import pyarrow

_ELEMENTS = {
    "changed": '<mark style="background:#ffe9a8;color:inherit">',
    "dropped": '<mark style="background:#ffd0c9;color:inherit">',
    "inserted": '<mark style="background:#c9efd0;color:inherit">',
    "moved": '<mark style="background:#cfe3ff;color:inherit">',
}
"""How a run is marked, by its kind; what is equal is not."""

_LISTED = 20
"""Rows of a table that a notebook shows."""

_CELL_TEXT = 60
"""Characters of a text in a cell of a table."""

_CELL = "text-align:left;vertical-align:top;white-space:pre-wrap;overflow-wrap:anywhere;width:50%"


def render_page(title: str, pairs: Iterable[str], left_out: int) -> str:
    """Pairs under a title, and how many were left out."""
    omission = f"<p>... and {left_out:,} more</p>" if left_out else ""
    return f"<div><p><b>{escape(title)}</b></p>{''.join(pairs)}{omission}</div>"


def render_columns(heads: Iterable[str], columns: Iterable[Iterable[tuple[str, str]]], caption: str) -> str:
    """Passages side by side under their heads and a caption; of each, the kinds of its runs and their texts."""
    head = "".join(f'<th style="{_CELL}">{_clean(each)}</th>' for each in heads)
    cells = "".join(
        f'<td style="{_CELL}">{"".join(_render_run(kind, text) for kind, text in column)}</td>' for column in columns
    )
    return (
        f'<table style="width:100%;table-layout:fixed"><caption style="text-align:left">{_clean(caption)}</caption>'
        f"<tr>{head}</tr><tr>{cells}</tr></table>"
    )


def _render_run(kind: str, text: str) -> str:
    return f"{_ELEMENTS[kind]}{_clean(text)}</mark>" if kind in _ELEMENTS else _clean(text)


def render_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Rows of short texts under their heads."""
    head = "".join(f'<th style="text-align:left">{escape(cell)}</th>' for cell in heads)
    lines = ("".join(f'<td style="text-align:left">{_clean(cell)}</td>' for cell in row) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def render_rows(title: str, rows: "pyarrow.Table") -> str:
    """The first rows of an Arrow table under a title, and how many more there are."""
    shown_rows = (map(_describe_cell, row.values()) for row in rows.slice(0, _LISTED).to_pylist())
    return render_page(title, [render_table(rows.column_names, shown_rows)], max(0, rows.num_rows - _LISTED))


def _describe_cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else shorten(str(value), _CELL_TEXT)


def _clean(text: str) -> str:
    """A text as markup that can be encoded: half a surrogate pair is U+FFFD."""
    return escape(replace_surrogates(text))
