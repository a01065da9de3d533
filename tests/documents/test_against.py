"""Documents are compared with those of an index; the others keep their order."""

import pytest

from ibidem.documents.against import Addition, Against, NewDocuments, open_against
from ibidem.documents.index import DocumentIndex
from ibidem.documents.rules import Rules
from ibidem.errors import ConfigurationError, CorpusError, LockedError
from ibidem.text import as_batches

VERSE = "tyger tyger burning bright in the forests of the night what immortal hand or eye"


@pytest.fixture
def index(tmp_path):
    with DocumentIndex.build(tmp_path / "seen", [("blake", VERSE)]) as built:
        yield built


def test_what_resembles_a_document_of_the_index_is_set_apart(index):
    documents = [("a", "little lamb who made thee"), ("b", VERSE), ("c", "Tyger, " + VERSE), ("d", "")]
    new = NewDocuments(as_batches(documents, "text", "id"), Against(index, index.generation, adds=False), Rules())
    assert [name for batch in new for name in batch.ids] == ["a", "d"]
    assert {row: each[:2] + each[3:] for row, each in new.old.items()} == {
        1: ("b", "blake", True, False, False),
        2: ("c", "blake", False, False, False),
    }


def test_an_id_of_the_index_is_refused_where_documents_are_to_be_added(index):
    batches = as_batches([("blake", "little lamb who made thee")], "text", "id")
    with pytest.raises(CorpusError, match="the index has a document of this id"):
        list(NewDocuments(batches, Against(index, index.generation, adds=True), Rules()))


def test_an_index_that_was_changed_meanwhile_is_no_longer_compared_with(index):
    old = Against(index, index.generation, adds=False)
    index.add([("lamb", "little lamb who made thee")])
    with pytest.raises(CorpusError, match="seen: it was changed meanwhile; run the command again"):
        list(NewDocuments(as_batches([("a", "any text")], "text", "id"), old, Rules()))


def test_an_addition_is_done_when_the_index_has_moved_on_and_has_all_documents(index):
    generation = index.generation
    addition = Addition("these files", generation, ["lamb", "fly"])
    options = {"adds": True, "renames": False}
    assert Against.of(index, addition, **options) == Against(index, generation, adds=True)
    index.add([("lamb", "little lamb who made thee")])
    assert Against.of(index, addition, **options).generation == generation + 1  # another writer came
    index.add([("fly", "little fly thy summer's play")])
    old = Against.of(index, addition, **options)
    assert (old.generation, old.is_changed) == (generation, True)
    assert old.taken_ids == {"blake"}
    old = Against.of(index, None, adds=False, renames=True)
    assert (old.generation, old.is_changed, old.taken_ids) == (generation + 2, False, set())


def test_a_note_of_another_work_is_removed(tmp_path):
    note = tmp_path / "addition.json"
    addition = Addition("these files", 3, ["a"])
    addition.write(note)
    assert Addition.read(note, "these files") == addition
    assert Addition.read(note, "other files") is None
    assert not note.exists()
    note.write_bytes(b"{")
    assert Addition.read(note, "these files") is None


def test_an_index_to_add_to_is_made_or_held_and_must_fit(tmp_path, index):
    with open_against(tmp_path / "new", Rules(), adds=True) as made:
        assert (len(made), made.configuration.threshold) == (0, 0.8)
        made.add([("a", "any text")])
    with open_against(index.path, Rules(), adds=True), pytest.raises(LockedError):
        DocumentIndex.open(index.path).add([("b", "any text")])
    with (
        pytest.raises(ConfigurationError, match="ask for the same"),
        open_against(index.path, Rules(threshold=0.5), adds=False),
    ):
        pass
    with open_against(None, Rules(), adds=False) as nothing:
        assert nothing is None
