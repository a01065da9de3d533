"""An index at a URL is an index: built, opened, changed and searched, by a copy in the cache."""

import pickle

import pytest

from ibidem import DocumentIndex, PassageIndex
from ibidem.errors import DamagedError, IndexExistsError, LockedError, NotAnIndexError, StoreError
from ibidem.remote import storage as storage_module
from ibidem.remote.storage import Storage
from ibidem.store import Store
from ibidem.store.remote_copy import read_entries

DOCUMENTS = [
    ("fox", "the quick brown fox jumps over the lazy dog and runs away into the woods"),
    ("blake", "tyger tyger burning bright in the forests of the night what immortal hand or eye"),
]
MORE = [("poe", "once upon a midnight dreary while i pondered weak and weary over many a quaint volume")]
WEIGHTED = {"min_length": 4, "family": "weighted", "idf": "smooth"}
QUERY = "burning bright in the forest of the night"


@pytest.fixture
def built(object_store):
    with PassageIndex.build(f"{object_store}/i.ibidem", DOCUMENTS, **WEIGHTED):
        return f"{object_store}/i.ibidem"


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Opens an index as on another machine, which keeps its copies elsewhere."""

    def open_elsewhere(url, name="other"):
        with monkeypatch.context() as patch:
            patch.setenv("IBIDEM_CACHE", str(tmp_path / name))
            return PassageIndex.open(url)

    return open_elsewhere


def digest(index):
    """The bytes of an index on this machine, by the names of its files."""
    files = (file for file in index.rglob("*") if file.is_file() and file.name != "writer.lock")
    return {file.relative_to(index).as_posix(): file.read_bytes() for file in files}


def interrupt(*_):
    raise KeyboardInterrupt


def test_a_copy_on_another_machine_has_the_bytes_of_a_build_and_answers_as_it_does(built, elsewhere, tmp_path):
    with PassageIndex.build(tmp_path / "plain", DOCUMENTS, **WEIGHTED) as plain, elsewhere(built) as index:
        assert digest(index.path) == digest(tmp_path / "plain")
        found = index.search(QUERY, threshold=0.6)
        assert found
        assert list(found) == list(plain.search(QUERY, threshold=0.6))


def test_an_index_has_the_same_files_in_a_store_as_on_a_disk(built, tmp_path):
    with PassageIndex.open(built) as index:
        index.remove(["fox"])
    PassageIndex.build(tmp_path / "plain", DOCUMENTS, **WEIGHTED).remove(["fox"])
    storage = Storage(built)
    assert {name: storage.read(name) for name in storage.list()} == digest(tmp_path / "plain")


def test_an_index_that_did_not_change_is_not_fetched_again(built, monkeypatch):
    with PassageIndex.open(built) as first:
        before = (first.path / "manifest.json").stat()
    monkeypatch.setattr(Storage, "download", interrupt)
    with PassageIndex.open(built) as second:
        after = (second.path / "manifest.json").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_additions_and_removals_reach_other_machines_and_segments_that_stayed_do_not_travel(
    built, elsewhere, monkeypatch
):
    early, moved = elsewhere(built), []
    for method in ("upload", "download"):
        whole = getattr(Storage, method)
        monkeypatch.setattr(Storage, method, lambda *given, whole=whole: (moved.append(given), whole(*given)))
    with PassageIndex.open(built) as index:
        index.add(MORE)
        index.remove(["fox"])
    with elsewhere(built) as late:
        assert late.ids() == {"blake", "poe"}
        assert len(late.search(MORE[0][1], threshold=0.9)) == 1
    assert moved
    assert not any("segments/000001" in str(argument) for given in moved for argument in given)
    assert early.ids() == {"fox", "blake"}
    assert early.search(QUERY, threshold=0.6)
    early.close()


def test_a_merge_leaves_the_files_of_one_segment_in_the_store(built, elsewhere):
    Storage(built).write("segments-of-another/000001", b"not ours")
    with PassageIndex.open(built) as index:
        index.add(MORE)
        index.merge()
        expected = digest(index.path)
    with elsewhere(built) as index:
        assert len(index.segments) == 1
        assert digest(index.path) == expected
    folders = {name.rpartition("/")[0] for name in Storage(built).list()}
    assert folders == {"", "frequencies", "segments/000003", "segments-of-another"}


def test_who_writes_after_another_machine_did_is_told_and_nothing_has_changed(built, elsewhere):
    other = elsewhere(built)
    with PassageIndex.open(built) as one:
        one.add(MORE)
    with pytest.raises(LockedError, match="another machine has written to the index since it was opened"):
        other.add([("late", "these words come too late to be added by this writer")])
    assert other.ids() == {"fox", "blake"}
    other.close()
    with elsewhere(built) as again:
        again.add([("late", "these words come in time once the index is opened again")])
    with PassageIndex.open(built) as index:
        assert index.ids() == {"fox", "blake", "poe", "late"}


def test_an_index_is_not_made_where_one_is_nor_where_another_machine_was_faster(built, elsewhere, tmp_path):
    with pytest.raises(IndexExistsError, match="an index exists there already"):
        PassageIndex.build(built, DOCUMENTS)
    url = built.replace("i.ibidem", "race.ibidem")

    def documents():
        yield DOCUMENTS[0]
        with elsewhere(built) as index:
            files = {file.relative_to(index.path).as_posix(): file for file in index.path.rglob("*") if file.is_file()}
            Storage(url).upload_all(files)
        yield DOCUMENTS[1]

    with pytest.raises(IndexExistsError, match="an index exists there already"):
        PassageIndex.build(url, documents(), min_length=4)
    with PassageIndex.open(url) as index:
        assert index.generation == 1


def test_an_index_without_documents_is_there_and_can_be_added_to(object_store, elsewhere):
    url = f"{object_store}/empty"
    with PassageIndex.build(url, [], min_length=4) as made:
        with elsewhere(url) as index:
            assert len(index) == 0
        made.add(MORE)
    with elsewhere(url) as index:
        assert index.ids() == {"poe"}


@pytest.mark.parametrize("cut_after", [0, 7, "manifest"])
def test_a_build_whose_upload_is_cut_leaves_no_index_and_can_be_repeated(
    object_store, elsewhere, tmp_path, monkeypatch, cut_after
):
    url, done, upload = f"{object_store}/cut", [], Storage.upload

    def cut(*given):
        if len(done) == cut_after:
            raise KeyboardInterrupt
        done.append(given)
        upload(*given)

    with monkeypatch.context() as patch:
        patch.setattr(storage_module, "_TRANSFERS", 1)
        patch.setattr(Storage, "upload", cut)
        if cut_after == "manifest":
            patch.setattr(Storage, "write", interrupt)
        with pytest.raises(KeyboardInterrupt):
            PassageIndex.build(url, DOCUMENTS, min_length=4)
    with pytest.raises(NotAnIndexError):
        PassageIndex.open(url)
    PassageIndex.build(url, DOCUMENTS, min_length=4).close()
    with PassageIndex.build(tmp_path / "plain", DOCUMENTS, min_length=4), elsewhere(url) as index:
        assert digest(index.path) == digest(tmp_path / "plain")


def test_an_addition_that_is_cut_leaves_the_generation_before(built, elsewhere, monkeypatch):
    with PassageIndex.open(built) as index, monkeypatch.context() as patch:
        patch.setattr(Storage, "write", interrupt)
        with pytest.raises(KeyboardInterrupt):
            index.add(MORE)
    for again in (elsewhere, PassageIndex.open):
        with again(built) as index:
            assert index.generation == 1
            assert index.ids() == {"fox", "blake"}


def test_a_download_that_is_cut_can_be_repeated(built, elsewhere, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Storage, "download", interrupt)
        with pytest.raises(KeyboardInterrupt):
            elsewhere(built)
    with elsewhere(built) as index:
        assert index.search(QUERY, threshold=0.6)
        assert index.check() == []


@pytest.mark.parametrize("file", ["ids.npy", "tokens.npy", "counts.npy"])
@pytest.mark.parametrize("damage", ["altered", "cut", "gone"])
def test_a_file_that_is_not_what_was_written_is_an_error_and_no_copy_of_it_is_kept(built, elsewhere, damage, file):
    storage = Storage(built)
    name = next(name for name in storage.list() if name.endswith(f"/{file}"))
    data = storage.read(name)
    storage.remove([name])
    if damage != "gone":
        storage.write(name, data[:-3] if damage == "cut" else data[:-3] + b"???")
    with pytest.raises(DamagedError, match=r"i\.ibidem: not what was written"):
        elsewhere(built)
    storage.write(name, data)
    with elsewhere(built) as index:
        assert index.check() == []


def test_a_reader_whose_files_go_while_it_fetches_takes_the_next_generation(built, elsewhere, monkeypatch):
    download, moved = Storage.download, []

    def write_meanwhile(storage, name, file):
        if not moved:
            moved.append(name)
            with elsewhere(built, "writer") as writer:
                writer.add(MORE)
                writer.merge()
        download(storage, name, file)

    monkeypatch.setattr(storage_module, "_TRANSFERS", 1)
    monkeypatch.setattr(Storage, "download", write_meanwhile)
    with elsewhere(built) as index:
        assert index.generation == 3
        assert index.ids() == {"fox", "blake", "poe"}


def test_another_index_at_the_same_place_is_what_is_opened(built):
    early = PassageIndex.open(built)
    storage = Storage(built)
    storage.remove(list(storage.list()))
    PassageIndex.build(built, MORE, min_length=4).close()
    with PassageIndex.open(built) as index:
        assert index.ids() == {"poe"}
    assert early.search(QUERY, threshold=0.6)
    early.close()


def test_a_copy_of_some_segments_is_an_index_of_these_that_only_reads(built):
    with PassageIndex.open(built) as index:
        index.add(MORE)
        [_, second] = [segment.name for segment in index.segments]
    with Store.open(built, segments=[second]) as store:
        assert [segment.document_ids() for segment in store.segments] == [["poe"]]
        assert [folder.name for folder in (store.path / "segments").iterdir()] == [second]
        with pytest.raises(StoreError, match="for reading alone"):
            store.writer()
    with pytest.raises(StoreError, match="there is no segment 000009"):
        Store.open(built, segments=["000009"])


def test_while_a_process_writes_to_the_copy_readers_of_this_machine_take_it_as_it_is(built):
    with PassageIndex.open(built) as index, index.hold(), PassageIndex.open(built) as other:
        assert other.ids() == {"fox", "blake"}


def test_an_index_of_documents_can_be_at_a_url_too(object_store, tmp_path, monkeypatch):
    url = f"{object_store}/documents"
    DocumentIndex.build(url, DOCUMENTS).add(MORE)
    monkeypatch.setenv("IBIDEM_CACHE", str(tmp_path / "other"))
    with DocumentIndex.open(url) as index:
        assert [match.document for match in index.search(DOCUMENTS[0][1])] == ["fox"]
        assert index.remove(["fox"]) == ["fox"]
    with DocumentIndex.open(url) as index:
        assert index.ids() == {"blake", "poe"}


def test_an_index_at_a_url_is_pickled_as_its_url(built, tmp_path, monkeypatch):
    with PassageIndex.open(built) as index:
        data = pickle.dumps(index)
    monkeypatch.setenv("IBIDEM_CACHE", str(tmp_path / "other"))
    with pickle.loads(data) as copy:
        assert copy.path.is_relative_to(tmp_path / "other")
        assert copy.search(QUERY, threshold=0.6)


def test_segments_are_those_of_the_manifest_here_and_in_a_store(object_store, tmp_path):
    for place in (tmp_path / "i", f"{object_store}/i"):
        with PassageIndex.build(place, [("a", "one two three four five")], min_length=2):
            [entry] = read_entries(place)
            assert (entry.name, entry.documents) == ("000001", 1)
        with pytest.raises(NotAnIndexError):
            read_entries(f"{place}-none")
