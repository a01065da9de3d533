"""Many queries are answered as each is alone, however they are handed to threads."""

import pytest

from ibidem import Document, PassageIndex
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.search import query_search, searcher
from ibidem.passages.search.searcher import Searcher

WORDS = [f"word{number}" for number in range(18)]
TEXTS = [" ".join(WORDS[first : first + 9]) for first in range(9)]
QUERIES = [Document(str(size), " ".join(WORDS[2 : 2 + size])) for size in range(16)]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    with PassageIndex.build(tmp_path_factory.mktemp("searcher") / "index", TEXTS) as built:
        yield built


@pytest.mark.parametrize("workers", [1, 3, 40])
@pytest.mark.parametrize("together", [1, 3, 16])
def test_the_answers_come_in_order_whoever_finds_them(index, monkeypatch, workers, together):
    monkeypatch.setattr(searcher, "_TOGETHER", together)
    search = index._searcher(SearchOptions(threshold=0.5))
    answers = list(search.answer_each(iter(QUERIES), workers, index._threads))
    assert [found.query for found, _ in answers] == [query.text for query in QUERIES]
    assert [found for found, _ in answers[1:]] == [search.answer(query, index._threads)[0] for query in QUERIES[1:]]
    assert answers[0][1].notes == ("the query holds no token that has a weight, so nothing can be similar to it",)
    assert len({len(found) for found, _ in answers}) > 3


def test_short_queries_go_together_and_long_ones_apart():
    lengths = [10, 10, 5000, 10, 4000, 100, 10]
    queries = (Document(str(row), "x" * length) for row, length in enumerate(lengths))
    groups = searcher.group_queries(queries, 16)
    assert [[query.id for query in group] for group in groups] == [["0", "1", "2"], ["3", "4", "5"], ["6"]]
    many = searcher.group_queries([Document("", "x")] * 40, 16)
    assert [len(group) for group in many] == [16, 16, 8]


def test_queries_are_read_as_they_are_answered(index):
    read = []

    def read_queries():
        for query in QUERIES[1:] * 20:
            read.append(query.id)
            yield query

    answers = index._searcher(SearchOptions()).answer_each(read_queries(), 2, index._threads)
    next(answers)
    assert len(read) < 100
    answers.close()


@pytest.fixture
def parts(tmp_path):
    """An index of two segments."""
    documents = [("a", "one two three four five six"), ("b", "one two three four nine ten")]
    with PassageIndex.build(tmp_path / "i", documents[:1], min_length=2) as made:
        made.add(documents[1:])
        yield made


QUERY = Document("query", "one two three four")


def test_only_the_segments_that_are_given_are_searched(parts):
    for number, name in enumerate("ab"):
        of = Searcher.of([parts.segments[number]], parts.configuration, parts.tokenizer, SearchOptions(), None)
        matches, statistics = of.answer(QUERY, parts._threads)
        assert [match.document for match in matches] == [name]
        assert statistics.matches == 1


def test_the_budget_is_that_of_the_whole_collection(parts, monkeypatch):
    budgets = []
    budget = query_search.QuerySearch._budget
    monkeypatch.setattr(
        query_search.QuerySearch, "_budget", lambda *given: budgets.append(budget(*given)) or budgets[-1]
    )
    of = Searcher.of(parts.segments, parts.configuration, parts.tokenizer, SearchOptions(), None, 10**9)
    of.answer(QUERY, parts._threads)
    assert budgets == [8e9]
