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
    similarity=None,
    estimate=0.25,
    text="still sea",
)


def test_without_a_similarity_the_estimate_is_shown() -> None:
    assert repr(Matches([MATCH])) == "Matches: 1\n  0.250  psalms, 3 to 1,012: 'still sea'"
    page = Matches([MATCH], query="the: still sky")._repr_html_()
    assert "estimate 0.250" in page
    assert "similarity" not in page
    assert "1 match<" in page


def test_the_passage_of_the_query_stands_beside_that_of_the_document() -> None:
    page = Matches([MATCH], query="the: still sky")._repr_html_()
    assert re.findall(r"still <mark[^>]*>(\w+)</mark>", page) == ["sky", "sea"]
    assert "the:" not in page


def test_a_slice_keeps_the_query() -> None:
    assert Matches([MATCH, MATCH], query="x", tokenizer="characters")[1:].query == "x"


def test_documents_that_are_equal_have_one_hash_whatever_their_metadata() -> None:
    first, second = (DocumentMatch(document="a", similarity=0.5, metadata={"year": year}) for year in (1, 1))
    assert first == second
    assert hash(first) == hash(second)
    assert len({first, DocumentMatch(document="b", similarity=0.5)}) == 2
    assert repr(DocumentMatches([first])) == "DocumentMatches: 1\n  0.500  a"
