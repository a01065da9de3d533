"""What nobody needs is removed from an object store, but not while somebody may be about to need it."""

from pathlib import Path

import pytest

from ibidem import PassageIndex
from ibidem.remote.storage import Storage
from ibidem.store.remote import publication

DAY = 24 * 3600.0


@pytest.fixture
def index(object_store):
    with PassageIndex.build(f"{object_store}/i", [("a", "one two three four")], min_length=2) as made:
        yield made


def leftovers(storage):
    return [name for name in storage.list() if "left" in name]


def test_what_a_dead_writer_left_a_day_ago_goes_with_the_next_commit(index, object_store, monkeypatch):
    storage, listed = Storage(f"{object_store}/i"), Storage.list
    storage.create("segments/left/text.npy", b"left")
    storage.create("left-by-somebody-else", b"left")

    def age(given, folder=""):
        facts = listed(given, folder)
        old = {name: facts[name]._replace(modified=facts[name].modified - 2 * DAY) for name in facts if "left" in name}
        return facts | (old if aged else {})

    monkeypatch.setattr(Storage, "list", age)
    aged = False
    index.add([("b", "five six seven eight")])
    assert len(leftovers(storage)) == 2
    aged = True
    index.add([("c", "nine ten eleven twelve")])
    assert leftovers(storage) == ["left-by-somebody-else"]
    with PassageIndex.open(f"{object_store}/i") as again:
        assert again.ids() == {"a", "b", "c"}


def test_what_is_old_is_uploaded_again_since_another_may_be_removing_it(index, object_store, tmp_path, monkeypatch):
    sent = []
    storage = Storage(f"{object_store}/i")
    upload = Storage.upload
    monkeypatch.setattr(Storage, "upload", lambda given, file, name: (sent.append(name), upload(given, file, name)))
    [name] = [name for name in storage.list() if name.endswith("/tokens.npy")]
    files = {name: Path(index.path) / "segments" / "000001" / "tokens.npy"}
    publication.Publication(storage).upload(files)
    assert sent == []
    monkeypatch.setattr(publication, "_LEFT_FOR", -1.0)
    publication.Publication(storage).upload(files)
    assert sent == [name]
