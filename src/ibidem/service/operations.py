"""Every operation of the service, once: the application serves this table, and OpenAPI describes it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

import ibidem
from ibidem.comparison import Comparison
from ibidem.service import messages, work

__all__ = ["OPERATIONS", "Operation", "describe_api"]


class Operation(NamedTuple):
    """A request with a body of ``takes``, answered by ``run`` with what ``gives`` says."""

    path: str
    name: str
    summary: str
    takes: type
    gives: type
    run: Callable[..., Any]


OPERATIONS = (
    Operation(
        "/v1/search", "search", "Where a passage stands again", messages.SearchRequest, messages.Matches, work.search
    ),
    Operation("/v1/align", "align", "What a whole text shares", messages.AlignRequest, messages.Matches, work.align),
    Operation(
        "/v1/trace", "trace", "Which words stand in the collection", messages.TraceRequest, messages.Trace, work.trace
    ),
    Operation("/v1/compare", "compare", "Two passages word by word", messages.CompareRequest, Comparison, work.compare),
)

PROBLEMS = {
    "400": "The body is no JSON of the form that is asked for.",
    "401": "A token is needed.",
    "404": "No index or document has this name.",
    "408": "The body did not come in time.",
    "409": "The index was changed since the cursor was given.",
    "413": "The body is too large.",
    "421": "The service is not known by this host name.",
    "422": "An argument is out of its range.",
    "429": "Too many requests are waiting.",
    "503": "The answer was given up for want of time.",
}


def describe_api() -> dict[str, Any]:
    """The page of OpenAPI 3.1 that describes the service."""
    types = {each for operation in OPERATIONS for each in (operation.takes, operation.gives)}
    types |= {messages.DocumentText, messages.Indexes, messages.Health, messages.Problem}
    ordered = sorted(types, key=lambda each: each.__name__)
    schemas, components = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    schema_of = dict(zip(ordered, schemas, strict=True))
    paths: dict[str, Any] = {each.path: {"post": _post(each, schema_of)} for each in OPERATIONS}
    paths["/v1/documents/{document}"] = {"get": _document(schema_of)}
    paths["/v1/indexes"] = {"get": _get("indexes", "The indexes that are served", schema_of[messages.Indexes])}
    paths["/health"] = {"get": _get("health", "Whether the service answers", schema_of[messages.Health], secured=False)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "ibidem", "version": ibidem.__version__},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


def _post(operation: Operation, schema_of: dict[type, Any]) -> dict[str, Any]:
    found = {"application/json": {"schema": schema_of[operation.gives]}}
    if operation.gives is messages.Matches:
        found["application/x-ndjson"] = {"schema": {"type": "string"}}
    return {
        "operationId": operation.name,
        "summary": operation.summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema_of[operation.takes]}}},
        "responses": {"200": {"description": operation.gives.__name__, "content": found}} | _problems(schema_of),
    }


def _get(name: str, summary: str, schema: Any, *, secured: bool = True) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": name,
        "summary": summary,
        "responses": {"200": {"description": "OK", "content": {"application/json": {"schema": schema}}}},
    }
    return described if secured else described | {"security": []}


def _document(schema_of: dict[type, Any]) -> dict[str, Any]:
    described = _get("document", "A part of a document", schema_of[messages.DocumentText])
    place = {"type": "integer", "minimum": 0}
    described["parameters"] = [
        {"name": "document", "in": "path", "required": True, "schema": {"type": "string"}},
        {"name": "index", "in": "query", "schema": {"type": "string"}},
        {"name": "start", "in": "query", "schema": place},
        {"name": "end", "in": "query", "schema": place},
    ]
    described["responses"] |= _problems(schema_of)
    return described


def _problems(schema_of: dict[type, Any]) -> dict[str, Any]:
    content = {"application/problem+json": {"schema": schema_of[messages.Problem]}}
    return {status: {"description": said, "content": content} for status, said in PROBLEMS.items()}
