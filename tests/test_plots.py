"""A plot shows what the result says."""

import sys
from collections.abc import Iterator

import matplotlib as mpl
import pytest

import ibidem
from ibidem.results import Alignments

A = "he wrote that all the world was but a stage and all the men and women merely players he said"
B = "All the world's a stage, And all the men and women are merely players! So Shakespeare wrote."


@pytest.fixture(autouse=True)
def _without_a_window() -> Iterator[None]:
    import matplotlib.pyplot as plt

    mpl.use("agg")
    yield
    plt.close("all")


def test_a_dot_plot_has_a_line_for_each_pair() -> None:
    found = ibidem.align(A, B, min_pair_length=8)
    axes = found.plot(names=("letter", "play"))
    lines = [(line.get_xdata().tolist(), line.get_ydata().tolist()) for line in axes.lines]
    assert lines == [([pair.a_start, pair.a_end], [pair.b_start, pair.b_end]) for pair in found]
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, len(A)), (len(B), 0))
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("characters of letter", "characters of play")


def test_without_matplotlib_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ibidem.MissingExtraError, match=r"a plot needs .* pip install 'ibidem\[viz\]'"):
        Alignments().plot()
