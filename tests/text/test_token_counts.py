"""How often tokens occur, against counters of Python."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.text.token_counts import Counts, count_documents, count_tokens, merge_counts

DOCUMENTS = st.lists(st.lists(st.sampled_from([0, 1, 7, 2**31, 2**32 - 1]), max_size=8), max_size=5)


def count(documents: list[list[int]]) -> Counts:
    bounds = np.cumsum([0, *map(len, documents)])
    return count_tokens(np.array([token for each in documents for token in each], np.uint32), bounds)


def listed(counts: Counts) -> list[tuple[int, int, int]]:
    return list(zip(*(column.tolist() for column in counts), strict=True))


def expected(documents: list[list[int]]) -> list[tuple[int, int, int]]:
    in_documents = Counter(token for each in documents for token in set(each))
    in_all = Counter(token for each in documents for token in each)
    return [(token, in_documents[token], in_all[token]) for token in sorted(in_all)]


@given(DOCUMENTS)
def test_tokens_are_counted_by_document_and_in_all(documents: list[list[int]]) -> None:
    assert listed(count(documents)) == expected(documents)


@given(st.lists(DOCUMENTS, max_size=3))
def test_merged_counts_are_those_of_all_documents(parts: list[list[list[int]]]) -> None:
    assert listed(merge_counts([count(part) for part in parts])) == expected([each for part in parts for each in part])


@given(st.lists(st.lists(st.sampled_from([0, 1, 7, 2**31, 2**32 - 1]), max_size=90), max_size=5))
def test_documents_are_counted_from_positions_as_from_tokens(documents: list[list[int]]) -> None:
    bounds = np.cumsum([0, *map(len, documents)])
    tokens = np.array([token for each in documents for token in each], np.uint32)
    positions, distinct = np.argsort(tokens, kind="stable"), np.unique(tokens, return_counts=True)
    found = count_documents(positions.astype(np.uint32), np.cumsum(distinct[1]).astype(np.uint32), bounds)
    assert list(zip(distinct[0].tolist(), found.tolist(), distinct[1].tolist(), strict=True)) == expected(documents)
