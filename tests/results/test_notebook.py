"""Every result is a table in a notebook."""

from xml.etree import ElementTree

import pytest

import ibidem
from ibidem import (
    Comparison,
    Contamination,
    Deduplication,
    PassageDeduplication,
    SketchIndex,
    SketchMatch,
    SketchMatches,
    Trace,
    deduplicate,
    deduplicate_passages,
    find_contamination,
)
from ibidem.comparison.markup import render_rows
from ibidem.evaluation.plagdet import PanScores
from ibidem.evaluation.positions import Scores
from ibidem.results import Results

VERSE = "tyger tyger burning bright in the forests of the night what immortal hand or eye <could> frame thy symmetry"
NAMES = ("<b>", "a&b")


@pytest.fixture(scope="module")
def results() -> list[object]:
    question = [{"question": f"{VERSE}?"}]
    match = SketchMatch(
        query_name="q", document=NAMES[0], start=0, end=9, estimate=0.5, similarity=None, text=VERSE, ends=(8, 9)
    )
    return [
        deduplicate([(name, VERSE) for name in NAMES]),
        deduplicate_passages([(name, VERSE * 4) for name in NAMES]),
        find_contamination([VERSE], question),
        SketchMatches([match]),
        Trace([], verbatim=50, threshold=0.8),
        ibidem.compare(VERSE, f"{VERSE} <b>again</b>", names=NAMES),
        Scores(0.5, 1.0),
        PanScores(0.5, 1.0, 1.0),
    ]


def test_every_result_is_a_table_in_a_notebook(results: list[object]) -> None:
    for result in results:
        page = result._repr_html_()  # type: ignore[attr-defined]
        ElementTree.fromstring(page)  # nothing of a text is markup
        assert page.startswith("<div><p><b>")
        assert "<th" in page
    assert {type(each) for each in results} == {
        Deduplication,
        PassageDeduplication,
        Contamination,
        SketchMatches,
        Trace,
        Comparison,
        Scores,
        PanScores,
    }


def test_every_public_result_can_be_shown() -> None:
    public = [getattr(ibidem, name) for name in ibidem.__all__]
    results = [each for each in public if isinstance(each, type) and hasattr(each, "to_arrow")]
    assert {SketchIndex, *results} - {each for each in results if hasattr(each, "_repr_html_")} == {SketchIndex}
    assert any(issubclass(each, Results) for each in results)
    assert all(hasattr(each, "_repr_html_") for each in (ibidem.Audit, ibidem.Contamination, ibidem.Reuse))


def test_the_rows_that_are_not_shown_are_counted() -> None:
    import pyarrow

    page = render_rows("rows", pyarrow.table({"number": list(range(30)), "share": [0.5] * 29 + [None]}))
    assert page.count("<tr>") == 21
    assert "... and 10 more" in page
