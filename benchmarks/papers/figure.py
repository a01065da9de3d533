"""What the reproductions of the papers' experiments share: reports, plots, and the scripts of the folder above.

Importing this module is what lets a script of this folder use those above.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from collections_of_text import documents, generated, rows_of, word_tokens
from report import Report, Row, Times, timed

__all__ = [
    "FigureReport",
    "Panel",
    "Report",
    "Row",
    "Times",
    "documents",
    "generated",
    "rows_of",
    "timed",
    "word_tokens",
]


class Panel(NamedTuple):
    """One plot of a figure: rows that ``chosen`` takes, a line for each value of ``line``, ``y`` over ``x``."""

    title: str
    x: str
    y: str
    line: str
    chosen: Callable[[Row], bool]
    logarithmic: bool = True


class FigureReport(Report):
    """A report that draws its table, too: the plot stands beside the csv, if matplotlib is there."""

    def finish_with(self, rows: Sequence[Row], panels: Sequence[Panel]) -> None:
        self.finish(rows)
        target: Path | None = self._options.csv
        if target is None:
            return
        if find_spec("matplotlib") is None:
            print("no plot: pip install matplotlib", file=sys.stderr)
            return
        draw(rows, panels, target.with_suffix(".svg"))


def draw(rows: Sequence[Row], panels: Sequence[Panel], target: Path) -> None:
    """Write the panels side by side as SVG; the same rows give the same bytes."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "ibidem"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(panels), figsize=(4 * len(panels), 3.4), squeeze=False, layout="constrained")
    colours: dict[str, str] = {}
    for panel, axis in zip(panels, axes[0], strict=True):
        taken = [row for row in rows if panel.chosen(row) and row[panel.y] != ""]
        for name in dict.fromkeys(str(row[panel.line]) for row in taken):
            points = sorted(
                (float(str(r[panel.x])), float(str(r[panel.y]))) for r in taken if str(r[panel.line]) == name
            )
            colour = colours.setdefault(name, f"C{len(colours)}")
            axis.plot(*zip(*points, strict=True), marker="o", markersize=3, label=name, color=colour)
        if panel.logarithmic:
            axis.set_xscale("log")
            axis.set_yscale("log")
        axis.set(title=panel.title, xlabel=panel.x, ylabel=panel.y)
        axis.grid(alpha=0.3)
    axes[0][0].legend(fontsize="small")
    figure.savefig(target, metadata={"Date": None})
    pyplot.close(figure)
