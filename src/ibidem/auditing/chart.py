"""The result of an audit as one page for any browser: recall and precision of each kind, drawn and in tables."""

from collections.abc import Sequence
from html import escape
from typing import Any

from ibidem.auditing.result import Audit

_ROW, _LEFT, _WIDTH, _GAP = 26, 190, 320, 40
"""Pixels: a row, the names of the kinds, a panel, and what is between the panels."""

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; }
.low { background: #fbdcd5; } .middle { background: #fdf3d0; } .high { background: #dff0e2; }
p { max-width: 46rem; }
"""


def render_audit(result: Audit) -> str:
    """The page; it needs no other file and no network."""
    kind_rows = [row for row in result.kinds.to_pylist() if row["words"] == "all"]
    numbers = result.summary
    lead = (
        f"{numbers['planted']:,} items were planted into {numbers['documents_sampled']:,} of "
        f"{numbers['documents_read']:,} training documents. "
        f"{numbers['documents_with_items_already']:,} of these held an item already. The bars are intervals of 95 % "
        f"(Clopper and Pearson), the broken line is the recall asked for, {numbers['target']:g}."
    )
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8"><title>Audit of decontamination</title>',
            f"<style>{_STYLE}</style></head><body>",
            "<h1>What decontamination would miss</h1>",
            f"<p>{escape(lead)}</p>",
            f"<h2>At threshold {numbers['threshold']:g}</h2>",
            draw_intervals(kind_rows, numbers["target"]),
            _table_of_kinds(kind_rows),
            "<h2>By length of the planted text</h2>",
            _table_of_lengths(result),
            "<h2>Recall by threshold</h2>",
            _table_of_curve(result),
            "</body></html>",
            "",
        ]
    )


def draw_intervals(rows: Sequence[dict[str, Any]], target: float) -> str:
    """An SVG with a panel for recall and one for precision: for each kind a dot, and a bar for its interval."""
    width, height = _LEFT + 2 * _WIDTH + _GAP + 30, _ROW * (len(rows) + 2)
    elements = [f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="Recall and precision of each kind">']
    for panel, name in enumerate(("recall", "precision")):
        panel_left = _LEFT + panel * (_WIDTH + _GAP)
        elements.append(f'<text x="{panel_left}" y="14" font-weight="bold">{name}</text>')
        for tick in (0, 0.25, 0.5, 0.75, 1):
            x = panel_left + tick * _WIDTH
            elements.append(f'<line x1="{x}" x2="{x}" y1="22" y2="{height - _ROW}" stroke="#e4e4e4"/>')
            elements.append(f'<text x="{x}" y="{height - 8}" text-anchor="middle" fill="#555">{tick:g}</text>')
        if name == "recall":
            x = panel_left + target * _WIDTH
            elements.append(
                f'<line x1="{x}" x2="{x}" y1="22" y2="{height - _ROW}" stroke="#b33a1e" stroke-dasharray="4 3"/>'
            )
        for number, row in enumerate(rows):
            y = 36 + number * _ROW
            if not panel:
                elements.append(f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(row["kind"])}</text>')
            if row[name] is not None:
                low, high, dot = (panel_left + row[key] * _WIDTH for key in (f"{name}_low", f"{name}_high", name))
                label = f"{row['kind']}: {name} {row[name]:.3f}"
                elements.append(
                    f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" stroke="#2a5d84" stroke-width="3"/>'
                    f'<circle cx="{dot:.1f}" cy="{y}" r="5" fill="#2a5d84"><title>{escape(label)}</title></circle>'
                )
    return "\n".join([*elements, "</svg>"])


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _table_of_kinds(rows: Sequence[dict[str, Any]]) -> str:
    header = ("kind", "planted", "found", "recall", "95 %", "precision", "95 %", "threshold", "false")
    cells = []
    for row in rows:
        threshold = row["threshold_for_target"]
        has_recall = row["recall"] is not None
        counts = f"{row['found']:,}" if has_recall else ""
        values = [row["kind"], f"{row['planted']:,}", counts, *_share(row, "recall")]
        values += [
            *_share(row, "precision"),
            "" if not has_recall else "none" if threshold is None else f"{threshold:g}",
            f"{row['false']:,}",
        ]
        cells.append([f"<td>{escape(value)}</td>" for value in values])
    return _table(header, cells)


def _share(row: dict[str, Any], name: str) -> tuple[str, str]:
    if row[name] is None:
        return "", ""
    return f"{row[name]:.3f}", f"{row[f'{name}_low']:.3f} to {row[f'{name}_high']:.3f}"


def _table_of_lengths(result: Audit) -> str:
    rows = [row for row in result.kinds.to_pylist() if row["words"] != "all"]
    lengths = list(dict.fromkeys(row["words"] for row in sorted(rows, key=lambda row: int(row["words"].split()[0]))))
    row_of = {(row["kind"], row["words"]): row for row in rows}
    cells = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        kind_rows = [row_of.get((kind, words)) for words in lengths]
        cells.append([f"<td>{escape(kind)}</td>", *(_shade(row and row["recall"], row) for row in kind_rows)])
    return _table(["kind", *(f"{words} words" for words in lengths)], cells)


def _table_of_curve(result: Audit) -> str:
    rows = result.curve.to_pylist()
    thresholds = sorted({row["threshold"] for row in rows})[::2]
    recall_of = {(row["kind"], row["threshold"]): row["recall"] for row in rows}
    cells = [
        [f"<td>{escape(kind)}</td>", *(_shade(recall_of[kind, threshold]) for threshold in thresholds)]
        for kind in dict.fromkeys(row["kind"] for row in rows)
    ]
    return _table(["kind", *(f"{threshold:g}" for threshold in thresholds)], cells)


def _shade(recall: float | None, row: dict[str, Any] | None = None) -> str:
    """A cell with a recall, shaded by how high it is, and how many of how many it is."""
    if recall is None:
        return "<td></td>"
    shade = "high" if recall >= 0.95 else "middle" if recall >= 0.7 else "low"
    counts = f" <small>{row['found']}/{row['planted']}</small>" if row else ""
    return f'<td class="{shade}">{recall:.2f}{counts}</td>'
