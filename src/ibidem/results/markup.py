"""Results as HTML for a notebook: a pair of passages in two columns, the words marked in which they differ, and tables.

The markup is self-contained, without scripts, and everything that comes from a text is escaped.
"""

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from ibidem.comparison import Comparison, Run, Side
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


def render_pair(comparison: Comparison, caption: str) -> str:
    """Two passages in two columns under a caption."""
    heads = "".join(f'<th style="{_CELL}">{_place(side)}</th>' for side in (comparison.a, comparison.b))
    a, b = (f'<td style="{_CELL}">{"".join(_pieces(comparison, name))}</td>' for name in ("a", "b"))
    return (
        f'<table style="width:100%;table-layout:fixed"><caption style="text-align:left">{escape(caption)}</caption>'
        f"<tr>{heads}</tr><tr>{a}{b}</tr></table>"
    )


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


def _place(side: Side) -> str:
    return f"{escape(side.document)}, characters {side.start:,} to {side.end:,}"


def _pieces(comparison: Comparison, name: str) -> Iterator[str]:
    side = comparison.a if name == "a" else comparison.b
    position = side.start
    for start, end, kind in sorted(_range(run, name) for run in comparison.runs):
        if start < end:
            yield _escape(side, position, start)
            text = _escape(side, start, end)
            yield f"{_ELEMENTS[kind]}{text}</mark>" if kind in _ELEMENTS else text
            position = end
    yield _escape(side, position, side.end)


def _range(run: Run, name: str) -> tuple[int, int, str]:
    return (run.a_start, run.a_end, run.kind) if name == "a" else (run.b_start, run.b_end, run.kind)


def _escape(side: Side, start: int, end: int) -> str:
    return _clean(side.text[start - side.start : end - side.start])


def _clean(text: str) -> str:
    """A text as markup that can be encoded: half a surrogate pair is U+FFFD."""
    return escape(replace_surrogates(text))
