"""Documents of the same text are found, and one of each text that has a token is compared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.rules import Rules
from ibidem.documents.texts import DistinctTexts, find_texts, open_texts
from ibidem.errors import CorpusError

from .samples import DOCUMENTS, RULES, digest, make_resources

CONTENTS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=9)


@given(CONTENTS)
def test_texts_are_numbered_by_their_content(contents):
    texts = DistinctTexts.find(
        np.array(contents, np.uint64), np.ones(len(contents), np.int64), np.arange(len(contents))
    )
    distinct = sorted(set(contents))
    assert texts.first_of(np.arange(len(distinct))).tolist() == [contents.index(content) for content in distinct]
    for number, content in enumerate(distinct):
        documents, of = texts.find_documents(np.array([number]))
        assert documents.tolist() == [row for row, other in enumerate(contents) if other == content]
        assert not of.any()
    expected = [
        distinct.index(content) if content not in contents[:row] else -1 for row, content in enumerate(contents)
    ]
    assert texts.numbers.tolist() == expected


def test_texts_without_a_token_come_last_and_are_not_compared():
    texts = DistinctTexts.find(np.array([[0, 0], [1, 1]], np.uint64), np.array([0, 3]), np.arange(2))
    assert [each.tolist() for each in texts] == [[1, 0], [0, 1, 2], [-1, 0]]


def test_documents_that_are_known_have_no_text():
    contents = np.array([[1, 0], [0, 0], [1, 0]], np.uint64)
    texts = DistinctTexts.find(contents, np.ones(3, np.int64), np.array([0, 2]))
    assert [each.tolist() for each in texts] == [[0, 2], [0, 2], [0, -1, -1]]


def test_documents_of_several_texts_come_in_order():
    contents = np.array([[3, 0], [1, 0], [3, 0], [1, 0], [2, 0]], np.uint64)
    texts = DistinctTexts.find(contents, np.ones(5, np.int64), np.arange(5))
    documents, of = texts.find_documents(np.array([2, 0]))
    assert documents.tolist() == [0, 1, 2, 3]
    assert of.tolist() == [0, 1, 0, 1]


def test_a_collection_without_a_document_has_no_text():
    assert DistinctTexts.find(np.zeros((0, 2), np.uint64), np.zeros(0, np.int64), np.arange(0)).num_texts == 0


def test_documents_that_are_compared_with_an_index_alone_have_a_text_each(tmp_path):
    digests = digest(tmp_path, [DOCUMENTS[:3], [{"id": "copy", "text": DOCUMENTS[1]["text"]}]], RULES)
    find_texts(Rules(keep="max(year)", alone=True), digests, tmp_path / "texts", make_resources())
    texts = open_texts(tmp_path / "texts")
    assert texts.num_texts == 4
    assert set(texts.numbers.tolist()) == {-1}


@pytest.mark.parametrize(
    ("parts", "rules", "message"),
    [
        (
            [DOCUMENTS[:3], [*DOCUMENTS[3:5], DOCUMENTS[1]]],
            RULES,
            "document id 'né-1' occurs twice: documents 1 and 5",
        ),
        (
            [DOCUMENTS[:1], [{"id": "b", "text": "b", "Day": ""}]],
            Rules(keep="max(day)"),
            "no document has the column 'day'",
        ),
    ],
)
def test_what_cannot_be_deduplicated_is_named(tmp_path, parts, rules, message):
    digests = digest(tmp_path, parts, rules)
    with pytest.raises(CorpusError, match=message):
        find_texts(rules, digests, tmp_path / "texts", make_resources())
