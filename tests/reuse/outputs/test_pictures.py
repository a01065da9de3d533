"""What a notebook shows of a result."""

from collections.abc import Iterator

import matplotlib as mpl
import pytest

from ibidem.reuse.find import find_reuse

VERSE = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"
DOCUMENTS = [
    {"id": "<gray>", "text": f"{VERSE} and more", "year": 1751},
    {"id": "letter", "text": f"he said <b> {VERSE}", "year": 1790},
    {"id": "other", "text": "nothing of the kind stands here", "year": 1801},
]


@pytest.fixture(autouse=True)
def _without_a_window() -> Iterator[None]:
    import matplotlib.pyplot as plt

    mpl.use("agg")
    yield
    plt.close("all")


def test_a_bar_stands_where_a_passage_does() -> None:
    reuse = find_reuse(DOCUMENTS, min_pair_length=8)
    [cluster] = reuse.clusters.column("cluster").to_pylist()
    for axes in (reuse.plot(), reuse.plot(cluster)):
        bars = [(round(bar.get_x()), round(bar.get_x() + bar.get_width())) for bar in axes.patches]
        assert bars == [(row["start"], row["end"]) for row in reuse.passages.to_pylist()]
        assert [label.get_text() for label in axes.get_yticklabels()] == ["<gray>", "letter"]
        assert axes.get_xlim() == (0, pytest.approx(1.02 * max(end for _, end in bars)))
    with pytest.raises(ValueError, match="no cluster is called 'none'"):
        reuse.plot("none")


def test_clusters_are_shown_with_their_texts_as_text() -> None:
    shown = find_reuse(DOCUMENTS, min_pair_length=8, texts=True, date="year")._repr_html_()
    assert "1 pair of passages, 1 cluster" in shown
    assert "&lt;gray&gt; (1751), characters 0 to" in shown
    assert shown.count("the knell of parting day") == 2
    assert "<b> the" not in shown
    assert "ask for texts=True" in find_reuse(DOCUMENTS, min_pair_length=8)._repr_html_()
