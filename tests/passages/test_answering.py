"""A search is prepared over the segments that are given, by weights of the whole collection."""

import pytest

from ibidem import PassageIndex
from ibidem.passages.answering import SearchScope, prepare_search
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.search.searcher import Searcher
from ibidem.text import Document

DOCUMENTS = [("a", "one two three four five six"), ("b", "one two three four nine ten")]
QUERY = Document("query", "one two three four")


@pytest.fixture
def index(tmp_path):
    with PassageIndex.build(tmp_path / "i", DOCUMENTS[:1], min_length=2) as made:
        made.add(DOCUMENTS[1:])
        yield made


def test_only_the_segments_that_are_given_are_searched(index):
    for number, name in enumerate("ab"):
        scope = SearchScope([index.segments[number]], index.configuration, index.tokenizer)
        matches, statistics = prepare_search(scope, SearchOptions(), None).answer(QUERY, index._threads)
        assert [match.document for match in matches] == [name]
        assert statistics.matches == 1


def test_the_budget_is_that_of_the_whole_collection(index, monkeypatch):
    budgets = []
    budget = Searcher._budget
    monkeypatch.setattr(Searcher, "_budget", lambda *given: budgets.append(budget(*given)) or budgets[-1])
    scope = SearchScope(index.segments, index.configuration, index.tokenizer, 10**9)
    prepare_search(scope, SearchOptions(), None).answer(QUERY, index._threads)
    assert budgets == [8e9]
