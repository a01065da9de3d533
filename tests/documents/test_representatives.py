"""From documents to distinct texts and back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.representatives import DistinctTexts

CONTENTS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=9)


@given(CONTENTS)
def test_texts_are_numbered_by_their_content(contents: list[tuple[int, int]]) -> None:
    texts = DistinctTexts.find(np.array(contents, np.uint64), np.zeros(len(contents), np.bool_))
    distinct = sorted(set(contents))
    assert [distinct[number] for number in texts.of] == contents
    assert texts.rows.tolist() == [contents.index(content) for content in distinct]


def test_texts_without_a_token_come_last() -> None:
    texts = DistinctTexts.find(np.array([[0, 0], [1, 1]], np.uint64), np.array([True, False]))
    assert texts.of.tolist() == [1, 0]


@given(CONTENTS)
def test_a_document_is_involved_if_its_text_stands_twice_or_in_a_pair(contents: list[tuple[int, int]]) -> None:
    texts = DistinctTexts.find(np.array(contents, np.uint64), np.zeros(len(contents), np.bool_))
    pairs = np.array([[0, len(texts.rows) - 1]])
    in_a_pair = {0, len(texts.rows) - 1}
    expected = [row for row, text in enumerate(texts.of) if text in in_a_pair or contents.count(contents[row]) > 1]
    assert texts.find_involved(pairs).tolist() == expected


def test_the_first_document_of_an_order_is_the_best_of_its_text() -> None:
    texts = DistinctTexts.find(np.array([[5, 0], [5, 0], [1, 0]], np.uint64), np.zeros(3, np.bool_))
    best, order = texts.choose_best(np.array([1, 2, 0]), 2)
    assert best.tolist() == [2, 1]  # of the text with the hash 1, then of that with 5
    assert order.tolist() == [1, 0]
