"""Views of a result in a notebook: its clusters as text in columns, and the places of their passages as a plot."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from ibidem.counts import format_count
from ibidem.plots import count_along, take_axes
from ibidem.text.json_values import replace_surrogates

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.axes import Axes

_CLUSTERS = 10
_WITNESSES = 6
_CHARACTERS = 600
_MARGIN = 1.02
"""Characters that the picture has, for each up to the end of the last passage."""
_CELL = "text-align:left;vertical-align:top;white-space:pre-wrap;overflow-wrap:anywhere"


def draw_clusters(clusters: "pa.Table", passages: "pa.Table", cluster: str | None, axes: "Axes | None") -> "Axes":
    """Draw the places of passages: a line for each document from its beginning, a bar for each passage.

    Each cluster has a colour.

    Raises:
        ValueError: there is no such cluster.
    """
    names = [row["cluster"] for row in _sort_clusters(clusters)][:_CLUSTERS] if cluster is None else [cluster]
    rows = [row for row in passages.to_pylist() if row["cluster"] in names]
    if cluster is not None and not rows:
        raise ValueError(f"no cluster is called {cluster!r}")
    axes = take_axes(axes)
    places = {document: number for number, document in enumerate(dict.fromkeys(row["document"] for row in rows))}
    for row in rows:
        colour = f"C{names.index(row['cluster']) % 10}"
        width = row["end"] - row["start"]
        # The edge keeps a short passage of a long document visible.
        axes.barh(places[row["document"]], width, 0.6, row["start"], color=colour, edgecolor=colour, linewidth=1.5)
    axes.set_yticks(list(places.values()), list(places))
    axes.invert_yaxis()
    axes.set(xlim=(0, _MARGIN * max((row["end"] for row in rows), default=1)), xlabel="characters")
    count_along(axes.xaxis)
    return axes


def render_clusters(clusters: "pa.Table", passages: "pa.Table", pairs: int) -> str:
    """The largest clusters, a column for each witness."""
    rows = _sort_clusters(clusters)
    witnesses: dict[str, list[dict[str, Any]]] = {row["cluster"]: [] for row in rows[:_CLUSTERS]}
    for passage in passages.to_pylist():
        if passage["cluster"] in witnesses:
            witnesses[passage["cluster"]].append(passage)
    tables = "".join(_render_cluster(row, witnesses[row["cluster"]]) for row in rows[:_CLUSTERS])
    suffix = f"<p>... and {len(rows) - _CLUSTERS:,} more</p>" if len(rows) > _CLUSTERS else ""
    head = f"{format_count(pairs, 'pair')} of passages, {format_count(len(rows), 'cluster')}"
    return f"<div><p><b>{head}</b></p>{tables}{suffix}</div>"


def _sort_clusters(clusters: "pa.Table") -> list[dict[str, Any]]:
    """The clusters, those first that most documents hold; boilerplate last."""
    rows: list[dict[str, Any]] = clusters.to_pylist()
    return sorted(rows, key=lambda row: (row["boilerplate"] is not None, -row["documents"], -row["size"]))


def _render_cluster(cluster: dict[str, Any], witnesses: list[dict[str, Any]]) -> str:
    shown_witnesses = witnesses[:_WITNESSES]
    heads = "".join(f'<th style="{_CELL}">{_describe_place(row)}</th>' for row in shown_witnesses)
    texts = "".join(f'<td style="{_CELL}">{"".join(_render_text(row))}</td>' for row in shown_witnesses)
    suffix = f", {len(shown_witnesses)} shown" if len(witnesses) > len(shown_witnesses) else ""
    size = f"{format_count(cluster['size'], 'passage')} of {format_count(cluster['documents'], 'document')}"
    caption = f"cluster {escape(cluster['cluster'])}: {size}"
    return (
        f'<table style="width:100%;table-layout:fixed"><caption style="text-align:left">{caption}{suffix}</caption>'
        f"<tr>{heads}</tr><tr>{texts}</tr></table>"
    )


def _describe_place(row: dict[str, Any]) -> str:
    date = "" if row["date"] is None else f" ({escape(str(row['date']))})"
    return f"{escape(row['document'])}{date}, characters {row['start']:,} to {row['end']:,}"


def _render_text(row: dict[str, Any]) -> Iterator[str]:
    text = row.get("text")
    if text is None:
        yield "<i>ask for texts=True to see it</i>"
        return
    yield escape(replace_surrogates(text[:_CHARACTERS]))
    if len(text) > _CHARACTERS:
        yield " ..."
