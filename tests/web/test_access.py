"""Who is answered, and who is told why not."""

import httpx
import pytest

from ibidem.web.access import Access

from .conftest import Serve, read_problem
from .samples import FERRY


@pytest.mark.parametrize(
    ("access", "token", "status"),
    [(Access(), None, 200), (Access(), "any", 200), (Access("read"), None, 401), (Access("read"), "wrong", 401)],
)
def test_who_reads_brings_the_token_if_there_is_one(
    serve: Serve, access: Access, token: str | None, status: int
) -> None:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    assert serve(access=access).post("/v1/search", json={"text": FERRY}, headers=headers).status_code == status


def test_a_page_of_another_site_gets_no_leave_to_send_or_read_anything(client: httpx.Client) -> None:
    """A browser asks for leave before it sends JSON of another site, and hides an answer that gives none."""
    foreign = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    assert read_problem(client.options("/v1/search", headers=foreign))[0] == 405
    plain = client.post("/v1/search", content=b'{"text": "x"}', headers=foreign | {"Content-Type": "text/plain"})
    assert read_problem(plain)[0] == 415
    for answer in (plain, client.get("/v1/indexes", headers=foreign)):
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
