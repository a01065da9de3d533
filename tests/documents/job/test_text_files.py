"""The distinct texts in files are those of ``DistinctTexts``, whatever the parts and the memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.job.text_files import TextFiles, write_content_hashes, write_texts
from ibidem.documents.representatives import DistinctTexts

PARTS = st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=4)


def write(folder, parts, memory):
    """Texts are numbers; 0 and 5 have no token, and the others as many as they say."""
    folders = []
    for number, part in enumerate(parts):
        texts = np.array(part, np.int64)
        folders.append(folder / str(number))
        folders[-1].mkdir()
        hashes = np.stack([texts * 7 % 5, texts], axis=1).astype(np.uint64)
        write_content_hashes(folders[-1], len(part), lambda rows, h=hashes, t=texts: (h[rows], t[rows] % 5), memory)
    (folder / "texts").mkdir()
    write_texts(folders, np.cumsum([0, *map(len, parts)]), folder / "texts", memory)
    return TextFiles.open(folder / "texts")


@given(parts=PARTS, memory=st.sampled_from([1, 600, 1 << 30]))
def test_texts_are_numbered_as_in_memory(tmp_path_factory, parts, memory):
    found = write(tmp_path_factory.mktemp("plan"), parts, memory)
    texts = np.array([text for part in parts for text in part], np.int64)
    contents = np.stack([texts * 7 % 5, texts], axis=1).astype(np.uint64)
    expected = DistinctTexts.find(contents, texts % 5 == 0)
    assert found.num_texts == len(expected.rows)
    assert found.rows.tolist() == expected.rows_with_tokens.tolist()
    assert found.lengths.tolist() == (texts[found.rows] % 5).tolist()
    numbers = np.zeros(len(texts), np.int64)
    numbers[expected.rows_with_tokens] = 1 + np.arange(expected.with_tokens)
    assert found.numbers.tolist() == numbers.tolist()
    for text in range(found.num_texts):
        documents, of = found.find_documents(np.array([text]))
        assert documents.tolist() == np.flatnonzero(expected.of == text).tolist()
        assert of.tolist() == [0] * len(documents)


def test_documents_of_several_texts_come_in_order(tmp_path):
    found = write(tmp_path, [[3, 1, 3], [1, 2]], 1 << 30)
    wanted = found.numbers[[0, 1]] - 1
    documents, of = found.find_documents(wanted)
    assert documents.tolist() == [0, 1, 2, 3]
    assert of.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("parts", [[[]], [[], []]])
def test_a_collection_without_a_document_has_no_text(tmp_path, parts):
    found = write(tmp_path, parts, 1 << 30)
    assert (found.num_texts, len(found.rows), len(found.numbers)) == (0, 0, 0)
