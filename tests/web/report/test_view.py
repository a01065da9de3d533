"""What the page reads of findings: the most important first, each with its comparison."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ibidem
from ibidem.comparison.shares import WordCounts
from ibidem.web.report import Findings, FoundCluster, FoundPair, FoundWitness, SharedDocuments
from ibidem.web.report.view import Comparisons, LongestRuns, View, count_frequencies, make_view, snap_to_words

from .samples import SOURCES, found_pairs

WORDS = ibidem.make_tokenizer("words")
PAIRS = list(found_pairs())


def show(findings: Findings) -> tuple[View, Comparisons]:
    ordered = findings.order()
    view, _ = make_view(ordered, SOURCES)
    return view, Comparisons(ordered, SOURCES, WORDS, count_frequencies(ordered, SOURCES, WORDS))


def rows(view: View) -> list[tuple[Any, ...]]:
    """The pairs by the names of their documents, with the passages."""
    names = [document["name"] for document in view.documents]
    a, b = ([names[number] for number in view.columns[side]] for side in "ab")
    ranges = (view.columns[name] for name in ("a_start", "a_end", "b_start", "b_end"))
    return list(zip(a, b, *ranges, strict=True))


@given(st.text(alphabet="ab \u4e2d\u0e01'", max_size=40), st.data())
def test_a_passage_that_is_snapped_to_words_cuts_none_and_gains_no_other(text: str, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    first, last = snap_to_words(text, start, end)
    assert first <= start <= end <= last
    assert not (text[first:start] + text[end:last]).strip("ab")
    if start < end and first > 0 and text[first] in "ab":
        assert text[first - 1] not in "ab"


def test_each_pair_has_its_columns_and_its_comparison() -> None:
    view, comparisons = show(Findings(PAIRS))
    expected = [(pair.a, pair.b, pair.a_start, pair.a_end, pair.b_start, pair.b_end) for pair in PAIRS]
    assert sorted(rows(view)) == sorted(expected)
    assert len(comparisons) == len(PAIRS)
    for number, row in enumerate(rows(view)):
        found = comparisons[number]
        assert (found.a.document, found.b.document) == row[:2]
        assert found.a.text == (SOURCES[row[0]].text or "")[row[2] : row[3]]
        assert found.reasons is not None
    assert {document["name"]: document["date"] for document in view.documents}["quay"] == "1911"
    with pytest.raises(IndexError):
        comparisons[len(comparisons)]


def test_counts_of_two_documents_are_of_all_words_of_each() -> None:
    shared = SharedDocuments("ferry", "quay", 1, (WordCounts(35, 20, 4, 3, 2, 5, 1), WordCounts(38, 20, 4, 3, 1)))
    ferry = [pair for pair in PAIRS if {pair.a, pair.b} == {"ferry", "quay"}]
    view, comparisons = show(Findings(ferry, document_pairs=[shared]))
    [pair] = view.document_pairs
    assert pair["counts"] == [
        {"words": 35, "same": 24, "changed": 3, "quoted": 5, "absent": 1},
        {"words": 38, "same": 24, "changed": 3, "quoted": 0, "absent": 0},
    ]
    longest = LongestRuns()
    for row in pair["rows"]:
        longest.add(comparisons[row])
    longest.set_in(view)
    runs = [
        len((SOURCES["ferry"].text or "")[run.a_start : run.a_end].split())
        for row in pair["rows"]
        for run in comparisons[row].runs
        if run.kind in ("equal", "moved")
    ]
    assert view.document_pairs[0]["longest"] == max(runs)


def test_witnesses_are_compared_behind_all_pairs_and_the_whole_texts_come_last() -> None:
    witnesses = [FoundWitness(name, 0, 90) for name in ("ferry", "quay", "again")]
    whole = FoundPair("ferry", 0, None, "quay", 0, None, 0.0)
    view, comparisons = show(Findings(PAIRS, [FoundCluster("c", 0.5, witnesses, central=1)], whole=whole))
    shown = [comparisons[number].b.document for number in range(len(PAIRS), len(PAIRS) + 3)]
    assert shown == ["quay", "ferry", "again"]
    assert view.whole == len(comparisons) - 1 == len(PAIRS) + 3
    assert comparisons[view.whole].a.text == SOURCES["ferry"].text
    assert view.clusters[0]["title"].startswith("The captain stood at the rail")
