"""What a search has left out is told, with what would find it; a whole search has nothing to tell."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from ibidem import PassageIndex
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search.omissions import NOTHING_SIMILAR, describe_omissions
from ibidem.weights import Weighting


def describe(options=None, min_length=1, tokens=20, *, stopped=False, **statistics):
    """The notes of a search of one piece that found one match, but for what is given."""
    work = SearchStatistics(**({"pieces": 1, "matches": 1, "passages": 1, "threshold": 0.6} | statistics))
    execution = SimpleNamespace(statistics=work, is_stopped=stopped)
    query = Query.of(np.arange(tokens, dtype=np.uint32), Weighting.of("multiset"))
    return list(describe_omissions(query, options or SearchOptions(), min_length, execution))


def test_a_whole_search_has_nothing_to_tell():
    assert describe() == []


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ({"min_length": 13}, "may have as few as 12 tokens.*passages of 13 or more.*From about 22 tokens on, a query"),
        ({"pieces_left": 1}, "this query was not searched to the end: too many passages are similar to it"),
        (
            {"pieces": 4, "pieces_left": 3, "stopped": True, "options": SearchOptions(timeout=2)},
            "3 of 4 pieces of this query were not searched to the end: the time of 2 s was over",
        ),
        ({"threshold": 0.75}, "too many passages are similar to this query at 0.6: it was searched at 0.75"),
        ({"cut": True}, "they were looked for in a part of the collection alone"),
        ({"passages": 1001}, "more than 1,000 passages are similar.*the 1,000 most similar are given, by limit"),
        (
            {"passages": 2, "options": SearchOptions(limit=1)},
            "more than 1 passage is similar.*the most similar is given",
        ),
        ({"pieces": 3, "matches": 0, "tokens": 3000}, NOTHING_SIMILAR),
        ({"matches": 0, "tokens": 100}, NOTHING_SIMILAR),
    ],
)
def test_what_was_left_out_is_told(given, note):
    (said,) = describe(**given)
    assert re.search(note, said)


def test_a_short_query_that_found_nothing_is_no_document():
    assert describe(matches=0, tokens=99) == []


def test_a_document_of_which_a_part_was_borrowed_is_said_to_need_an_alignment(tmp_path):
    borrowed = [f"b{n}" for n in range(60)]
    source, query = (
        " ".join([*(f"{own}{n}" for n in range(200)), *borrowed, *(f"{own}x{n}" for n in range(200))]) for own in "st"
    )
    with PassageIndex.build(tmp_path / "index", [("source", source)]) as index:
        with pytest.warns(UserWarning, match=r"as a whole.*ibidem align --index, PassageIndex.align"):
            assert index.search(query) == []
        assert index.explain(query)[1].notes == (NOTHING_SIMILAR,)
        [match] = index.align(query)
        assert match.text == " ".join(borrowed)


def test_a_query_that_may_miss_short_passages_is_warned_of(tmp_path):
    index = PassageIndex.build(tmp_path / "index", ["a b c d e f g h i j k l"], min_length=8)
    with index, pytest.warns(UserWarning, match=r"From about 14 tokens on"):
        index.search("a b c d e f", threshold=0.6)
