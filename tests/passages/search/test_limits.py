"""The matches of a search with a limit are the first of those of a search without one."""

import warnings
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.options import Selection
from ibidem.passages.search import query_search

WEIGHTS = [{}, {"family": "multiset"}, {"family": "weighted", "tf": "logarithmic", "idf": "smooth"}]

words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=60).map(" ".join)


def search(index, query, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(index.search(query, **options))


@settings(max_examples=150)
@given(
    texts=st.lists(words, min_size=1, max_size=6),
    query=words,
    threshold=st.sampled_from([0.3, 0.5, 2 / 3, 0.9]),
    lengths=st.sampled_from([(1, 4), (2, 6), (3, 100)]),
    limit=st.integers(1, 12),
    weights=st.sampled_from(WEIGHTS),
)
def test_a_limit_gives_the_first_of_all_matches(tmp_path_factory, texts, query, threshold, lengths, limit, weights):
    folder = tmp_path_factory.mktemp("limits") / "index"
    low, high = lengths
    with PassageIndex.build(folder, texts, min_length=low, max_length=high, **weights) as index:
        for select in get_args(Selection):
            every = search(index, query, threshold=threshold, select=select, limit=None)
            assert search(index, query, threshold=threshold, select=select, limit=limit) == every[:limit], select


def test_a_long_query_with_few_matches_does_not_say_that_its_limit_left_some_out(tmp_path):
    text = " ".join(f"w{number}" for number in range(400))
    with PassageIndex.build(tmp_path / "index", [text], min_length=8, max_length=32) as index:
        (match,), statistics = index.explain(text, limit=2)
        assert (match.start, match.end) == (0, len(text))
        assert statistics.passages == 1
        assert not [note for note in statistics.notes if "limit" in note]


@pytest.mark.parametrize("limit", [None, 10])
def test_pieces_with_too_many_hits_are_left_out_and_said(tmp_path, monkeypatch, limit):
    monkeypatch.setattr(query_search, "_MOST_HITS", 50)
    text = "a b c d e f g h " * 40
    with PassageIndex.build(tmp_path / "index", [text, text], min_length=4, max_length=8) as index:
        _, statistics = index.explain(text, threshold=0.5, limit=limit)
        assert statistics.pieces_left
        assert any("not searched to the end: too many passages are similar" in note for note in statistics.notes)
        _, statistics = index.explain(text, threshold=0.5, limit=limit, bounded=False)
        assert not statistics.pieces_left
