"""Pictures of results, drawn by matplotlib, such as dot plots. The extra is ``viz``."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ibidem.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

_MOST_TICKS = 6


def take_axes(axes: "Axes | None") -> "Axes":
    """The axes to draw on; those of a new figure if none are given.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingExtraError("a plot", "viz") from error
    return plt.subplots(layout="constrained")[1]


def count_along(axis: "Axis") -> None:
    """Label an axis with whole numbers, few enough that long ones do not overlap."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(_MOST_TICKS, integer=True))
    axis.set_major_formatter("{x:,.0f}")


def draw_dots(
    ranges: Iterable[tuple[int, int, int, int]], lengths: tuple[int, int], names: tuple[str, str], axes: "Axes | None"
) -> "Axes":
    """Passages of two texts as lines: the first text from left to right, the second from top to bottom.

    Args:
        ranges: start and end in the first text, start and end in the second.
        lengths: of the two texts.
    """
    axes = take_axes(axes)
    for a_start, a_end, b_start, b_end in ranges:
        axes.plot([a_start, a_end], [b_start, b_end], color="C0", linewidth=2, solid_capstyle="round")
    axes.set(xlim=(0, max(lengths[0], 1)), ylim=(max(lengths[1], 1), 0), xlabel=f"characters of {names[0]}")
    axes.set_ylabel(f"characters of {names[1]}")
    count_along(axes.xaxis)
    count_along(axes.yaxis)
    return axes
