"""A plot shows what the result says."""

import sys
from collections.abc import Iterator

import matplotlib as mpl
import pytest
from msgspec import structs

import ibidem
from ibidem.results import DocumentMatch, DocumentMatches, Matches

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


def test_a_histogram_counts_every_match() -> None:
    match = ibidem.Match(
        query_name="q",
        query_start=0,
        query_end=1,
        document="d",
        start=0,
        end=1,
        similarity=0.72,
        text="",
    )
    axes = Matches([match, match, structs.replace(match, similarity=0.31)]).plot()
    heights = [int(bar.get_height()) for bar in axes.patches]
    assert heights[14] == 2
    assert heights[6] == 1
    assert sum(heights) == 3
    assert all(tick == int(tick) for tick in axes.get_yticks())
    documents = DocumentMatches([DocumentMatch(document="d", similarity=1.0, containment=0.5)]).plot(axes=axes)
    assert documents is axes
    assert axes.get_ylabel() == "documents"


def test_a_deduplication_shows_the_similarities_of_its_pairs() -> None:
    found = ibidem.deduplicate([("a", A), ("b", A + " again"), ("c", B)], threshold=0.5)
    assert sum(bar.get_height() for bar in found.plot().patches) == len(found.pairs) == 1


def test_without_matplotlib_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ibidem.MissingExtraError, match=r"a plot needs .* pip install 'ibidem\[viz\]'"):
        Matches().plot()
