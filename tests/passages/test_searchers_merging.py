"""Answers of searchers, merged, are the answer of one process."""

from functools import cache

import pytest

from ibidem import PassageIndex
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search.omissions import NOTHING_SIMILAR
from ibidem.passages.searchers import PartialAnswer, SearcherActor, merge_answers, share_out
from ibidem.store.remote_copy import read_entries
from ibidem.text.token_counts import merge_counts

from .searcher_samples import SEARCHES, build


@cache
def start_apart(path, searchers):
    """Searchers of an index in this process, which answer any number of queries, and what they hold."""
    groups = share_out(read_entries(path), searchers)
    actors = [SearcherActor(str(path), [entry.name for entry in group], 1, "lazy") for group in groups]
    return actors, [actor.describe() for actor in actors], merge_counts([actor.count() for actor in actors])


def answer_apart(path, query, options, searchers):
    actors, held, (tokens, in_documents, _) = start_apart(path, searchers)
    counts = (tokens, in_documents, sum(each.documents for each in held))
    given = counts if options.family == "weighted" else None
    total = sum(each.tokens for each in held)
    return merge_answers([actor.answer(query, options, "query", total, given) for actor in actors], options)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with an index, and queries for it."""
    folder = tmp_path_factory.mktemp("searchers") / "i"
    index, queries = build(folder)
    index.close()
    return folder, queries


@pytest.mark.parametrize("search", SEARCHES, ids=str)
@pytest.mark.parametrize("searchers", [1, 3, 22])
def test_matches_notes_and_counts_are_those_of_one_process(built, search, searchers):
    folder, queries = built
    with PassageIndex.open(folder) as plain:
        assert len(plain.segments) >= 20
        for query in queries:
            expected, done = plain.explain(query, **search)
            matches, statistics = answer_apart(folder, query, SearchOptions(**search), searchers)
            assert matches == list(expected)
            assert set(statistics.notes) == set(done.notes)
            for count in ("passages", "matches", "postings", "areas", "threshold", "pieces"):
                assert getattr(statistics, count) == getattr(done, count), count
            if searchers == 1:  # which has all segments, for which the tokens to look up are chosen
                assert statistics.starts_likely == done.starts_likely
            else:
                starts = {(match.document, match.start) for match in expected}
                assert statistics.starts_likely >= len(starts)


def test_a_limit_leaves_the_matches_that_it_leaves_in_one_process(built):
    folder, queries = built
    with PassageIndex.open(folder) as index:
        for limit in (1, 3, 7):
            expected, done = index.explain(queries[1], threshold=0.3, limit=limit)
            matches, statistics = answer_apart(folder, queries[1], SearchOptions(threshold=0.3, limit=limit), 3)
            assert matches == list(expected)
            assert statistics.notes == done.notes


def part(matches, **facts):
    return PartialAnswer(matches, SearchStatistics(**facts))


def test_what_holds_for_one_searcher_alone_is_not_said_of_all(tmp_path):
    index, queries = build(tmp_path / "i", segments=4)
    with index:
        found = list(index.search(queries[0], threshold=0.5))
    limited = "more than 1 passage is similar to this query: the most similar is given, by limit"
    parts = [part(found[:1], notes=(limited,), passages=1), part([], notes=(NOTHING_SIMILAR,))]
    matches, statistics = merge_answers(parts, SearchOptions(threshold=0.5))
    assert matches == found[:1]
    assert statistics.notes == ()
    assert merge_answers(parts[1:], SearchOptions(threshold=0.5))[1].notes == (NOTHING_SIMILAR,)


def test_where_one_searcher_raised_the_threshold_all_matches_reach_it(tmp_path):
    index, queries = build(tmp_path / "i", segments=4)
    with index:
        found = list(index.explain(queries[1], threshold=0.1)[0])
    raised = found[0].similarity
    assert found[-1].similarity < raised
    parts = [part(found, threshold=0.1), part([], threshold=raised)]
    matches, _ = merge_answers(parts, SearchOptions(threshold=0.1))
    assert matches == [match for match in found if match.similarity == raised]


def test_seconds_are_those_of_the_slowest():
    parts = [part([], seconds={"query": 1.0, "sweep": 2.0}), part([], seconds={"query": 3.0})]
    assert merge_answers(parts, SearchOptions())[1].seconds == {"query": 3.0, "sweep": 2.0}
