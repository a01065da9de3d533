"""A served index follows commits, keeps what is in use open, and says what cannot be read."""

import weakref
from pathlib import Path

import pytest

import ibidem
from ibidem.web.indexes.served_index import ServedIndex

from ..conftest import Serve, read_problem
from ..samples import DOCUMENTS, FERRY


def test_an_index_that_is_damaged_is_told_and_opened_again(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "x.ibidem"
    numbers = " ".join(f"number{each}" for each in range(20_000))  # a file of this size is mapped and not read
    ibidem.PassageIndex.build(path, [("ferry", FERRY), ("numbers", numbers)], min_length=8).close()
    client = serve(path=path)
    assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 1
    text = next(path.rglob("text.npy"))
    whole = text.read_bytes()
    with text.open("r+b") as file:
        file.truncate(len(whole) - 5)
    for asked in ({"text": FERRY}, {"text": FERRY, "threshold": 0.9}):
        response = client.post("/v1/search", json=asked)
        status, detail = read_problem(response)
        assert status == 503
        assert "the index 'x' cannot be read" in detail
        assert str(tmp_path) not in detail
        assert response.headers["retry-after"] == "10"
    text.write_bytes(whole)
    assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 1
    moved = path.rename(tmp_path / "y.ibidem")
    assert read_problem(client.post("/v1/search", json={"text": FERRY}))[0] == 503
    moved.rename(path)
    assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 1


def test_readers_follow_commits_without_a_restart(serve: Serve, tmp_path: Path) -> None:
    with ibidem.PassageIndex.build(tmp_path / "x.ibidem", [("ferry", FERRY)], min_length=8) as index:
        client = serve(path=tmp_path / "x.ibidem")
        assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 1
        index.add([("again", FERRY)])
        assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 2
    assert client.get("/v1/indexes").json()["indexes"][0]["documents"] == 2


def test_a_reader_that_is_in_use_keeps_its_state_until_it_is_given_back(tmp_path: Path) -> None:
    with ibidem.PassageIndex.build(tmp_path / "x.ibidem", [("ferry", FERRY)], min_length=8) as index:
        served = ServedIndex(tmp_path / "x.ibidem")
        with served.reader() as old:
            index.add([("again", FERRY)])
            with served.reader() as new:
                assert (len(old.index), len(new.index)) == (1, 2)
            assert [match.document for match in old.index.search(FERRY)] == ["ferry"]
            assert old.document("again") is None
        index_of_old, watched = old.index, weakref.ref(old)
        del old
        assert watched() is None
        with pytest.raises(ValueError, match="closed"):
            index_of_old.search(FERRY)
        served.close()


def test_a_document_is_found_by_its_id_until_it_is_removed(tmp_path: Path) -> None:
    with ibidem.PassageIndex.build(tmp_path / "x.ibidem", DOCUMENTS, min_length=8) as index:
        served = ServedIndex(tmp_path / "x.ibidem")
        with served.reader() as reader:
            assert reader.document("ferry") == (FERRY, {"year": 1903})
        index.remove(["ferry"])
        with served.reader() as reader:
            assert reader.document("ferry") is None
        served.close()


@pytest.mark.parametrize(("folder", "name"), [("letters.ibidem", "letters"), (".ibidem", ".ibidem"), ("x", "x")])
def test_an_index_is_named_by_its_folder_without_the_suffix(tmp_path: Path, folder: str, name: str) -> None:
    ibidem.PassageIndex.build(tmp_path / folder, [("ferry", FERRY)], min_length=8).close()
    for given, expected in ((None, name), ("other", "other")):
        served = ServedIndex(tmp_path / folder, given)
        assert served.name == expected
        served.close()


def test_an_index_at_a_url_is_served_as_it_was_fetched(
    object_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"{object_store}/x.ibidem"
    ibidem.PassageIndex.build(url, [("ferry", FERRY)], min_length=8).close()
    served = ServedIndex(url)
    with served.reader() as reader:
        assert len(reader.index) == 1
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("IBIDEM_CACHE", str(tmp_path / "another machine"))
        with ibidem.PassageIndex.open(url) as index:
            index.add([("again", FERRY)])
    with served.reader() as reader:
        assert len(reader.index) == 1
    ibidem.PassageIndex.open(url).close()  # which fetches what the other machine has sent
    with served.reader() as reader:
        assert len(reader.index) == 2
    served.close()
