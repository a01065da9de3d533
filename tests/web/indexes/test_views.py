"""The view of what ``ibidem reuse`` found."""

import httpx

from ..samples import REUSED


def test_the_page_gets_pairs_clusters_and_comparisons_of_a_folder(client: httpx.Client) -> None:
    view = client.get("/v1/reuse/songs").json()
    names = [document["name"] for document in view["documents"]]
    assert set(names) == {"gray", "letter", "reader"}
    assert len(view["documentPairs"]) == len(view["columns"]["a"]) == 3
    [cluster] = view["clusters"]
    assert cluster["title"].startswith("the curfew tolls")
    asked = {"first": 0, "count": 3 + cluster["compared"]}
    lines = client.get("/v1/reuse/songs/comparisons", params=asked).json()
    texts = {document.id: document.text for document in REUSED}
    for row, line in enumerate(lines[:3]):
        assert line["a"]["document"] == names[view["columns"]["a"][row]]
        assert line["a"]["text"] in texts[line["a"]["document"]]
    assert [line["b"]["document"] for line in lines[3:]] == [names[row[0]] for row in cluster["witnesses"]]
    assert client.get("/v1/reuse/songs/comparisons", params={"first": 99}).json() == []
    assert client.get("/v1/reuse/none").status_code == 404
