"""Names in an object store follow from contents."""

from ibidem import PassageIndex
from ibidem.store.remote.layout import frequency_folder, index_files, segment_folder, tombstone_file


def test_every_file_of_an_index_has_a_name_of_its_own_and_equal_segments_have_one(tmp_path):
    documents = [("a", "one two three four five"), ("b", "six seven eight nine ten")]
    made = []
    for name in ("one", "other"):
        with PassageIndex.build(
            tmp_path / name, documents, min_length=2, scheme="minhash", num_hashes=2, family="weighted", idf="smooth"
        ) as index:
            index.remove(["a"])
            made.append(index_files(tmp_path / name, index._store._manifest))
            manifest = index._store._manifest
    assert not manifest.attachments
    assert made[0].keys() == made[1].keys()
    assert len(set(made[0].values())) == len(made[0])
    [entry] = manifest.segments
    folders = {segment_folder(entry), "tombstones", frequency_folder(manifest.frequencies)}
    assert {name.rpartition("/")[0] for name in made[0]} == folders
    assert tombstone_file(entry) in made[0]
    files = {path for path in (tmp_path / "one").rglob("*") if path.is_file()}
    assert files - set(made[0].values()) == {tmp_path / "one" / name for name in ("manifest.json", "writer.lock")}
