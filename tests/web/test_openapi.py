"""The page of OpenAPI describes what is served, and whatever is sent to it, no answer is a 5xx."""

import json
from typing import Any

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.openapi import describe_api
from ibidem.web.operations import PROBLEMS

from .conftest import JSON_TYPE
from .samples import QUESTION

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def references(node: Any) -> set[str]:
    if isinstance(node, dict):
        own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
        return own.union(*map(references, node.values()), set())
    return set().union(*map(references, node), set()) if isinstance(node, list) else set()


def test_the_page_names_every_operation_and_every_reference_stands_in_it(client: httpx.Client) -> None:
    page = client.get("/openapi.json").json()
    assert page == json.loads(json.dumps(describe_api(OPERATIONS)))
    assert page["openapi"] == "3.1.0"
    assert {each.path for each in OPERATIONS} < set(page["paths"])
    names = {f"#/components/schemas/{name}" for name in page["components"]["schemas"]}
    assert references(page) <= names


def test_every_field_of_a_request_is_described(client: httpx.Client) -> None:
    page = client.get("/openapi.json").json()
    for operation in OPERATIONS:
        names = set(operation.takes.__struct_fields__)  # type: ignore[attr-defined]
        if operation.method == "GET":
            described = page["paths"][operation.path]["get"]["parameters"]
            assert {each["name"] for each in described} == names
            assert all(each["required"] == (each["in"] == "path") for each in described if "required" in each)
        else:
            schema = page["components"]["schemas"][operation.takes.__name__]
            assert set(schema["properties"]) == names
            assert schema["additionalProperties"] is False


def fields(operation: Any) -> st.SearchStrategy[dict[str, Any]]:
    names = operation.takes.__struct_fields__
    known = {
        "text": st.text(max_size=30) | st.just("When the ferry came in at last, the whole street ran down"),
        "threshold": st.floats(0.3, 1),
        "index": st.sampled_from([None, "letters", "other"]),
        "unit": st.sampled_from(["code points", "utf-16", "bytes"]),
        "family": st.sampled_from([None, "set", "weighted"]),
        "documents": st.lists(st.fixed_dictionaries({"text": st.text(max_size=20) | st.just(QUESTION)}), max_size=3),
        "a": st.fixed_dictionaries({"text": st.text(max_size=20)}, optional={"start": st.integers(-3, 30)}),
        "b": st.fixed_dictionaries(
            {"document": st.sampled_from(["ferry", "x"])}, optional={"end": st.integers(-3, 30)}
        ),
    }
    return st.fixed_dictionaries({}, optional={name: known.get(name, JSON) | JSON for name in names})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_request_is_an_error_of_the_service(client: httpx.Client, data: st.DataObject) -> None:
    operation = data.draw(st.sampled_from([each for each in OPERATIONS if each.method == "POST"]))
    body = data.draw(fields(operation) | JSON | st.binary(max_size=40))
    content = body if isinstance(body, bytes) else json.dumps(body).encode("ascii")
    require_no_fault(client.post(operation.path, content=content, headers=JSON_TYPE))


WORDS = st.text(max_size=12) | st.sampled_from(
    ["1", "0", "-1", "1e9", "null", "true", "utf-16", "bytes", "ferry", "nan"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_query_is_an_error_of_the_service(client: httpx.Client, data: st.DataObject) -> None:
    operation = data.draw(st.sampled_from([each for each in OPERATIONS if each.method == "GET"]))
    names = [*operation.takes.__struct_fields__, "other"]  # type: ignore[attr-defined]
    asked = data.draw(st.lists(st.tuples(st.sampled_from(names), WORDS), max_size=5))
    require_no_fault(client.get(operation.path, params=asked))


def require_no_fault(response: httpx.Response) -> None:
    """The request was answered, or it is said what is wrong with it."""
    assert response.status_code < 500, (response.request, response.request.content, response.text)
    if response.status_code != 200:
        assert str(response.status_code) in PROBLEMS
        assert response.headers["content-type"] == "application/problem+json"
