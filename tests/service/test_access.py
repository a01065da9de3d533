"""Who is answered, and who is told why not."""

import httpx
import pytest

from ibidem.service import Access

from .conftest import Serve
from .samples import FERRY


def ask(client: httpx.Client, path: str, token: str | None) -> int:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return client.post(
        path, json={"text": FERRY} if path == "/v1/search" else {"ids": ["none"]}, headers=headers
    ).status_code


@pytest.mark.parametrize(
    ("access", "token", "reads", "writes"),
    [
        (Access(), None, 200, 403),
        (Access(), "wrong", 200, 403),
        (Access("read"), None, 401, 403),
        (Access("read"), "read", 200, 403),
        (Access("read", "write"), "read", 200, 403),
        (Access("read", "write"), "write", 200, 202),
        (Access("read", "write"), "wrong", 401, 401),
        (Access(None, "write"), None, 200, 401),
        (Access(None, "write"), "write", 200, 202),
    ],
)
def test_a_token_allows_what_it_is_for(
    serve: Serve, access: Access, token: str | None, reads: int, writes: int
) -> None:
    client = serve(access=access)
    assert ask(client, "/v1/search", token) == reads
    assert ask(client, "/v1/remove", token) == writes


def test_tasks_are_shown_to_who_may_write(serve: Serve) -> None:
    client = serve(access=Access("read", "write"))
    assert client.get("/v1/tasks", headers={"Authorization": "Bearer read"}).status_code == 403
    assert client.get("/v1/tasks", headers={"Authorization": "Bearer write"}).json() == {
        "tasks": [],
        "total": 0,
        "cursor": None,
    }


def test_a_page_of_an_origin_that_was_allowed_may_read_answers(serve: Serve) -> None:
    client = serve(access=Access("sesame", origins=["https://texts.example"]))
    asked = {"Origin": "https://texts.example", "Access-Control-Request-Method": "POST"}
    before = client.options("/v1/search", headers=asked)
    assert before.status_code == 204
    assert "Authorization" in before.headers["access-control-allow-headers"]
    given = client.get("/health", headers={"Origin": "https://texts.example"})
    assert given.headers["access-control-allow-origin"] == "https://texts.example"
    for origin in ("https://evil.example", "null", "https://texts.example.evil"):
        other = client.get("/health", headers={"Origin": origin})
        assert "access-control-allow-origin" not in other.headers
        assert client.options("/v1/search", headers={"Origin": origin}).status_code in (401, 405)
