from pathlib import Path
from typing import Any

import msgspec
import pytest

import ibidem
from ibidem.errors import DamagedError, FormatVersionError, NotAnIndexError
from ibidem.store import Store, check_index
from ibidem.store.format import FORMAT_VERSION, MANIFEST
from ibidem.store.manifest import compute_fingerprint, make_manifest, read_manifest


def rewrite(path: Path, **changes: Any) -> None:
    manifest = msgspec.json.decode((path / MANIFEST).read_bytes()) | changes
    (path / MANIFEST).write_bytes(msgspec.json.encode(manifest))


def test_a_path_without_an_index_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotAnIndexError, match="the path does not exist"):
        Store.open(tmp_path / "nothing")
    with pytest.raises(NotAnIndexError, match="not an index but a file"):
        Store.open(tmp_path / "file")
    with pytest.raises(NotAnIndexError, match=r"the folder has no manifest\.json"):
        Store.open(tmp_path / "folder")
    with pytest.raises(NotAnIndexError):
        check_index(tmp_path / "folder")


def test_an_index_of_a_newer_format_says_who_wrote_it_and_to_upgrade(store: Store) -> None:
    rewrite(store.path, format_version=FORMAT_VERSION + 1, written_by="ibidem 9.0", segments="in another form")
    with pytest.raises(
        FormatVersionError, match=rf"written by ibidem 9\.0 in format version {FORMAT_VERSION + 1}.*upgrade"
    ):
        Store.open(store.path)
    with pytest.raises(FormatVersionError), store.writer():
        pass


def test_an_index_of_an_older_format_says_to_build_it_again(store: Store) -> None:
    rewrite(store.path, format_version=0)
    with pytest.raises(FormatVersionError, match=r"format version 0.*build the index again"):
        Store.open(store.path)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[1]", b"{}", b"null", b"[" * 100_000, b'{"format_version": "1"}'])
def test_a_file_that_is_no_manifest_is_damaged(store: Store, data: bytes) -> None:
    (store.path / MANIFEST).write_bytes(data)
    with pytest.raises(DamagedError, match=r"manifest\.json: not a manifest"):
        Store.open(store.path)
    assert len(store.check().problems) == 1


@pytest.mark.parametrize("change", [{"config": {"k": 3}}, {"generation": 7}, {"fingerprint": "0"}, {"checksum": ""}])
def test_an_altered_manifest_is_damaged(store: Store, change: dict[str, Any]) -> None:
    rewrite(store.path, **change)
    with pytest.raises(DamagedError, match=r"manifest\.json: the checksum does not match"):
        Store.open(store.path)


@pytest.mark.parametrize("name", ["../../other", "/etc", "000001/..", "", "000001\n"])
def test_a_name_cannot_lead_out_of_the_index(store: Store, name: str) -> None:
    rewrite(store.path, segments=[{"name": name, "documents": 1, "checksum": "0", "removal": None}])
    with pytest.raises(DamagedError, match="not a manifest"):
        Store.open(store.path)


def test_equal_configurations_have_equal_fingerprints_and_others_have_others() -> None:
    assert compute_fingerprint({"a": 1, "b": {"c": 2, "d": 3}}) == compute_fingerprint({"b": {"d": 3, "c": 2}, "a": 1})
    assert compute_fingerprint({"a": 1}) != compute_fingerprint({"a": 2})
    assert compute_fingerprint({"a": 1}) != compute_fingerprint({"a": 1.5})


def test_a_configuration_is_what_its_json_says() -> None:
    manifest = make_manifest({"b": (1, 2), "a": {"ü": None}})
    assert manifest.config == {"a": {"ü": None}, "b": [1, 2]}
    assert manifest.fingerprint == compute_fingerprint(manifest.config)


def test_a_configuration_that_is_not_json_is_refused_before_anything_is_made(path: Path) -> None:
    with pytest.raises(TypeError):
        Store.create(path, {"a": object()})
    assert not path.exists()


def test_the_manifest_says_who_wrote_it(store: Store) -> None:
    assert read_manifest(store.path).written_by == f"ibidem {ibidem.__version__}"
