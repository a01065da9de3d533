"""An index at a URL is an index: built, opened, changed and searched, by a copy in the cache."""

import pytest

from ibidem import DocumentIndex, PassageIndex
from ibidem.errors import DamagedError, IndexExistsError, LockedError, NotAnIndexError, StoreError
from ibidem.remote.cache import Cache
from ibidem.remote.storage import Storage
from ibidem.store import Store
from ibidem.store.remote.replica import open_replica, read_entries, read_remote_manifest

from ...jobs.samples import digest

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


def another_machine(tmp_path, monkeypatch, name="other"):
    monkeypatch.setenv("IBIDEM_CACHE", str(tmp_path / name))


def test_a_copy_on_another_machine_has_the_bytes_of_a_build_and_answers_as_it_does(built, tmp_path, monkeypatch):
    another_machine(tmp_path, monkeypatch)
    with PassageIndex.build(tmp_path / "plain", DOCUMENTS, **WEIGHTED) as plain, PassageIndex.open(built) as index:
        assert digest(index.path) == digest(tmp_path / "plain")
        found = index.search(QUERY, threshold=0.6)
        assert found
        assert list(found) == list(plain.search(QUERY, threshold=0.6))


def test_additions_and_removals_reach_other_machines_and_only_new_files_are_fetched(built, tmp_path, monkeypatch):
    another_machine(tmp_path, monkeypatch)
    early = PassageIndex.open(built)
    monkeypatch.setenv("IBIDEM_CACHE", str(tmp_path / "cache"))
    with PassageIndex.open(built) as index:
        index.add(MORE)
        index.remove(["fox"])
    another_machine(tmp_path, monkeypatch)
    fetched = []
    download = Storage.download
    monkeypatch.setattr(Storage, "download", lambda *given: (fetched.append(given[1]), download(*given)))
    with PassageIndex.open(built) as late:
        assert late.ids() == {"blake", "poe"}
        assert len(late.search(MORE[0][1], threshold=0.9)) == 1
        first = {entry.checksum for entry in early._store._manifest.segments}
        assert not any(checksum in name for checksum in first for name in fetched)
    assert early.ids() == {"fox", "blake"}
    assert early.search(QUERY, threshold=0.6)
    early.close()


def test_a_copy_that_is_up_to_date_is_left_as_it_stands(built, tmp_path):
    with PassageIndex.open(built) as first:
        before = (first.path / "manifest.json").stat()
        with PassageIndex.open(built) as second:
            after = (second.path / "manifest.json").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_merge_leaves_the_bytes_of_one_segment_and_a_reader_its_generation(built, tmp_path, monkeypatch):
    with PassageIndex.open(built) as index:
        index.add(MORE)
        index.merge()
        expected = digest(index.path)
    another_machine(tmp_path, monkeypatch)
    with PassageIndex.open(built) as index:
        assert len(index.segments) == 1
        assert digest(index.path) == expected


def test_of_two_writers_that_began_alike_one_commits_and_the_other_is_told(built, tmp_path, monkeypatch):
    one = PassageIndex.open(built)
    another_machine(tmp_path, monkeypatch)
    other = PassageIndex.open(built)
    one.add(MORE)
    with pytest.raises(LockedError, match="another writer has committed since this was opened: open it again"):
        other.add([("late", "these words come too late to be added by this writer")])
    one.close()
    other.close()
    with PassageIndex.open(built) as again:
        again.add([("late", "these words come in time once the index is opened again")])
        assert again.ids() == {"fox", "blake", "poe", "late"}


def test_an_index_is_not_made_where_one_stands_nor_where_another_maker_was_faster(built, tmp_path, monkeypatch):
    with pytest.raises(IndexExistsError, match="an index exists there already"):
        PassageIndex.build(built, DOCUMENTS)
    url = built.replace("i.ibidem", "race.ibidem")

    def documents():
        yield DOCUMENTS[0]
        another_machine(tmp_path, monkeypatch)
        PassageIndex.build(url, MORE, min_length=4).close()
        yield DOCUMENTS[1]

    with pytest.raises(IndexExistsError, match="an index exists there already"):
        PassageIndex.build(url, documents(), min_length=4)
    with PassageIndex.open(url) as index:
        assert index.ids() == {"poe"}


def test_an_index_without_documents_stands_and_can_be_added_to(object_store, tmp_path, monkeypatch):
    url = f"{object_store}/empty"
    with PassageIndex.build(url, [], min_length=4) as made:
        another_machine(tmp_path, monkeypatch)
        with PassageIndex.open(url) as index:
            assert len(index) == 0
        made.add(MORE)
    with PassageIndex.open(url) as index:
        assert index.ids() == {"poe"}


@pytest.mark.parametrize("cut_after", [0, 7, 26, "manifest"])
def test_an_upload_that_is_cut_leaves_nothing_to_be_seen_and_is_gone_on_with(
    object_store, tmp_path, monkeypatch, cut_after
):
    url, done = f"{object_store}/cut", []
    upload, create = Storage.upload, Storage.create

    def cut(*given):
        if len(done) == cut_after:
            raise KeyboardInterrupt
        done.append(given[2])
        upload(*given)

    def refuse(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ibidem.store.remote.publication.TRANSFERS", 1)
    monkeypatch.setattr(Storage, "upload", cut)
    if cut_after == "manifest":
        monkeypatch.setattr(Storage, "create", refuse)
    with pytest.raises(KeyboardInterrupt):
        PassageIndex.build(url, DOCUMENTS, min_length=4)
    with pytest.raises(NotAnIndexError):
        PassageIndex.open(url)
    monkeypatch.setattr(Storage, "upload", lambda *given: (done.append(given[2]), upload(*given)))
    monkeypatch.setattr(Storage, "create", create)
    PassageIndex.build(url, DOCUMENTS, min_length=4).close()
    assert len(done) == len(set(done))  # what was uploaded is not uploaded again
    another_machine(tmp_path, monkeypatch)
    with PassageIndex.build(tmp_path / "plain", DOCUMENTS, min_length=4), PassageIndex.open(url) as index:
        assert digest(index.path) == digest(tmp_path / "plain")


def test_an_addition_that_is_cut_leaves_the_generation_before(built, tmp_path, monkeypatch):
    with PassageIndex.open(built) as index, monkeypatch.context() as patch:
        patch.setattr(Storage, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            index.add(MORE)
    another_machine(tmp_path, monkeypatch)
    with PassageIndex.open(built) as index:
        assert index.generation == 1
        assert index.ids() == {"fox", "blake"}


def test_a_download_that_is_cut_is_gone_on_with(built, tmp_path, monkeypatch):
    another_machine(tmp_path, monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(Storage, "download", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            PassageIndex.open(built)
    with PassageIndex.open(built) as index:
        assert index.search(QUERY, threshold=0.6)
        assert index.check() == []


@pytest.mark.parametrize("damage", ["altered", "cut", "gone"])
def test_a_file_that_is_not_what_was_written_is_an_error_that_names_it(built, tmp_path, monkeypatch, damage):
    storage = Storage(built)
    name = next(name for name in storage.list() if name.endswith("/text.npy"))
    data = storage.read(name)
    storage.remove([name])
    if damage != "gone":
        storage.create(name, data[:-9] if damage == "cut" else data[:-9] + bytes(9))
    another_machine(tmp_path, monkeypatch)
    with pytest.raises(DamagedError, match=r"i\.ibidem"):
        PassageIndex.open(built)


def test_a_reader_whose_files_go_while_it_copies_takes_the_next_generation(built, tmp_path, monkeypatch):
    download, moved = Storage.download, []

    def commit_meanwhile(storage, name, file):
        if not moved:
            moved.append(name)
            monkeypatch.setenv("IBIDEM_CACHE", str(tmp_path / "cache"))
            with PassageIndex.open(built) as writer:
                old = writer._store._manifest.segments[0].checksum
                writer.add(MORE)
                writer.merge()
            storage.remove([each for each in storage.list() if old in each])
        download(storage, name, file)

    another_machine(tmp_path, monkeypatch)
    monkeypatch.setattr("ibidem.store.remote.replica.TRANSFERS", 1)
    monkeypatch.setattr(Storage, "download", commit_meanwhile)
    with PassageIndex.open(built) as index:
        assert index.generation == 3
        assert index.ids() == {"fox", "blake", "poe"}


def test_an_index_that_does_not_fit_into_the_cache_is_refused(built, tmp_path, monkeypatch):
    another_machine(tmp_path, monkeypatch)
    monkeypatch.setenv("IBIDEM_CACHE_SIZE", "2K")
    with pytest.raises(StoreError, match="has room for"):
        PassageIndex.open(built)


def test_another_index_at_the_same_place_is_what_is_opened(built):
    storage = Storage(built)
    storage.remove(list(storage.list()))
    PassageIndex.build(built, MORE, min_length=4).close()
    with PassageIndex.open(built) as index:
        assert index.ids() == {"poe"}


def test_a_copy_of_some_segments_is_an_index_of_these_that_only_reads(built):
    with PassageIndex.open(built) as index:
        index.add(MORE)
        [_, second] = [segment.name for segment in index.segments]
    with Store.open(built, segments=[second]) as store:
        assert [segment.document_ids() for segment in store.segments] == [["poe"]]
        with pytest.raises(StoreError, match="for reading alone"):
            store.writer()
    with pytest.raises(StoreError, match="there is no segment 000009"):
        Store.open(built, segments=["000009"])


def test_while_a_writer_is_at_work_in_the_copy_readers_of_this_machine_take_it_as_it_stands(built):
    with PassageIndex.open(built) as index, index.hold(), PassageIndex.open(built) as other:
        assert other.ids() == {"fox", "blake"}


def test_an_index_of_documents_can_stand_at_a_url_too(object_store):
    url = f"{object_store}/documents"
    DocumentIndex.build(url, DOCUMENTS).close()
    with DocumentIndex.open(url) as index:
        assert [match.document for match in index.search(DOCUMENTS[0][1])] == ["fox"]


def test_a_copy_can_be_kept_elsewhere_than_the_environment_says(built, tmp_path):
    replica = open_replica(built, Cache(tmp_path / "elsewhere", 1 << 30))
    assert replica.path.is_relative_to(tmp_path / "elsewhere")
    assert read_remote_manifest(Storage(built)).generation == 1
    replica.copy.close()


def test_segments_are_those_of_the_manifest_here_and_in_a_store(object_store, tmp_path):
    for place in (tmp_path / "i", f"{object_store}/i"):
        with PassageIndex.build(place, [("a", "one two three four five")], min_length=2):
            [entry] = read_entries(place)
            assert (entry.name, entry.documents) == ("000001", 1)
        with pytest.raises(NotAnIndexError):
            read_entries(f"{place}-none")
