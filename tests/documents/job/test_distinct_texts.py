"""The distinct texts in files are those in memory, whatever the parts and the memory; both are those by the book."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.job.distinct_texts import DistinctTexts, open_numbers, write_content_hashes, write_texts
from ibidem.store.files.sorted_runs import SIZED_RECORD

PARTS = st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=4)


def hash_texts(texts):
    """Hashes of which 0 and 5 share the first number; the first numbers are spread over all ranges."""
    return np.stack([(texts * 7 % 5) << 61, texts], axis=1).astype(np.uint64)


def write(folder, parts, memory):
    """Texts are numbers; 0 and 5 have no token, and the others as many as they say."""
    folders = []
    for number, part in enumerate(parts):
        texts = np.array(part, np.int64)
        folders.append(folder / str(number))
        folders[-1].mkdir()
        hashes = hash_texts(texts)
        write_content_hashes(folders[-1], len(part), lambda rows, h=hashes, t=texts: (h[rows], t[rows] % 5), memory)
    (folder / "texts").mkdir()
    write_texts(folders, np.cumsum([0, *map(len, parts)]), folder / "texts", memory)
    return DistinctTexts.open(folder / "texts"), open_numbers(folder / "texts")


CONTENTS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=9)


@given(CONTENTS)
def test_texts_are_numbered_by_their_content(contents):
    texts = DistinctTexts.find(np.array(contents, np.uint64), np.ones(len(contents), np.int64))
    distinct = sorted(set(contents))
    assert texts.rows.tolist() == [contents.index(content) for content in distinct]
    for number, content in enumerate(distinct):
        documents, of = texts.find_documents(np.array([number]))
        assert documents.tolist() == [row for row, other in enumerate(contents) if other == content]
        assert not of.any()


def test_texts_without_a_token_come_last():
    texts = DistinctTexts.find(np.array([[0, 0], [1, 1]], np.uint64), np.array([0, 3]))
    assert [each.tolist() for each in texts] == [[1, 0], [0, 1, 2], [1], [3]]


RECORD = 6 * SIZED_RECORD.itemsize
"""What a record takes while it is sorted."""


@given(parts=PARTS, memory=st.sampled_from([RECORD, 3 * RECORD, 1 << 30]))
def test_texts_in_files_are_those_in_memory(tmp_path_factory, parts, memory):
    texts, numbers = write(tmp_path_factory.mktemp("plan"), parts, memory)
    everything = np.array([text for part in parts for text in part], np.int64)
    contents = hash_texts(everything)
    expected = DistinctTexts.find(contents, everything % 5)
    assert [each.tolist() for each in texts] == [each.tolist() for each in expected]
    first = np.zeros(len(everything), np.int64)
    first[expected.rows] = 1 + np.arange(len(expected.rows))
    assert numbers.tolist() == first.tolist()


def test_documents_of_several_texts_come_in_order(tmp_path):
    texts, numbers = write(tmp_path, [[3, 1, 3], [1, 2]], 1 << 30)
    documents, of = texts.find_documents(numbers[[0, 1]] - 1)
    assert documents.tolist() == [0, 1, 2, 3]
    assert of.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("parts", [[[]], [[], []]])
def test_a_collection_without_a_document_has_no_text(tmp_path, parts):
    texts, numbers = write(tmp_path, parts, 1 << 30)
    assert (texts.num_texts, len(texts.rows), len(numbers)) == (0, 0, 0)
    assert DistinctTexts.find(np.zeros((0, 2), np.uint64), np.zeros(0, np.int64)).num_texts == 0
