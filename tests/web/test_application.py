"""The server: what every address answers, whatever is served."""

import httpx

from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.operations import list_requests


def test_the_page_learns_what_is_declared(client: httpx.Client) -> None:
    assert client.get("/page/requests.json").json() == {
        name: list(request) for name, request in list_requests(OPERATIONS).items()
    }


def test_an_answer_to_head_has_no_body(client: httpx.Client) -> None:
    answer = client.head("/v1/indexes")
    assert (answer.status_code, answer.content) == (200, b"")
