"""Documents are added and removed by tasks, all or none, and searches see them."""

from pathlib import Path

import pytest

import ibidem
from ibidem.web.access import Access
from ibidem.web.client import Client, ServiceError

from ..conftest import Serve
from ..samples import FERRY, OTHER


@pytest.fixture
def client(serve: Serve, tmp_path: Path) -> Client:
    ibidem.PassageIndex.build(tmp_path / "x.ibidem", [("bees", OTHER)], min_length=8).close()
    served = serve(path=tmp_path / "x.ibidem", access=Access(write_token="quill"))
    return Client(str(served.base_url), token="quill")


def test_a_document_that_was_added_is_found_until_it_is_removed(client: Client) -> None:
    assert client.search(FERRY)["total"] == 0
    added = client.add([{"id": "ferry", "text": FERRY, "metadata": {"year": 1903}}])
    assert added["kind"] == "add"
    ended = client.wait(added)
    assert (ended["id"], ended["state"]) == (added["id"], "done")
    assert "1 document with" in ended["detail"]
    [match] = client.search(FERRY)["matches"]
    assert match["metadata"] == {"year": 1903}
    assert client.wait(client.remove(["ferry"]))["state"] == "done"
    assert client.search(FERRY)["total"] == 0


def test_what_cannot_be_added_or_removed_is_told_by_the_task(client: Client) -> None:
    twice = client.wait(client.add([{"id": "new", "text": FERRY}, {"id": "bees", "text": FERRY}]))
    assert twice["state"] == "failed"
    assert "'bees' occurs twice" in twice["detail"]
    assert client.search(FERRY)["total"] == 0
    none = client.wait(client.remove(["none"]))
    assert (none["state"], "no document has the id 'none'" in none["detail"]) == ("failed", True)


@pytest.mark.parametrize("documents", [[], [{"id": "", "text": "x"}], [{"id": "a"}], [{"id": 1, "text": "x"}]])
def test_what_is_no_document_is_refused_at_once(client: Client, documents: list[dict[str, object]]) -> None:
    with pytest.raises(ServiceError, match="400"):
        client.add(documents)


def test_a_task_has_an_address(serve: Serve) -> None:
    client = serve(access=Access(write_token="quill"))
    headers = {"Authorization": "Bearer quill"}
    response = client.post("/v1/remove", json={"ids": ["none"]}, headers=headers)
    assert response.status_code == 202
    task = client.get(response.headers["location"], headers=headers).json()
    assert task["id"] == response.json()["id"]
    assert client.get("/v1/tasks/none", headers=headers).status_code == 404
