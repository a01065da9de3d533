"""The matches of a search and the documents of another: what is shown of each."""

import re

from ibidem.results.matches import DocumentMatch, DocumentMatches, Matches
from ibidem.spans import Match

MATCH = Match(
    query_name="letter",
    query_start=5,
    query_end=14,
    document="psalms",
    start=3,
    end=1012,
    similarity=0.25,
    text="still sea",
)


def test_a_match_is_shown_with_its_similarity() -> None:
    assert repr(Matches([MATCH])) == "Matches: 1\n  0.250  psalms, 3 to 1,012: 'still sea'"
    page = Matches([MATCH], query="the: still sky")._repr_html_()
    assert "similarity 0.250" in page
    assert "1 match<" in page


def test_the_passage_of_the_query_stands_beside_that_of_the_document() -> None:
    page = Matches([MATCH], query="the: still sky")._repr_html_()
    assert re.findall(r"still <mark[^>]*>(\w+)</mark>", page) == ["sky", "sea"]
    assert "the:" not in page


def test_a_slice_keeps_the_query() -> None:
    assert Matches([MATCH, MATCH], query="x", tokenizer="characters")[1:].query == "x"


def test_documents_that_are_equal_have_one_hash_whatever_their_metadata() -> None:
    first, second = (
        DocumentMatch(document="a", similarity=0.5, containment=0.5, metadata={"year": year}) for year in (1, 1)
    )
    assert first == second
    assert hash(first) == hash(second)
    assert len({first, DocumentMatch(document="b", similarity=0.5, containment=0.5)}) == 2
    assert repr(DocumentMatches([first])) == "DocumentMatches: 1\n  0.500  a"


def test_documents_are_a_table_in_a_notebook() -> None:
    found = DocumentMatches(
        DocumentMatch(document=f"<b>{at}</b>", similarity=0.5, containment=0.5) for at in range(120)
    )
    shown = found._repr_html_()
    assert "<b>120 documents</b>" in shown
    assert shown.count("<tr>") == 101
    assert '<td style="text-align:left">0.500</td><td style="text-align:left">&lt;b&gt;0&lt;/b&gt;</td>' in shown
    assert "and 20 more" in shown
    assert (
        "\ud800"
        not in DocumentMatches([DocumentMatch(document="\ud800", similarity=1.0, containment=0.5)])._repr_html_()
    )
