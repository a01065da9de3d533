"""Who is answered, and who is told why not."""

import httpx
import pytest

from ibidem.web.access import Access

from .conftest import Serve, read_problem
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
        assert client.options("/v1/search", headers={"Origin": origin}).status_code == 403


OWN = [
    {},
    {"Origin": "{own}", "Sec-Fetch-Site": "same-origin"},
    {"Origin": "{own}"},
    {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "https://texts.example"},  # a proxy has changed the host
]
FOREIGN = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    {"Sec-Fetch-Site": "anything"},
]


@pytest.mark.parametrize("headers", OWN)
def test_the_pages_own_requests_and_those_of_no_page_are_answered(
    client: httpx.Client, headers: dict[str, str]
) -> None:
    sent = {name: value.replace("{own}", str(client.base_url).rstrip("/")) for name, value in headers.items()}
    assert client.post("/v1/search", json={"text": FERRY}, headers=sent).status_code == 200
    assert client.get("/v1/indexes", headers=sent).status_code == 200


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_page_of_another_site_cannot_make_the_service_work(
    client: httpx.Client, serve: Serve, headers: dict[str, str]
) -> None:
    for answer in (
        client.post("/v1/search", json={"text": FERRY}, headers=headers),
        client.get("/v1/indexes", headers=headers),
        client.get("/none", headers=headers),
    ):
        status, detail = read_problem(answer)
        assert status == 403
        assert "--allow-origin" in detail
    allowing = serve(access=Access(origins=["https://evil.example", "http://evil.example"]))
    answered = allowing.get("/v1/indexes", headers=headers).status_code
    assert answered == (200 if "evil" in headers.get("Origin", "") else 403)


def test_a_link_to_the_page_may_be_on_any_site(client: httpx.Client) -> None:
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", headers=followed).status_code == 200
    assert client.get("/page/indexes.js", headers=followed | {"Sec-Fetch-Mode": "no-cors"}).status_code == 403
