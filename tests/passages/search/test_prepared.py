"""Many queries are answered as each is alone, however they are handed to threads."""

import pytest

from ibidem import Document, PassageIndex
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.search import prepared

WORDS = [f"word{number}" for number in range(18)]
TEXTS = [" ".join(WORDS[first : first + 9]) for first in range(9)]
QUERIES = [Document(str(size), " ".join(WORDS[2 : 2 + size])) for size in range(16)]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    with PassageIndex.build(tmp_path_factory.mktemp("prepared") / "index", TEXTS) as built:
        yield built


@pytest.mark.parametrize("workers", [1, 3, 40])
@pytest.mark.parametrize("together", [1, 3, 16])
def test_the_answers_come_in_order_whoever_finds_them(index, monkeypatch, workers, together):
    monkeypatch.setattr(prepared, "_TOGETHER", together)
    search = index._prepare(SearchOptions(threshold=0.5))
    answers = list(search.answer_each(iter(QUERIES), workers, index._threads))
    assert [found.query for found, _ in answers] == [query.text for query in QUERIES]
    assert [found for found, _ in answers[1:]] == [search.answer(query, index._threads)[0] for query in QUERIES[1:]]
    assert answers[0][1].notes == ("the query holds no token that has a weight, so nothing can be similar to it",)
    assert len({len(found) for found, _ in answers}) > 3


def test_short_queries_go_together_and_long_ones_apart():
    lengths = [10, 10, 5000, 10, 4000, 100, 10]
    queries = (Document(str(row), "x" * length) for row, length in enumerate(lengths))
    groups = prepared.group_queries(queries, 16)
    assert [[query.id for query in group] for group in groups] == [["0", "1", "2"], ["3", "4", "5"], ["6"]]
    many = prepared.group_queries([Document("", "x")] * 40, 16)
    assert [len(group) for group in many] == [16, 16, 8]


def test_queries_are_read_as_they_are_answered(index):
    read = []

    def read_queries():
        for query in QUERIES[1:] * 20:
            read.append(query.id)
            yield query

    answers = index._prepare(SearchOptions()).answer_each(read_queries(), 2, index._threads)
    next(answers)
    assert len(read) < 100
    answers.close()
