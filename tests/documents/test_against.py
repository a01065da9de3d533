"""Documents are compared with those of an index; the others keep their order."""

import pytest

from ibidem.documents.against import Addition, Against, look_up, open_against
from ibidem.documents.index import DocumentIndex
from ibidem.documents.rules import Rules
from ibidem.errors import ConfigurationError, CorpusError, LockedError
from ibidem.text import as_batches

VERSE = "tyger tyger burning bright in the forests of the night what immortal hand or eye"


@pytest.fixture
def index(tmp_path):
    with DocumentIndex.build(tmp_path / "seen", [("blake", VERSE)]) as built:
        yield built


def find_known(index, documents, adds=False):
    known = {}
    against = Against(index, index.generation, adds)
    names = [name for batch in look_up(against, as_batches(documents), 0.8, known) for name in batch.ids]
    assert names == [name for name, _ in documents]
    return {number: (each.document, each.exact) for number, each in known.items()}


def test_what_resembles_a_document_of_the_index_is_noted(index):
    documents = [("a", "little lamb who made thee"), ("b", VERSE), ("c", "Tyger, " + VERSE), ("d", "")]
    assert find_known(index, documents) == {1: ("blake", True), 2: ("blake", False)}


def test_an_id_of_the_index_is_refused_where_documents_are_to_be_added(index):
    with pytest.raises(CorpusError, match="the index has a document of this id"):
        find_known(index, [("blake", "little lamb who made thee")], adds=True)


def test_an_index_that_was_changed_meanwhile_is_no_longer_compared_with(index):
    against = Against(index, index.generation, adds=False)
    index.add([("lamb", "little lamb who made thee")])
    with pytest.raises(CorpusError, match="seen: it was changed meanwhile; run the command again"):
        list(look_up(against, as_batches([("a", "any text")]), 0.8, {}))


def test_an_addition_is_done_when_the_index_has_moved_on_and_has_all_documents(index, tmp_path):
    generation = index.generation
    options = {"adds": True, "renames": False}
    with DocumentIndex.open(index.path) as other:
        Addition("these files", generation, ["lamb", "fly"]).write(tmp_path)
        with open_against(index.path, Rules(), tmp_path, "these files", **options) as against:
            assert (against.generation, against.is_changed) == (generation, False)
        other.add([("lamb", "little lamb who made thee")])
        with open_against(index.path, Rules(), tmp_path, "these files", **options) as against:
            assert against.generation == generation + 1  # another writer came
        other.add([("fly", "little fly thy summer's play")])
    with open_against(index.path, Rules(), tmp_path, "these files", **options) as against:
        assert (against.generation, against.is_changed) == (generation, True)
        assert against.taken_ids == {"blake"}
    with open_against(index.path, Rules(), tmp_path, "these files", adds=False, renames=True) as against:
        assert (against.generation, against.is_changed, against.taken_ids) == (generation + 2, False, set())


def test_a_note_of_another_work_is_removed(tmp_path):
    note = tmp_path / "addition.json"
    addition = Addition("these files", 3, ["a"])
    addition.write(tmp_path)
    assert Addition.read(tmp_path, "these files") == addition
    assert Addition.read(tmp_path, "other files") is None
    assert not note.exists()
    note.write_bytes(b"{")
    assert Addition.read(tmp_path, "these files") is None


def test_an_index_to_add_to_is_made_or_held_and_must_fit(tmp_path, index):
    def open_at(path, threshold=0.8, adds=True):
        return open_against(path, Rules(threshold=threshold), tmp_path, "files", adds=adds, renames=False)

    with open_at(tmp_path / "new") as made:
        assert (len(made.index), made.index.configuration.threshold) == (0, 0.8)
        made.index.add([("a", "any text")])
    with open_at(index.path), pytest.raises(LockedError):
        DocumentIndex.open(index.path).add([("b", "any text")])
    with pytest.raises(ConfigurationError, match="ask for the same"), open_at(index.path, 0.5, adds=False):
        pass
    with open_at(None) as nothing:
        assert nothing is None
