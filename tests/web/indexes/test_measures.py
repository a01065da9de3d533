"""Matches are measured by any measure as a search by that measure would have measured them."""

from typing import Any

import httpx
import pytest

import ibidem
from ibidem.web.client import Client

from ..conftest import read_problem
from ..samples import FERRY, PASSAGE

MEASURES = [
    {"family": "set"},
    {"family": "multiset"},
    {"idf": "smooth"},
    {"family": "weighted", "tf": "logarithmic", "idf": "standard"},
    {"tf": "squared"},
]


def measure_all(service: Client, text: str, found: dict[str, Any], **options: Any) -> list[float]:
    """Measure all matches of an answer."""
    names = ("query_start", "query_end", "document", "start", "end")
    matches = [{name: match[name] for name in names} for match in found["matches"]]
    answer = service.measure(text, matches, index=found["index"], generation=found["generation"], **options)
    similarities: list[float] = answer["similarities"]
    return similarities


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_matches_measure_as_a_search_by_this_measure_says(client: httpx.Client, measure: dict[str, str]) -> None:
    service = Client(str(client.base_url))
    found = service.search(PASSAGE, threshold=0.4, **measure)
    expected = [match["similarity"] for match in found["matches"]]
    assert 0 < expected[0] < 1
    assert measure_all(service, PASSAGE, found, **measure) == pytest.approx(expected)


def test_places_may_count_code_units_or_bytes(client: httpx.Client) -> None:
    service = Client(str(client.base_url))
    text = FERRY.replace("harbour", "h\u00e2rbour \U0001f600")
    for unit in ("code points", "utf-16", "bytes"):
        found = service.search(text, unit=unit)
        assert measure_all(service, text, found, unit=unit) == [found["matches"][0]["similarity"]]


def test_what_cannot_be_measured_is_told(client: httpx.Client) -> None:
    match = {"query_start": 0, "query_end": 9, "document": "ferry", "start": 0, "end": 9}

    def ask(**fields: object) -> tuple[int, str]:
        body = {"text": PASSAGE, "matches": [match], **fields}
        return read_problem(client.post("/v1/measure", json=body))

    assert ask(generation=7) == (409, "the index was changed since the matches were found: search again")
    assert ask(matches=[match | {"end": 9999}])[1] == (
        f"the passage 0 to 9999 lies outside of the document 'ferry', 0 to {len(FERRY)}"
    )
    assert ask(matches=[match | {"query_start": 10}])[1].startswith("the passage 10 to 9 lies outside of the text")
    assert ask(matches=[match | {"document": "none"}])[0] == 404
    assert ask(family="set", idf="smooth")[0] == 422
    assert ask(family="set", tf="raw")[0] == 422


def test_a_family_may_be_said_twice_and_not_be_contradicted(client: httpx.Client) -> None:
    def search(**choices: str) -> httpx.Response:
        return client.post("/v1/search", json={"text": PASSAGE, **choices})

    assert search(family="set", tf="binary").json()["matches"] == search(family="set").json()["matches"]
    status, detail = read_problem(search(family="set", tf="raw"))
    assert (status, "weights of the family 'weighted', not of 'set'" in detail) == (422, True)


def test_passages_are_measured_up_to_a_size(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.web.indexes.measures._MOST_CHARACTERS", 100)
    service = Client(str(client.base_url))
    with pytest.raises(ibidem.IbidemError, match="422: the passages have more than 100 characters: ask for fewer"):
        measure_all(service, PASSAGE, service.search(PASSAGE))
