"""What the reproductions of the papers' experiments share: reports, plots, and the scripts of the folder above.

Importing this module is what lets a script of this folder use those above. A script says what it draws of its rows by a
function ``panels``. Run with the tables of scripts, this one draws them again, without measuring anything:

    python benchmarks/papers/figure.py benchmarks/results/papers/figure5.csv ...
"""

import csv
import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from collections_of_text import documents, generated, rows_of, word_tokens
from report import Report, Row, Times, timed

__all__ = [
    "FigureReport",
    "Panel",
    "Report",
    "Row",
    "Series",
    "Times",
    "documents",
    "generated",
    "rows_of",
    "series_of",
    "timed",
    "word_tokens",
]

COLOURS = ("C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9")
DASHES = ("-", "--", ":", "-.")
MOST_TICKS = 7
"""So many different values of x have a tick each, and no other place has one."""


class Panel(NamedTuple):
    """One plot of a figure: rows that ``chosen`` takes, a line for each value of ``line``, ``y`` over ``x``."""

    title: str
    x: str
    y: str
    line: str
    chosen: Callable[[Row], bool]
    logarithmic: bool = True


class Series(NamedTuple):
    """One line of a panel: its name, and its points by rising x."""

    name: str
    points: list[tuple[float, float]]


def series_of(rows: Sequence[Row], panel: Panel) -> list[Series]:
    """The lines of a panel.

    Raises:
        ValueError: two rows give one line two values at one place: ``line`` or ``chosen`` leaves something open.
    """
    lines: dict[str, dict[float, float]] = {}
    for row in rows:
        if not panel.chosen(row) or row[panel.y] == "":
            continue
        name, x, y = str(row[panel.line]), float(str(row[panel.x])), float(str(row[panel.y]))
        points = lines.setdefault(name, {})
        if points.setdefault(x, y) != y:
            raise ValueError(f"{panel.title}: {name} is {points[x]} and {y} at {panel.x} = {x:g}")
    return [Series(name, sorted(points.items())) for name, points in lines.items()]


class FigureReport(Report):
    """A report that draws its table, too: the plot stands beside the csv, if matplotlib is there."""

    def finish_with(self, rows: Sequence[Row], panels: Sequence[Panel]) -> None:
        drawn = [(panel, series_of(rows, panel)) for panel in panels]  # refuses what is no line, whatever is installed
        self.finish(rows)
        target: Path | None = self._options.csv
        if target is None:
            return
        if find_spec("matplotlib") is None:
            print("no plot: pip install matplotlib", file=sys.stderr)
            return
        draw(drawn, target.with_suffix(".svg"))


def draw(panels: Sequence[tuple[Panel, list[Series]]], target: Path) -> None:
    """Write the panels as SVG, at most four in a row; the same lines give the same bytes.

    A name has one colour and one dash in all panels, and no two names have both alike. Texts stay texts, and each line
    is a group whose id is ``line | <title> | <name>``, so that what is drawn can be read.
    """
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "ibidem"
    matplotlib.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot

    across = min(4, len(panels))
    down = -(-len(panels) // across)
    figure, axes = pyplot.subplots(
        down, across, figsize=(4 * across, 3.4 * down + 0.6), squeeze=False, layout="constrained"
    )
    styles: dict[str, dict[str, str]] = {}
    handles: dict[str, Any] = {}
    for (panel, lines), axis in zip(panels, axes.flat, strict=False):
        for name, points in lines:
            number = len(styles)
            style = styles.setdefault(
                name, {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number // len(COLOURS)]}
            )
            [line] = axis.plot(*zip(*points, strict=True), marker="o", markersize=3, label=name, **style)
            line.set_gid(f"line | {panel.title} | {name}")
            handles.setdefault(name, line)
        _dress(axis, panel, sorted({x for _, points in lines for x, _ in points}))
    for axis in list(axes.flat)[len(panels) :]:
        axis.set_axis_off()
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=min(6, len(handles)))
    figure.savefig(target, metadata={"Date": None})
    pyplot.close(figure)


def _dress(axis: Any, panel: Panel, places: list[float]) -> None:
    """Title, labels, scales, and ticks that do not overlap: at the places themselves, if they are few."""
    from matplotlib.ticker import NullLocator

    if panel.logarithmic:
        axis.set_xscale("log")
        axis.set_yscale("log")
    if len(places) <= MOST_TICKS:
        axis.set_xticks(places, [short(place) for place in places], rotation=45 if len(places) > 4 else 0)
        axis.xaxis.set_minor_locator(NullLocator())
    axis.set(title=panel.title, xlabel=panel.x, ylabel=panel.y)
    axis.grid(alpha=0.3)


def short(number: float) -> str:
    """A number as a tick has it.

    >>> short(0.35), short(1000), short(50_000), short(1_507_123)
    ('0.35', '1k', '50k', '1.5M')
    """
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:g}"


def read_table(path: Path) -> list[Row]:
    """The rows of a table that a report wrote, with numbers where there are."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    return [{column: _typed(value) for column, value in row.items()} for row in csv.DictReader(lines)]


def _typed(value: str) -> object:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def main() -> None:
    for table in map(Path, sys.argv[1:]):
        rows = read_table(table)
        panels = importlib.import_module(table.stem.removesuffix("_gpt2")).panels(rows)
        draw([(panel, series_of(rows, panel)) for panel in panels], table.with_suffix(".svg"))


if __name__ == "__main__":
    main()
