"""Who had a passage first: the most similar of the earlier witnesses, and so on back to the first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import CorpusError
from ibidem.reuse.direction import find_likely_sources, parse_dates, trace_sources
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.passages import gather_passages

links = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.5, 0.7, 0.9])).filter(
        lambda row: row[0] < row[1]
    ),
    max_size=10,
    unique_by=lambda row: row[:2],
)
dates = st.lists(st.sampled_from([None, 1851.0, 1852.0, 1853.0]), min_size=6, max_size=6)


def pairs_of(rows: list[tuple[int, int, float]]) -> Pairs:
    """Pairs of documents that are one passage each."""
    documents = np.array([row[:2] for row in rows], np.int64).reshape(-1, 2)
    similarity = np.array([row[2] for row in rows])
    ranges = np.tile(np.array([0, 50, 0, 50]), (len(rows), 1))
    return Pairs(documents, ranges, similarity, similarity, np.zeros(len(rows), np.bool_), similarity)


@given(rows=links, dates=dates)
def test_a_source_is_the_most_similar_of_the_earlier_witnesses(
    rows: list[tuple[int, int, float]], dates: list[float | None]
) -> None:
    pairs = pairs_of(rows)
    passages = gather_passages(pairs)
    clusters = np.zeros(len(passages.documents), np.int64)
    sources = find_likely_sources(pairs, passages, clusters, dates)
    documents = passages.documents.tolist()
    for passage, document in enumerate(documents):
        earlier = []
        for a, b, similarity in rows:
            other = b if a == document else a if b == document else None
            if other is not None and None not in (dates[document], dates[other]) and dates[other] < dates[document]:
                earlier.append((-similarity, dates[other], documents.index(other)))
        assert sources[passage] == (min(earlier)[2] if earlier else -1)
    assert [len(chain) <= len(documents) for chain in trace_sources(sources)] == [True] * len(documents)


def test_a_witness_of_another_cluster_is_no_source() -> None:
    pairs = pairs_of([(0, 1, 0.9)])
    passages = gather_passages(pairs)
    assert find_likely_sources(pairs, passages, np.array([0, 1]), [1.0, 2.0]).tolist() == [-1, -1]
    assert find_likely_sources(pairs, passages, np.array([0, 0]), [1.0, 2.0]).tolist() == [-1, 0]


def test_dates_are_numbers_if_all_read_as_such_and_strings_if_not() -> None:
    ids = ["a", "b", "c"]
    assert parse_dates([1903, "1851.5", ""], ids, "year") == [1903.0, 1851.5, None]
    assert parse_dates(["1851-10-18", "1903", None], ids, "year") == ["1851-10-18", "1903", None]
    assert parse_dates([1903, "May"], ids[:2], "year") == ["1903", "May"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([True, 1], "document 'a', column 'year': True is no date"),
        ([1, [2]], "document 'b'"),
        ([None, ""], "no document has a value"),
    ],
)
def test_what_is_no_date_is_named(values: list[object], message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        parse_dates(values, ["a", "b"], "year")
