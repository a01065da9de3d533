"""What is searched says only what its queries have in common; the calls are the same for whatever is searched."""

import pytest

from ibidem import Document, Matches
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.searchable import Searchable


class Prepared:
    """Answers each query with a note that holds its name and text, and the threshold of the search."""

    def __init__(self, options):
        self.threshold = options.threshold

    def answer(self, query, threads):
        note = f"{query.id} {query.text} {self.threshold}"
        return Matches([], query=query.text, tokenizer=None), SearchStatistics(notes=(note,))

    def answer_each(self, queries, workers, threads):
        return (self.answer(query, threads) for query in queries)


class Library(Searchable):
    class _threads:
        workers = 2

    def _prepare(self, options):
        return Prepared(options)


def test_a_search_warns_of_what_explain_notes() -> None:
    with pytest.warns(UserWarning, match=r"^mine tyger 0\.7$"):
        found = Library().search("tyger", threshold=0.7, name="mine")
    assert found.query == "tyger"
    found, statistics = Library().explain("tyger", threshold=0.7, name="mine")
    assert statistics.notes == ("mine tyger 0.7",)


def test_many_queries_are_named_by_number_or_id_and_warn_once() -> None:
    queries = ["a", Document("own", "b"), "c"]
    notes = [statistics.notes[0] for _, statistics in Library().explain_many(queries, threshold=0.5)]
    assert notes == ["0 a 0.5", "own b 0.5", "2 c 0.5"]
    with pytest.warns(UserWarning, match=r"^3 of 3 queries: 0 a 0\.5$"):
        assert len(Library().search_many(queries, threshold=0.5)) == 3


def test_one_string_is_no_list_of_queries() -> None:
    with pytest.raises(TypeError, match="not as one string"):
        Library().explain_many("tyger")
