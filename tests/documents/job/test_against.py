"""Documents are compared with those of an index; the others keep their order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.choices import Choices
from ibidem.documents.index import DocumentIndex
from ibidem.documents.job.against import NewDocuments, OldDocument, digest_state, number_new
from ibidem.errors import CorpusError
from ibidem.text import as_batches

VERSE = "tyger tyger burning bright in the forests of the night what immortal hand or eye"


@given(st.lists(st.booleans()))
def test_new_documents_are_numbered_in_their_order(are_old):
    old = {row: OldDocument(str(row), "x", 1.0, True, False, False) for row, is_old in enumerate(are_old) if is_old}
    expected, count = [], 0
    for is_old in are_old:
        expected.append(-1 if is_old else count)
        count += not is_old
    assert number_new(count, old).tolist() == expected


@pytest.fixture
def index(tmp_path):
    with DocumentIndex.build(tmp_path / "seen", [("blake", VERSE)]) as built:
        yield built


def test_what_resembles_a_document_of_the_index_is_set_apart(index):
    documents = [("a", "little lamb who made thee"), ("b", VERSE), ("c", "Tyger, " + VERSE), ("d", "")]
    new = NewDocuments(as_batches(documents, "text", "id"), index, Choices())
    assert [name for batch in new for name in batch.ids] == ["a", "d"]
    assert {row: each[:2] + each[3:] for row, each in new.old.items()} == {
        1: ("b", "blake", True, False, False),
        2: ("c", "blake", False, False, False),
    }


def test_an_id_of_the_index_is_refused_where_documents_are_to_be_added(index):
    batches = as_batches([("blake", "little lamb who made thee")], "text", "id")
    with pytest.raises(CorpusError, match="the index has a document of this id"):
        list(NewDocuments(batches, index, Choices(), new_ids=True))


def test_each_change_of_an_index_is_seen_in_its_state(index):
    states = [digest_state(index)]
    index.add([("lamb", "little lamb who made thee")])
    states.append(digest_state(index))
    index.remove(["blake"])
    states.append(digest_state(index))
    assert len(set(states)) == 3
